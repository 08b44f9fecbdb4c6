"""Killed builds, and builds with damaged input."""

import shutil
import signal

from faults.damage import flip
from faults.ground import Ground
from faults.outcome import Outcome
from faults.table import fault
from tests.support.dated_builds import FIRST, SECOND, build_on, digests, rename_a_bank
from tests.support.killed_builds import INSTANTS, kill_builds
from warehouse.release.store import ReleaseStore


@fault("build (Dagster) killed at eleven stages", group="processes", max_seconds=3000)
def kill_build_at_stages(ground: Ground) -> Outcome:
    """The served release stays; the next build equals an undisturbed one."""
    data, clean = ground.folder / "killed", ground.folder / "clean"
    build_on(data, FIRST, 1)
    rename_a_bank(data)
    shutil.copytree(data, clean)
    build_on(clean, SECOND, 2)
    ground.data = data
    store, survivors = ReleaseStore(data), []
    with (
        ground.supervise() as service,
        ground.load(service.address, writes=False, readers=1, reads=("/api/stats",)) as load,
    ):
        for name, status in kill_builds(data):
            if status != -signal.SIGKILL:
                survivors.append(name)
            assert store.verify(FIRST).release_id == store.current() == FIRST
            load.wait_for("GET", 200)
        build_on(data, SECOND, 2)
        assert store.verify(SECOND).release_id == store.current() == SECOND
    if survivors:
        raise AssertionError(f"was not killed {', '.join(survivors)}")
    differences = digests(data, SECOND).items() ^ digests(clean, SECOND).items()
    leftovers = [*data.rglob(".*.tmp"), *(data / "releases").glob(".building-*")]
    text = (
        f"killed {len(INSTANTS)} times, each later than before, on one data folder; the served "
        "release stayed whole and was served; the next build published the bytes of an "
        f"undisturbed one ({len(differences)} files differ, {len(leftovers)} left over)"
    )
    return ground.outcome(
        load, text, data_lost=len({name for name, _ in differences}) + len(leftovers)
    )


@fault("raw file damaged before a build", group="corruption", max_seconds=1500)
def damage_raw_file(ground: Ground) -> Outcome:
    """The build takes the publisher's file again, or fails and names it."""
    data = ground.folder / "built"
    build_on(data, FIRST, 1)
    clean = ground.folder / "clean"
    shutil.copytree(data, clean)
    raw_file = next(
        p for p in sorted((data / "raw" / "diaper_banks").glob("*/*")) if not p.name.startswith(".")
    )
    flip(raw_file)
    unmet, detail = [], ""
    rename_a_bank(clean)
    rename_a_bank(data)
    try:
        build_on(data, SECOND, 2)
    except AssertionError as error:
        detail = str(error)
    store = ReleaseStore(data)
    if store.current() == SECOND:
        build_on(clean, SECOND, 2)
        if [t.digest for t in store.manifest(SECOND).tables] != [
            t.digest for t in ReleaseStore(clean).manifest(SECOND).tables
        ]:
            unmet.append("the release is not that of the publisher's file")
        text = "the publisher's file was taken again; the release is that of undamaged files"
    else:
        if raw_file.name not in detail:
            unmet.append(f"the file is not named: {detail[:200]}")
        text = f"the build failed and named the file: {detail[:160]}; the last good release stays"
    if store.verify(str(store.current())) is None:
        unmet.append("the served release is damaged")
    return Outcome("; ".join([text, *unmet]), data_lost=len(unmet))
