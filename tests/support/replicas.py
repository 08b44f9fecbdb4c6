"""Runs replicas of the service on one PostgreSQL behind nginx, all on free ports of the loopback."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.processes import children_of, comes_true
from tests.support.server import ROOT, answers, free_port, wait_for


def missing_nginx() -> str | None:
    """Return why there is no proxy; None if there is one."""
    return None if shutil.which("nginx") else "no nginx: apt-get install nginx"


class Replica:
    """A process of the service that can stop and restart on the same port."""

    def __init__(self, data: Path, folder: Path, store: str) -> None:
        self.port = free_port()
        self._log = folder / f"replica-{self.port}.log"
        self._environment = {
            **os.environ,
            "LARDER_DATA": str(data),
            "LARDER_PORT": str(self.port),
            "LARDER_SIBLING_PORT": "0",
            "LARDER_OPERATIONS_URL": store,
            "LARDER_TRUSTED_PROXIES": "127.0.0.1",
            "LARDER_OPERATIONS_UPGRADE": "off",
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process and wait until it answers."""
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "serving.run"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        wait_for(self.address, self._process, self._log)

    def stop(self) -> int | None:
        """Stop with SIGTERM, as systemd, compose and Kubernetes do; return the exit status."""
        if self._process is None or self._process.poll() is not None:
            return None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(40)

    def kill(self) -> None:
        """Kill all its processes with SIGKILL."""
        assert self._process is not None
        for pid in (self._process.pid, *children_of(self._process.pid)):
            # Workers end with the main process, perhaps already.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def running_nginx(replicas: list[Replica], folder: Path) -> Iterator[str]:
    """Run nginx with deploy/nginx/compose.conf for the replicas on a free port; yield its address."""
    port = free_port()
    site = (
        (ROOT / "deploy" / "nginx" / "compose.conf")
        .read_text()
        .replace("listen 8080;", f"listen 127.0.0.1:{port};")
    )
    for number, replica in enumerate(replicas, start=1):
        site = site.replace(f"server replica-{number}:8000 ", f"server 127.0.0.1:{replica.port} ")
    (folder / "site.conf").write_text(site)
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"pid {folder}/nginx.pid; error_log {folder}/error.log warn; worker_processes 1; daemon off;\n{'user root;' if os.geteuid() == 0 else ''}\nevents {{ worker_connections 512; }}\nhttp {{ {temporary}\ninclude {folder}/site.conf; }}\n"
    )
    process = subprocess.Popen(["nginx", "-e", str(folder / "error.log"), "-c", str(config)])
    address = f"http://127.0.0.1:{port}"
    try:
        assert comes_true(lambda: answers(address))
        yield address
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait(20)
