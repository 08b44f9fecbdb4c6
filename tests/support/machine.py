"""An isolated machine: an overlay over this one's files, with its own processes and network.

Commands run as root with documented paths, and this machine does not change. systemd cannot run
there; `tests.support.systemctl` replaces it and reads the unit files.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.server import ROOT

# The first process adopts orphans.
_FIRST = "mount --make-rprivate / && mount -t overlay overlay -o lowerdir=/,upperdir={0}/upper,workdir={0}/work {0}/root && mount -t proc proc {0}/root/proc && mount -t tmpfs tmpfs {0}/root/run && mount --rbind /dev {0}/root/dev && ip link set lo up && touch {0}/ready && exec chroot {0}/root bash -c 'while :; do sleep infinity; done'"
_SHIMS = {
    "systemctl": '#!/bin/sh\nexec /usr/bin/python3 /shims/systemctl.py "$@"\n',
    # `sudo -u USER COMMAND`, the only form in the documents.
    "sudo": '#!/bin/sh\nshift; name=$1; shift; exec setpriv --reuid="$name" --regid="$name" --init-groups "$@"\n',
}


def missing_machine() -> str | None:
    """Return why no machine can be created here; None if one can."""
    if os.geteuid() != 0:
        return "needs root, in a namespace of its own"
    absent = [p for p in ("unshare", "nsenter", "setpriv", "ip", "useradd") if not shutil.which(p)]
    if absent:
        return f"no {', '.join(absent)}"
    tried = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "true"], check=False, capture_output=True
    )
    return None if tried.returncode == 0 else "namespaces are not permitted here"


@dataclass(frozen=True)
class Machine:
    """`root` is its file system, as a path of this machine."""

    root: Path
    pid: int

    def command(self, *words: str) -> list[str]:
        """Return a command of this machine that runs `words` in the other."""
        return ["nsenter", "-t", str(self.pid), "-m", "-p", "-n", "chroot", str(self.root), *words]

    def popen(self, script: str, **settings: object) -> subprocess.Popen[str]:
        """Start a shell script as root."""
        environment = {
            "PATH": "/shims:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": "/root",
            "LC_ALL": "C.UTF-8",
        }
        return subprocess.Popen(
            self.command("bash", "-ec", script), env=environment, text=True, **settings
        )  # type: ignore[call-overload,no-any-return]

    def run(self, script: str, stdin: str = "", seconds: float = 600) -> str:
        """Return the output of a script. Raises AssertionError with the output on failure."""
        process = self.popen(
            script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        output, _ = process.communicate(stdin, timeout=seconds)
        assert process.returncode == 0, f"{script}\nended with {process.returncode}:\n{output}"
        return output


@contextmanager
def machine() -> Iterator[Machine]:
    """Yield a new machine; remove it with all its processes at the end."""
    folder = Path(tempfile.mkdtemp(prefix="larder-machine-"))
    for name in ("upper", "work", "root"):
        (folder / name).mkdir()
    script = _FIRST.format(folder)
    process = subprocess.Popen(
        ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "bash", "-ec", script]
    )
    try:
        pid = _first_process(process, folder / "ready")
        yield _prepared(Machine(folder / "root", pid))
    finally:
        process.kill()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _first_process(process: subprocess.Popen[bytes], ready: Path) -> int:
    for _ in range(200):
        if ready.exists():
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            return int(children.split()[0])
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError("no machine could be made")


def _prepared(machine: Machine) -> Machine:
    """Install the replacements, and make our interpreter readable for all users."""
    machine.run("mkdir -p /shims /run/postgresql /var/log/nginx ; chmod 711 /root")
    machine.run("cat > /shims/systemctl.py", (ROOT / "tests/support/systemctl.py").read_text())
    for name, text in _SHIMS.items():
        machine.run(f"cat > /shims/{name}; chmod 755 /shims/{name}", text)
    machine.run(f"chmod 755 $(dirname {sys.prefix})")
    return machine
