"""Full or read-only disks: real file systems in memory, mounted for one fault."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from faults.ground import Ground, Outcome, store_check
from faults.table import fault
from tests.support.dated_builds import rename_a_bank
from tests.support.operators import count_notes
from tests.support.processes import comes_true
from tests.support.server import ROOT
from tests.support.town import write_town
from warehouse.release.store import ReleaseStore

_ROWS = "600"


def _disk(folder: Path, megabytes: int) -> Path:
    """Mount a separate disk of a size."""
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "none", folder], check=True
    )
    return folder


def _mount_read_only(folder: Path) -> None:
    subprocess.run(["mount", "-o", "bind", folder, folder], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)


def _fill(folder: Path, but_bytes: int = 0) -> Path:
    """Write a file that takes all free space except some bytes."""
    ballast = folder / "ballast"
    free_bytes = shutil.disk_usage(folder).free - but_bytes
    with ballast.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, free_bytes)
    return ballast


@fault("disk of the operations store full", group="disks", quick=True, mounts=True)
def fill_store_disk(ground: Ground) -> Outcome:
    """No acknowledged write is lost, and no refused write is stored."""
    disk = _disk(ground.folder / "disk", 8)
    ground.store_url = f"sqlite:///{disk}/operations.sqlite"
    with ground.supervise() as service, ground.load(service.address) as load:
        load.wait_for("POST", 200, 20)
        ballast = _fill(disk)
        load.wait_for("POST", 503, 20)
        began = time.monotonic()
        health = store_check(service.address)
        load.wait_for("GET", 200, 100, since=began)
        ballast.unlink()
        load.wait_for("POST", 200, 20)
    unmet = [] if health.startswith("broken") else ["deep health"]
    if stored_refusals := load.refused & count_notes(ground.store_url).keys():
        unmet.append(f"{len(stored_refusals)} refused reports are stored")
    text = (
        f"{load.statuses('POST')[503]} writes refused with 503 and `Retry-After`, reads went on, "
        f"deep health `{health}`; writes again as soon as there was room"
    )
    return ground.outcome(load, text, unmet=unmet)


@fault("disk of the log full", group="disks", quick=True, mounts=True)
def fill_log_disk(ground: Ground) -> Outcome:
    """The service starts, answers and opens the next release without writing its log."""
    disk = _disk(ground.folder / "disk", 1)
    log = disk / "service.log"
    log.touch()
    (ground.folder / log.name).symlink_to(log.resolve())
    _fill(disk)
    newer = "20261102T060000Z-00000002"
    with (
        ground.supervise(LARDER_POLL_SECONDS="0.1") as service,
        ground.load(service.address) as load,
    ):
        load.wait_for("POST", 200, 20)
        write_town(ground.data, release_id=newer)
        is_open = comes_true(lambda: any(a.release == newer for a in load.exchanges), 60)
    unmet = [] if is_open else ["the next release was not opened"]
    if service.starts > 1:
        unmet.append(f"the service was started {service.starts} times")
    return ground.outcome(load, "started, answered, and opened the next release", unmet=unmet)


def _build(data: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pipelines",
        "build",
        "--profile",
        "demo",
        "--rows",
        _ROWS,
        "--data",
        str(data),
    ]
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
    )


@fault("disk full in the middle of a build", group="disks", mounts=True, max_seconds=1500)
def fill_build_disk(ground: Ground) -> Outcome:
    """The build fails with the reason, no partial release is served, and the next build works."""
    data = _disk(ground.folder / "disk", 1500)
    first = _build(data)
    assert first.returncode == 0, first.stderr[-1000:]
    store = ReleaseStore(data)
    current = store.current()
    assert current is not None
    rename_a_bank(data)
    ground.data = data
    unmet = []
    with (
        ground.supervise() as service,
        ground.load(service.address, writes=False, readers=1, reads=("/api/stats",)) as load,
    ):
        ballast = _fill(data, but_bytes=6_000_000)
        process = _build(data)
        output = process.stdout + process.stderr
        line = next((line.strip() for line in output.splitlines() if "No space left" in line), "")
        if process.returncode == 0 or not line:
            unmet.append(f"the build ended with {process.returncode} and said {output[-200:]!r}")
        if store.current() != current or store.verify(current).release_id != current:
            unmet.append("the served release changed")
        load.wait_for("GET", 200, 20)
        ballast.unlink()
        again = _build(data)
        newer = store.current()
        if again.returncode != 0 or newer in {None, current} or store.verify(str(newer)) is None:
            unmet.append(f"the next build ended with {again.returncode}: {again.stderr[-200:]!r}")
    text = (
        f"the build ended with {process.returncode} and named `{line[:160]}`; the served release "
        "stayed whole and was served; the next build, with room, was promoted"
    )
    return ground.outcome(load, text, unmet=unmet)


@fault("disk read-only: releases and operations store", group="disks", mounts=True)
def mount_all_read_only(ground: Ground) -> Outcome:
    """The service starts on a read-only disk and finds food."""
    disk = ground.folder / "disk"
    disk.mkdir()
    shutil.copytree(ground.data, disk / "data")
    ground.store_url = f"sqlite:///{disk}/operations.sqlite"
    assert ground.tokens
    _mount_read_only(disk)
    ground.data = disk / "data"
    with ground.supervise() as service, ground.load(service.address) as load:
        load.wait_for("GET", 200, 100)
        load.wait_for("POST", 503, 5)
        health = store_check(service.address)
    text = (
        f"started and answered {load.statuses('GET')[200]:,} reads; {load.statuses('POST')[503]} "
        f"writes refused with 503 and `Retry-After`; deep health `{health}`"
    )
    subprocess.run(["mount", "-o", "remount,bind,rw", disk], check=True)
    return ground.outcome(load, text, unmet=[] if health.startswith("broken") else ["deep health"])


@fault("disk read-only: releases alone", group="disks", mounts=True)
def mount_releases_read_only(ground: Ground) -> Outcome:
    _mount_read_only(ground.data)
    with ground.supervise() as service, ground.load(service.address) as load:
        load.wait_for("GET", 200, 100)
        load.wait_for("POST", 200, 20)
    return ground.outcome(load, "reads and writes as ever")
