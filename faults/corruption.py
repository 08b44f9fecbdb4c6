"""Damaged bytes: releases, records, tables, raw files and the operations database."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from faults.damage import DAMAGES, blank, cut, flip
from faults.ground import Ground, SupervisedService, store_check, wait_for_check
from faults.load import Load
from faults.outcome import Outcome
from faults.table import fault
from tests.support.processes import comes_true
from tests.support.server import CLIENT
from tests.support.town import write_town
from warehouse.files import sha256_of, write_text
from warehouse.release.manifest import read_manifest, write_manifest
from warehouse.release.store import ReleaseError, ReleaseStore

OLDER, NEWER = "20261101T060000Z-00000001", "20261102T060000Z-00000002"
# Files of a release that the service opens, and its manifest.
_OPEN_FILES = (
    "serving/records.arrow",
    "serving/directory.duckdb",
    "manifest.json",
)


def _write_newer(ground: Ground) -> ReleaseStore:
    """Write a second release without promotion; return the store."""
    write_town(ground.data, release_id=NEWER, promote=False)
    return ReleaseStore(ground.data)


def _copy_with_damage(
    store: ReleaseStore,
    whole: Path,
    name: str,
    damage: Callable[[Path], None],
    release_id: str = NEWER,
) -> None:
    """Copy the newer release, perhaps under another id, with one damaged file."""
    folder = store.root / release_id
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    if release_id != NEWER:
        write_manifest(
            folder, msgspec.structs.replace(read_manifest(folder), release_id=release_id)
        )
    damage(folder / name)


@fault("release damaged before its promotion", group="corruption", quick=True)
def damage_before_promotion(ground: Ground) -> Outcome:
    store = _write_newer(ground)
    whole = ground.folder / "whole"
    shutil.copytree(store.root / NEWER, whole)
    every = [str(p.relative_to(whole)) for p in sorted(whole.rglob("*")) if p.is_file()]
    unmet, count = [], 0
    for name in every:
        for kind, damage in DAMAGES.items():
            _copy_with_damage(store, whole, name, damage)
            count += 1
            try:
                store.promote(NEWER)
                unmet.append(f"{name} {kind} was promoted")
            except ReleaseError as error:
                if Path(name).name not in str(error) and name != "manifest.json":
                    unmet.append(f"{name} {kind}: {error}")
            except Exception as error:
                if name != "manifest.json":
                    unmet.append(f"{name} {kind}: {error!r}")
    if store.current() != OLDER:
        unmet.append("another release is served")
    text = (
        f"{count} damages (each of {len(every)} files flipped, cut, blanked, gone): none "
        "promoted, each named; the last good release stays current"
    )
    return Outcome("; ".join([text, *unmet[:5]]), data_lost=len(unmet))


@fault("release damaged after its promotion, under load", group="corruption", max_seconds=900)
def damage_after_promotion(ground: Ground) -> Outcome:
    """Promote a damaged release by hand: the previous one stays, and health gives the reason."""
    store = _write_newer(ground)
    whole = ground.folder / "whole"
    shutil.copytree(store.root / NEWER, whole)
    unmet, count = [], 0
    with (
        ground.supervise(LARDER_POLL_SECONDS="0.05") as service,
        ground.load(service.address) as load,
    ):
        load.wait_for("POST", 200, 5)
        for name in _OPEN_FILES:
            for kind, damage in DAMAGES.items():
                # Each has a separate id: a refused release is retried after 30 seconds.
                release_id = f"20261102T06{count // 60:02d}{count % 60:02d}Z-{count + 16:08x}"
                _copy_with_damage(store, whole, name, damage, release_id)
                write_text(store.pointer, release_id + "\n")
                count += 1
                unmet += _refusal(service, release_id, name, kind)
        if service.starts != 1:
            unmet.append(f"the service was started {service.starts} times")
    newer = sum(1 for request in load.exchanges if request.release not in {OLDER, None})
    text = (
        f"{count} damages of the {len(_OPEN_FILES)} files that the service opens: none was served "
        f"({newer} answers from it), the one before was; deep health broken, naming the file"
    )
    return ground.outcome(load, text, unmet=unmet)


def _refusal(service: SupervisedService, release_id: str, name: str, kind: str) -> list[str]:
    """Return the faults in the refusal of a damaged release."""
    status, detail = wait_for_check(service.address, "pointer", "broken", release_id)
    if status != "broken" or release_id not in detail:
        return [f"{name} {kind} was not refused: {status} {detail}"]
    if Path(name).name in detail or name == "manifest.json":
        return []
    return [f"{name} {kind} was not named: {detail}"]


@fault("started on a damaged release", group="corruption")
def start_on_damage(ground: Ground) -> Outcome:
    """Sizes and contents are checked before serving: the previous release is served."""
    store = _write_newer(ground)
    store.promote(NEWER)
    whole = ground.folder / "whole"
    shutil.copytree(store.root / NEWER, whole)
    unmet: list[str] = []
    loads: list[tuple[Load, float]] = []
    cases = {
        "cut records": ("serving/records.arrow", cut),
        "flipped records": ("serving/records.arrow", flip),
        "blank database": ("serving/directory.duckdb", blank),
    }
    for case, (name, damage) in cases.items():
        _copy_with_damage(store, whole, name, damage)
        with (
            ground.supervise() as service,
            ground.load(service.address, name=f"{case[0]}-", writes=False) as load,
        ):
            unmet += [f"{case}: {fault}" for fault in _refusal(service, NEWER, name, case)]
            _wait_until_served(service.address, OLDER)
            since = time.monotonic()
            load.wait_for("GET", 200, 50)
            unmet += [
                f"{case}: {a.release} served"
                for a in load.exchanges
                if a.began > since and a.release == NEWER
            ][:1]
        loads.append((load, since))
    text = (
        f"{', '.join(cases)}: the release before was served within seconds, deep health broken "
        "and naming the file"
    )
    outcomes = [ground.outcome(load, text, [(0, since)], unmet=unmet) for load, since in loads]
    return Outcome(
        outcomes[0].text,
        sum(o.requests for o in outcomes),
        sum(o.requests_lost for o in outcomes) - 2 * len(unmet),
    )


def _wait_until_served(address: str, release_id: str) -> None:
    def is_served() -> bool:
        answer = CLIENT.get(f"{address}/api/stats")
        return answer.headers.get("x-release") == release_id

    if not comes_true(is_served, seconds=30):
        raise TimeoutError(f"{release_id} is not served")


@fault("operations database damaged", group="corruption", max_seconds=600)
def damage_operations_database(ground: Ground) -> Outcome:
    """The service finds food, reports the broken store, and leaves the file for a repair."""
    path = Path(ground.store_url.removeprefix("sqlite:///"))
    assert ground.tokens
    whole = path.read_bytes()
    unmet: list[str] = []
    outcomes = []

    def write_garbage(file: Path) -> None:
        file.write_bytes(b"this is no database\n" * 5000)

    def overwrite_pages(file: Path) -> None:
        """Keep the header and overwrite the pages."""
        file.write_bytes(whole[:100] + b"\xa5" * (len(whole) - 100))

    for kind, damage in {
        "garbage": write_garbage,
        "cut": cut,
        "pages overwritten": overwrite_pages,
    }.items():
        for companion in path.parent.glob(f"{path.name}-*"):
            companion.unlink()
        path.write_bytes(whole)
        damage(path)
        before = sha256_of(path)
        with ground.supervise() as service, ground.load(service.address, name=kind) as load:
            load.wait_for("GET", 200, 50)
            load.wait_for("POST", 503, 5)
            health = store_check(service.address)
        if not health.startswith("broken"):
            unmet.append(f"{kind}: deep health said {health}")
        if sha256_of(path) != before:
            unmet.append(f"{kind}: the damaged file was changed")
        path.write_bytes(whole)
        outcomes.append(ground.outcome(load, f"{kind}: {health[:70]}"))
    text = (
        f"{'; '.join(o.text for o in outcomes)}. Reads went on, writes 503 with `Retry-After`, "
        "the file was left as it was"
    )
    return Outcome(
        "; ".join([text, *unmet]),
        sum(o.requests for o in outcomes),
        sum(o.requests_lost for o in outcomes) + len(unmet),
        sum(o.data_lost for o in outcomes),
    )
