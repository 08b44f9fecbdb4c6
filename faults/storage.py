"""Unavailable, hanging, slow or locked object storage of a replica that follows it."""

import os
import time

from faults.ground import Ground, read_check, wait_for_check
from faults.load import Load
from faults.outcome import Outcome
from faults.table import fault
from tests.support.relay import Mode, Relay, relay
from tests.support.server import CLIENT
from tests.support.storage import s3_server
from tests.support.town import write_town
from warehouse.release.store import ReleaseStore
from warehouse.storage.publish import push

_FORBIDDEN = (
    b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: "
    b"41\r\nConnection: close\r\n\r\n<Error><Code>AccessDenied</Code></Error>\r\n"
)
# In this order, on one replica; between faults the storage works and a newer release arrives.
_MODES: dict[str, tuple[Mode, bytes]] = {
    "hangs": ("hang", b""),
    "locked (403)": ("refuse", _FORBIDDEN),
    "cuts every answer off": ("cut", b""),
    "crawls": ("crawl", b""),
}
_WAIT_SECONDS = 180.0


def _release_id(number: int) -> str:
    return f"202611{number:02d}T060000Z-{number:08x}"


def _wait_until_served(address: str, release_id: str) -> float:
    """Wait until a release is served; return the seconds. Raises TimeoutError."""
    began = time.monotonic()
    while time.monotonic() < began + _WAIT_SECONDS:
        if CLIENT.get(f"{address}/api/stats", timeout=20).headers.get("x-release") == release_id:
            return time.monotonic() - began
        time.sleep(0.1)
    raise TimeoutError(f"{release_id} was not served: {read_check(address, 'storage')}")


def _wait_until_degraded(address: str) -> str:
    status, detail = wait_for_check(address, "storage", "degraded", seconds=_WAIT_SECONDS)
    if status != "degraded":
        raise TimeoutError(f"storage is {status}: {detail}")
    return detail


@fault(
    "object storage down, hanging, locked, cutting off, crawling", group="stores", max_seconds=1200
)
def disturb_storage(ground: Ground) -> Outcome:
    """The replica serves its release, reports the start of the outage, and pulls the next
    release."""
    server = ground.enter(s3_server())
    between: Relay = ground.enter(relay(server.port))
    os.environ.update(server.environment)
    server.new_bucket()
    builder, cache = ground.folder / "builder", ground.folder / "cache"
    cache.mkdir()
    numbers = iter(range(1, 30))

    def publish() -> str:
        release_id = _release_id(next(numbers))
        write_town(builder, release_id=release_id)
        push(ReleaseStore(builder), server.bucket())
        return release_id

    current = publish()
    ground.data = cache
    settings = {
        **server.environment,
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{between.port}",
        "LARDER_STORAGE_URL": server.url,
        "LARDER_STORAGE_SECONDS": "0.3",
        "LARDER_POLL_SECONDS": "0.1",
    }
    outcomes: list[str] = []
    with ground.supervise(**settings) as service:
        _wait_until_served(service.address, current)
        with ground.load(service.address) as load:
            for name, (mode, answer) in _MODES.items():
                between.answer, between.mode = answer, mode
                newer = publish()
                outcomes.append(f"{name}: {_during(service.address, load, mode, current, newer)}")
                between.mode = "pass"
                _wait_until_served(service.address, newer)
                current = newer
            server.stop()
            outcomes.append(f"down: {_wait_until_degraded(service.address)[:60]}")
            load.wait_for("GET", 200, 50)
            server.start()
            current = publish()
            _wait_until_served(service.address, current)
    unknown_releases = len(
        {a.release for a in load.exchanges if a.release} - {_release_id(n) for n in range(1, 30)}
    )
    return ground.outcome(
        load,
        "; ".join(outcomes) + "; the next release was served by itself each time",
        data_lost=unknown_releases,
    )


def _during(address: str, load: Load, mode: Mode, current: str, newer: str) -> str:
    """Return the observations while the storage misbehaves."""
    load.wait_for("GET", 200, 50)
    if mode == "crawl":
        return f"the release arrived after {_wait_until_served(address, newer):.0f} s"
    _wait_until_degraded(address) if mode != "hang" else time.sleep(5)
    release = CLIENT.get(f"{address}/api/stats", timeout=20).headers["x-release"]
    if release != current:
        raise AssertionError(f"{release} is served, not {current}")
    return "degraded" if mode != "hang" else "served on"
