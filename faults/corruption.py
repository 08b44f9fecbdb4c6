"""Damaged bytes: a release before its promotion, and the operations database."""

import shutil
from collections.abc import Callable
from pathlib import Path

from faults.ground import Ground, Outcome, store_check
from faults.table import fault
from tests.support.town import write_town
from warehouse.files import sha256_of
from warehouse.release.store import ReleaseError, ReleaseStore


def flip(path: Path) -> None:
    """Invert a byte in the middle; keep the size."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def cut(path: Path) -> None:
    """Cut off half of the file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def blank(path: Path) -> None:
    """Replace all bytes by zeros, as after a power cut on some file systems."""
    path.write_bytes(bytes(path.stat().st_size))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "flipped": flip,
    "cut": cut,
    "blank": blank,
    "gone": Path.unlink,
}

OLDER, NEWER = "20261101T060000Z-00000001", "20261102T060000Z-00000002"


@fault("release damaged before its promotion", group="corruption", quick=True)
def damage_before_promotion(ground: Ground) -> Outcome:
    write_town(ground.data, release_id=NEWER, promote=False)
    store, whole = ReleaseStore(ground.data), ground.folder / "whole"
    shutil.copytree(store.root / NEWER, whole)
    every = [str(p.relative_to(whole)) for p in sorted(whole.rglob("*")) if p.is_file()]
    unmet, count = [], 0
    for name in every:
        for kind, damage in DAMAGES.items():
            shutil.rmtree(store.root / NEWER)
            shutil.copytree(whole, store.root / NEWER)
            damage(store.root / NEWER / name)
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
