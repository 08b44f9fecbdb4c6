"""Provide a fault with a folder, a small real release, a service, a load, a supervisor; describe
its outcome."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from faults.load import Load
from tests.support.operators import count_notes, make_tokens
from tests.support.processes import children_of, comes_true
from tests.support.server import CLIENT, ROOT, Services, answers, free_port, running_process

# Ids of places whose operators report.
_CLAIMS = range(300, 400)

_ADMIN_TOKEN = "ground"


class Outcome(msgspec.Struct, frozen=True):
    """Outcome; `failure`: could not be judged, `not_run`: could not be caused."""

    text: str
    requests: int = 0
    requests_lost: int = 0
    data_lost: int = 0
    failure: str = ""
    not_run: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether a loss occurred or the outcome is unknown."""
        return bool(self.failure or self.requests_lost or self.data_lost)


class Ground:
    """The surroundings of a fault. `folder` is private; `town` is a data folder to copy."""

    def __init__(self, folder: Path, town: Path) -> None:
        self.folder = folder
        self._town = town
        self.store_url = f"sqlite:///{folder}/operations.sqlite"
        self._ends = ExitStack()

    def close(self) -> None:
        """Exit every context that `enter` entered."""
        self._ends.close()

    def enter(self, manager: Any) -> Any:
        """Enter a context manager that ends with this ground; return its value."""
        return self._ends.enter_context(manager)

    @cached_property
    def data(self) -> Path:
        """Data folder with the town as served release, free for damage."""
        data = self.folder / "data"
        shutil.copytree(self._town, data)
        return data

    @cached_property
    def tokens(self) -> list[str]:
        """Tokens of a hundred confirmed claims in the store of `store_url`, which this creates."""
        return make_tokens(self.store_url, list(_CLAIMS))

    def environment(self, **variables: str) -> dict[str, str]:
        """Return settings of a service: its own store, no sibling, no limits per client."""
        return {
            "LARDER_OPERATIONS_URL": self.store_url,
            "LARDER_SIBLING_PORT": "0",
            "LARDER_LIMITS": "off",
            "LARDER_ADMIN_TOKEN": _ADMIN_TOKEN,
            **variables,
        }

    @contextmanager
    def service(self, **variables: str) -> Iterator[Services]:
        """Run a service in a separate process."""
        with running_process(self.data, **self.environment(**variables)) as services:
            yield services

    @contextmanager
    def supervise(self, **variables: str) -> Iterator[SupervisedService]:
        """Run the same service, restarted whenever it ends, as by systemd and Kubernetes."""
        service = SupervisedService(
            self.data, self.environment(**variables), self.folder / "service.log"
        )
        try:
            service.wait()
            yield service
        finally:
            service.close()

    def load(self, address: str | Sequence[str], *, writes: bool = True, **options: Any) -> Load:
        """Return a load on addresses, a context manager; with `writes`, of reports too."""
        addresses = [address] if isinstance(address, str) else list(address)
        return Load(addresses, self.tokens if writes else (), **options)

    def data_lost(self, load: Load) -> int:
        """Count acknowledged reports missing from the store, and reports stored twice."""
        notes = count_notes(self.store_url)
        return len(load.acknowledged - notes.keys()) + sum(
            1 for count in notes.values() if count > 1
        )

    def outcome(
        self,
        load: Load,
        text: str,
        outages: Iterable[tuple[float, float]] = (),
        data_lost: int = 0,
        unmet: Sequence[str] = (),
    ) -> Outcome:
        """Return the outcome of a load. Lost requests are reported with the first of them, in the
        fault's log in full.

        `unmet`: further expectations of the service that failed; each counts as a lost request.
        """
        losses = load.list_lost(outages)
        for each in losses[:50]:
            print("lost:", each, flush=True)
        if losses:
            text += (
                f"; first lost: {losses[0].method} {losses[0].path} {losses[0].status} "
                f"{losses[0].fault[:120]}"
            )
        if load.tokens:
            data_lost += self.data_lost(load)
        if unmet:
            text += f"; NOT MET: {'; '.join(unmet[:5])}"
        return Outcome(text, len(load.exchanges), len(losses) + len(unmet), data_lost)


def read_check(address: str, name: str) -> tuple[str, str]:
    """Return status and detail of a check of the service's deep health."""
    # Strangers are not told what is wrong with the installation.
    headers = {"Authorization": f"Bearer {_ADMIN_TOKEN}"}
    report = CLIENT.get(f"{address}/api/health/deep", timeout=40, headers=headers).json()
    (check,) = (c for c in report["checks"] if c["name"] == name)
    return check["status"], check["detail"]


def wait_for_check(
    address: str, name: str, status: str, word: str = "", seconds: float = 20
) -> tuple[str, str]:
    """Return a check of deep health once it has that status and word, or its last state."""
    end = time.monotonic() + seconds
    while True:
        check = read_check(address, name)
        if (check[0] == status and word in check[1]) or time.monotonic() > end:
            return check
        time.sleep(0.1)


def store_check(address: str) -> str:
    """Return status and detail of the store in deep health."""
    return ": ".join(read_check(address, "store"))


class SupervisedService:
    """A service on a fixed port that restarts a moment after it ends (`Restart=always`)."""

    _RESTART_SECONDS = 0.5
    _MAX_SECONDS = 180.0

    def __init__(self, data: Path, environment: dict[str, str], log: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.starts = 0
        self._environment = {
            **os.environ,
            "LARDER_DATA": str(data),
            **environment,
            "LARDER_PORT": str(self.port),
        }
        self._log = log
        self._is_closing = threading.Event()
        self._process = self._start()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def workers(self) -> list[int]:
        """Return the processes that answer: children of the service."""
        return children_of(self.pid)

    def count_starts(self) -> int:
        """Count the workers ready to answer, by the log."""
        return self._log.read_text().count("Started worker-")

    def kill(self) -> None:
        """Kill the service and all its workers with SIGKILL."""
        for pid in (self.pid, *self.workers()):
            # Workers end with the main process: they may have ended already.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until it answers."""
        if not comes_true(lambda: answers(self.address), self._MAX_SECONDS):
            raise RuntimeError(f"the service did not start:\n{self._log.read_text()[-2000:]}")

    def close(self) -> None:
        self._is_closing.set()
        self._process.terminate()
        self._watcher.join(40)

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "serving.run"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )

    def _watch(self) -> None:
        while True:
            self._process.wait()
            if self._is_closing.wait(self._RESTART_SECONDS):
                return
            self._process = self._start()
