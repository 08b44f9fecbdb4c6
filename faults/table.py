"""Define, run and report faults, each isolated from the next.

    @fault("full disk under the operations store", group="disks", mounts=True)
    def full_store(ground: Ground) -> Outcome: ...

Every fault runs in a separate process group and folder, and with mounts, in a separate mount
namespace: these end with it. A fault whose own code fails or takes too long counts as lost.

Counts:

- **asked**: every request that the load and the fault's own code sent during the fault.
- **requests lost**: reads without the correct answer, and writes with neither an acknowledgement
  nor a refusal with a retry time (503 or 429 with `Retry-After`), although a second worker, another
  replica, the last good release or the same process could have answered. After the only process was
  killed, no process could: requests between its end and the first answer of its successor are
  reported in "seen" and not counted. A client repeats a request once, a quarter of a second after
  its connection (or its proxy's: 502) broke; only the second failure counts.
- **data lost**: acknowledged writes missing from the store or stored twice; releases, files or
  databases that were changed by a fault and still served or overwritten.
"""

import contextlib
import importlib
import os
import pkgutil
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

import faults
from faults.ground import Ground, Outcome
from tests.support.server import ROOT

_NO_FAULTS = {"__main__", "table", "ground", "load", "one"}
_LAST_LINES = 12
HEADER = (
    "| fault | what was seen | requests asked | requests lost | data lost |\n| --- | --- | ---: | "
    "---: | ---: |"
)


@dataclass(frozen=True)
class Fault:
    """A registered fault. `missing` is the reason why it cannot run here, or None."""

    name: str
    group: str
    cause: Callable[[Ground], Outcome]
    is_quick: bool
    mounts: bool
    missing: Callable[[], str | None]
    max_seconds: float


FAULTS: dict[str, Fault] = {}
Cause = Callable[[Ground], Outcome]


def fault(
    name: str,
    *,
    group: str,
    quick: bool = False,
    mounts: bool = False,
    missing: Callable[[], str | None] = lambda: None,
    max_seconds: float = 900,
) -> Callable[[Cause], Cause]:
    """Register a function as a fault; `make test` also runs `quick` faults."""

    def register(cause: Cause) -> Cause:
        if name in FAULTS:
            raise ValueError(f"two faults are called {name!r}")
        FAULTS[name] = Fault(name, group, cause, quick, mounts, missing, max_seconds)
        return cause

    return register


def all_faults() -> list[Fault]:
    """Return every fault in the modules of this package."""
    for module in pkgutil.iter_modules(faults.__path__):
        if module.name not in _NO_FAULTS:
            importlib.import_module(f"faults.{module.name}")
    return list(FAULTS.values())


def choose(only: str) -> list[Fault]:
    """Return faults whose name or group has a word of a comma list; all if it is empty."""
    words = [word.strip().lower() for word in only.split(",") if word.strip()]
    faults = all_faults()
    if not words:
        return faults
    return [f for f in faults if any(w in f.name.lower() or w in f.group.lower() for w in words)]


def run_fault(case: Fault, folder: Path, town: Path) -> Outcome:
    """Cause a fault in a separate process and a new folder. Never raises for the fault itself."""
    missing = case.missing() or (_missing_mounts() if case.mounts else None)
    if missing:
        return Outcome("", not_run=missing)
    folder.mkdir(parents=True)
    outcome, log = folder / "outcome.json", folder / "fault.log"
    module = case.cause.__module__
    command = [sys.executable, "-m", "faults.one", module, case.name, str(folder), str(town)]
    if case.mounts:
        command = [*_namespace(), *command]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        has_ended = _ends_in_time(process, case.max_seconds)
    if not has_ended:
        return Outcome("", failure=f"not done after {case.max_seconds:.0f} s: {_last_lines(log)}")
    if not outcome.exists():
        return Outcome("", failure=f"ended with {process.returncode}: {_last_lines(log)}")
    return msgspec.json.decode(outcome.read_bytes(), type=Outcome)


def _ends_in_time(process: subprocess.Popen[bytes], max_seconds: float) -> bool:
    """Wait for a process, then kill its group."""
    try:
        process.wait(max_seconds)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _last_lines(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return " / ".join(line.strip() for line in lines[-_LAST_LINES:])[-600:]


def _namespace() -> list[str]:
    """Return a prefix that makes mounts of a command private; they end with it."""
    own_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *own_user, "--mount", "--propagation", "private", "--"]


def _missing_mounts() -> str | None:
    if shutil.which("unshare") is None:
        return "no unshare (util-linux)"
    process = subprocess.run(
        [*_namespace(), "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    )
    return None if process.returncode == 0 else "nothing may be mounted here"


def row(case: Fault, outcome: Outcome) -> str:
    """Return a line of the table."""
    if outcome.not_run:
        cells = [case.name, f"not run: {outcome.not_run}", "", "", ""]
    elif outcome.failure:
        cells = [case.name, f"**not judged**: {outcome.failure}", "", "?", "?"]
    else:
        counts = (outcome.requests, outcome.requests_lost, outcome.data_lost)
        cells = [case.name, outcome.text, *(f"{count:,}" for count in counts)]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def outcomes(faults: list[Fault], folder: Path, town: Path) -> Iterator[tuple[Fault, Outcome]]:
    """Cause faults in sequence; no fault stops the others."""
    for number, each in enumerate(faults):
        yield each, run_fault(each, folder / f"{number:02d}", town)
