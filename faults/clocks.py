"""The wall clock jumps by hours and days while the service runs (libfaketime)."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx

from faults.ground import Ground
from faults.outcome import Outcome
from faults.table import fault
from tests.support.operators import make_tokens
from tests.support.releases import resource
from tests.support.town import NEW_YORK, resources, write_town

_LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
_ZONE = ZoneInfo("America/New_York")
_NINE_TO_FIVE = (
    '[{"freq":"WEEKLY","byday":"MO,TU,WE,TH,FR,SA,SU","opens_at":"09:00","closes_at":"17:00",'
    '"description":"open on holidays"}]'
)
_PLACE = 250
_HOUR, _DAY = 3600, 86_400
# How long the service may take to notice.
_NOTICE_SECONDS = 20.0
# After this long every thread of the service has the new time.
_READ_AGAIN_SECONDS = 2.5
_FEEDBACK_AN_HOUR = 60


def missing_faketime() -> str | None:
    """Return why the clock cannot be set here; None if it can."""
    return None if _LIBRARIES else "no libfaketime: apt-get install faketime"


class _Clock:
    """The clock of processes with `environment`, in seconds relative to the real clock."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        # Noon of today in New York.
        now = datetime.now(_ZONE)
        self._noon = int((now.replace(hour=12, minute=0, second=0) - now).total_seconds())
        self.set(0)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(_LIBRARIES[-1]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def set(self, seconds: int) -> None:
        """Set the clock to some seconds after today's noon."""
        beside = self._file.with_suffix(".new")
        beside.write_text(f"{self._noon + seconds:+d}")
        beside.replace(self._file)
        time.sleep(_READ_AGAIN_SECONDS)


class _Checks:
    """Expectations after each setting of the clock, and unmet expectations."""

    def __init__(self, address: str, clock: _Clock) -> None:
        self.address, self.clock = address, clock
        self.requests = 0
        self.wrong: list[str] = []

    def ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        self.requests += 1
        # Long, for a busy machine: the load counts slow requests.
        return httpx.request(method, self.address + path, timeout=120, **arguments)

    def that(self, name: str, value: object, observe: Callable[[], object]) -> None:
        """Check that `observe` returns the value within a few seconds."""
        end, last = time.monotonic() + _NOTICE_SECONDS, None
        while time.monotonic() < end:
            last = observe()
            if last == value:
                return
            time.sleep(0.2)
        self.wrong.append(f"{name}: {last!r} instead of {value!r}")

    def state(self) -> tuple[str, str]:
        """Return the place's opening state in its record and in a list with cached answers."""
        own = self.ask("GET", f"/api/resources/{_PLACE}").json()["hours_status"]
        places = self.ask("GET", "/api/resources/search?zip=10002&limit=50").json()["resources"]
        return own, next(r["hours_status"] for r in places if r["id"] == _PLACE)

    def live(self, resource_id: int) -> str | None:
        state = self.ask("GET", f"/api/resources/{resource_id}").json()["live_status"]
        return state and str(state["status"])

    def report(self, token: str, status: str) -> int:
        body = {"claim_token": token, "status": status}
        return self.ask("POST", "/api/pantry/status", json=body).status_code

    def feedback(self) -> int:
        """Send a write with a limit of sixty an hour for one address; return its status."""
        body = {"resource_id": 300, "type": "helpful"}
        return self.ask(
            "POST", "/api/feedback", json=body, headers={"X-Forwarded-For": "203.0.113.9"}
        ).status_code

    def list_failing(self) -> list[str]:
        """Return addresses without parameters that answer with a server error."""
        paths = self.ask("GET", "/api/openapi/whole.json").json()["paths"]
        plain = [
            p for p, item in paths.items() if "{" not in p and not _has_required(item.get("get"))
        ]
        answers = {path: self.ask("GET", path) for path in plain}
        return [f"{p} {a.status_code}" for p, a in answers.items() if a.status_code >= 500]


def _has_required(operation: dict[str, Any] | None) -> bool:
    """Return whether the operation is missing or needs a parameter."""
    return operation is None or any(p.get("required") for p in operation.get("parameters", []))


@fault("clock set forwards and back, by hours and days", group="clocks", missing=missing_faketime)
def set_clock(ground: Ground) -> Outcome:
    data = ground.folder / "own"
    fresh = datetime.now(UTC).date() - timedelta(days=20)
    place = resource(
        _PLACE,
        name="Nine to Five",
        lat=NEW_YORK[0],
        lng=NEW_YORK[1],
        schedules_json=_NINE_TO_FIVE,
        hours_text="9-5",
        source_updated_date=fresh,
    )
    rows = sorted([*resources(), place], key=lambda row: row["resource_id"])
    write_town(data, resources=rows)
    ground.data = data
    reporter, ahead, lasting = make_tokens(ground.store_url, [401, 402, 403])
    clock = _Clock(ground.folder)
    settings = {"LARDER_LIMITS": "on", "LARDER_TRUSTED_PROXIES": "127.0.0.1", **clock.environment}
    with (
        ground.supervise(**settings) as service,
        ground.load(service.address, writes=False) as load,
    ):
        load.wait_for("GET", 200, 20)
        checks = _Checks(service.address, clock)
        _walk(checks, reporter, ahead, lasting)
        load.wait_for("GET", 200, 20)
        assert service.starts == 1
    text = (
        "at noon, 8 h on, back, 26 h on, back, 3 d on, back, 400 d on, back: opening states in "
        "records and cached lists, reports, limits and tokens followed the clock within seconds"
    )
    outcome = ground.outcome(load, text)
    text_with_faults = "; ".join([outcome.text, *(f"WRONG {w}" for w in checks.wrong)])
    return Outcome(
        text_with_faults,
        outcome.requests + checks.requests,
        outcome.requests_lost + len(checks.wrong),
        outcome.data_lost,
    )


def _walk(checks: _Checks, reporter: str, ahead: str, lasting: str) -> None:
    """Set the clock repeatedly and check the service."""
    clock = checks.clock
    failures = checks.list_failing()
    checks.that("open at noon", ("open", "open"), checks.state)
    checks.that("a report is accepted", 200, lambda: checks.report(reporter, "closed_today"))
    checks.that("and shown", "closed_today", lambda: checks.live(401))
    clock.set(8 * _HOUR)
    checks.that("closed in the evening", ("closed", "closed"), checks.state)
    checks.that("the report is still shown", "closed_today", lambda: checks.live(401))
    for _ in range(_FEEDBACK_AN_HOUR):
        checks.feedback()
    checks.that("the limit is reached", 429, checks.feedback)
    clock.set(0)
    checks.that("open at noon again", ("open", "open"), checks.state)
    checks.that("requests of the evening do not count", 202, checks.feedback)
    clock.set(26 * _HOUR)
    checks.that("the report has expired", None, lambda: checks.live(401))
    checks.that("open in the next afternoon", ("open", "open"), checks.state)
    clock.set(0)
    checks.that("the report is shown again", "closed_today", lambda: checks.live(401))
    clock.set(3 * _DAY)
    checks.that("a report in three days", 200, lambda: checks.report(ahead, "closed_today"))
    checks.that("is shown then", "closed_today", lambda: checks.live(402))
    clock.set(0)
    checks.that("not before", None, lambda: checks.live(402))
    checks.that("and the next one is accepted", 200, lambda: checks.report(ahead, "open_today"))
    checks.that("which is shown", "open_today", lambda: checks.live(402))
    clock.set(400 * _DAY)
    checks.that("nothing fails after the last period of figures", failures, checks.list_failing)
    checks.that("a token ends after a year", 404, lambda: checks.report(lasting, "open_today"))
    clock.set(0)
    checks.that("and is good today", 200, lambda: checks.report(lasting, "open_today"))
