"""Parts of a step in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import SimpleNamespace

import pytest

from assets.parallel import for_each
from tests.support.processes import comes_true, is_alive

_STATES = ("CA", "NY", "TX", "VT", "WY")
# A parent whose children note their numbers and then have long work to do.
_PARENT = """
import sys
from pathlib import Path
from assets.parallel import for_each
from tests.unit.assets.test_parallel import note_and_wait
if __name__ == "__main__":
    for_each(note_and_wait, [(Path(sys.argv[1]), n) for n in range(2)], rows=2, least_rows=0)
"""


def note_process(folder: Path, state: str) -> None:
    (folder / state).write_text(str(os.getpid()))


def fail_for_texas(folder: Path, state: str) -> None:
    if state == "TX":
        raise ValueError("TX: two records have one key")
    note_process(folder, state)


def end_at_once(folder: Path) -> None:
    os._exit(9)


def note_and_wait(folder: Path, number: int) -> None:
    (folder / str(number)).write_text(str(os.getpid()))
    time.sleep(120)


needs_two_cores = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="one core: everything runs in one process"
)


def _processes(folder: Path) -> set[int]:
    assert sorted(p.name for p in folder.iterdir()) == sorted(_STATES)
    return {int(p.read_text()) for p in folder.iterdir()}


def test_little_work_stays_in_this_process(tmp_path: Path) -> None:
    for_each(note_process, [(tmp_path, state) for state in _STATES], rows=10)
    assert _processes(tmp_path) == {os.getpid()}


def test_a_worker_that_may_have_no_children_works_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.parallel.current_process", lambda: SimpleNamespace(daemon=True))
    for_each(note_process, [(tmp_path, state) for state in _STATES], rows=10, least_rows=0)
    assert _processes(tmp_path) == {os.getpid()}


@pytest.mark.parametrize("processes", [1, 3], ids=["one", "three"])
def test_the_setting_is_how_many_processes_work(processes: int, tmp_path: Path) -> None:
    tasks = [(tmp_path, state) for state in _STATES]
    for_each(note_process, tasks, rows=10, processes=processes, least_rows=0)
    assert (os.getpid() in _processes(tmp_path)) == (processes == 1)
    assert len(_processes(tmp_path)) <= processes


@needs_two_cores
def test_much_work_is_done_elsewhere_and_all_of_it(tmp_path: Path) -> None:
    for_each(note_process, [(tmp_path, state) for state in _STATES], rows=10, least_rows=10)
    assert os.getpid() not in _processes(tmp_path)


@pytest.mark.parametrize("least_rows", [0, 100], ids=["elsewhere", "here"])
def test_an_error_is_raised_as_it_was(tmp_path: Path, least_rows: int) -> None:
    tasks = [(tmp_path, state) for state in _STATES]
    with pytest.raises(ValueError, match="TX: two records have one key"):
        for_each(fail_for_texas, tasks, rows=10, least_rows=least_rows)


@needs_two_cores
def test_a_killed_process_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenProcessPool):
        for_each(end_at_once, [(tmp_path,)] * 3, rows=10, least_rows=0)


@needs_two_cores
def test_processes_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    notes = tmp_path / "notes"
    notes.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, str(script), str(notes)], env=environment) as parent:
        assert comes_true(lambda: len([p for p in notes.iterdir() if p.read_text()]) == 2)
        parent.send_signal(signal.SIGKILL)
    children = [int(path.read_text()) for path in notes.iterdir()]
    assert comes_true(lambda: not any(map(is_alive, children)))
