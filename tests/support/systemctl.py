"""Replaces `systemctl` where systemd cannot run: starts and stops services of unit files.

It reads User, Group, UMask, EnvironmentFile, Environment, ExecStart, Type and TimeoutStopSec.
`systemd-analyze verify` checks the sandbox (tests/unit/deployment). Standard library only.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS, RUN, LOGS = (Path(p) for p in ("/etc/systemd/system", "/run/units", "/var/log/units"))


def read(unit: str) -> dict[str, list[str]]:
    """Return the values of a unit by key, with `%i` and `%%` expanded."""
    name, _, instance = unit.partition("@")
    text = (UNITS / (f"{name}@.service" if instance else f"{unit}.service")).read_text()
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            sections.setdefault(key, []).append(value.replace("%i", instance).replace("%%", "%"))
    return sections


def environment(settings: dict[str, list[str]]) -> dict[str, str]:
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    variables.update(e.split("=", 1) for e in settings.get("Environment", []))
    for path in settings.get("EnvironmentFile", []):
        if path.startswith("-") and not Path(path[1:]).exists():
            continue
        for line in Path(path.lstrip("-")).read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                name, _, value = line.partition("=")
                variables[name] = "".join(shlex.split(value))
    return variables


def started(unit: str, line: str, settings: dict[str, list[str]]) -> subprocess.Popen[bytes]:
    """Start the process of one `ExecStart` as the user of the unit."""
    variables = environment(settings)
    expanded = re.sub(r"\$\{(\w+)\}", lambda m: variables.get(m[1], ""), line)
    user, group = settings["User"][0], settings["Group"][0]
    os.umask(int(settings.get("UMask", ["0022"])[0], 8))
    command = [
        "setpriv",
        f"--reuid={user}",
        f"--regid={group}",
        "--init-groups",
        *shlex.split(expanded),
    ]
    with (LOGS / unit).open("ab") as log:
        return subprocess.Popen(
            command,
            env=variables,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def start(unit: str) -> int:
    if unit == "nginx":
        return subprocess.run(["nginx"], check=False).returncode
    settings = read(unit)
    if settings.get("Type") == ["oneshot"]:
        for line in settings["ExecStart"]:
            status = started(unit, line, settings).wait()
            if status:
                sys.stderr.write((LOGS / unit).read_text())
                return status
        return 0
    (RUN / unit).write_text(str(started(unit, settings["ExecStart"][0], settings).pid))
    return 0


def is_alive(pid: int) -> bool:
    try:
        first = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        # Running threads hold the sockets of a process whose first thread has ended.
        return first != "Z" or len(os.listdir(f"/proc/{pid}/task")) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def stop(unit: str) -> int:
    pid = int((RUN / unit).read_text())
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + float(read(unit)["TimeoutStopSec"][0])
    while is_alive(pid):
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            print(f"{unit} had to be killed", file=sys.stderr)
            return 1
        time.sleep(0.05)
    return 0


def main(verb: str, *words: str) -> int:
    RUN.mkdir(exist_ok=True)
    LOGS.mkdir(exist_ok=True)
    units = [word.removesuffix(".service") for word in words if not word.startswith("--")]
    if verb == "daemon-reload":
        return 0
    if verb == "reload-or-restart":  # only for nginx
        is_up = bool(Path("/run/nginx.pid").exists() and Path("/run/nginx.pid").read_text().strip())
        return subprocess.run(
            ["nginx", "-s", "reload"] if is_up else ["nginx"], check=False
        ).returncode
    status = 0
    for unit in units:
        if unit.endswith(".timer"):
            status |= 0 if (UNITS / unit).exists() else 5
            continue
        if verb in ("stop", "restart"):
            status |= stop(unit)
        if verb in ("start", "restart", "enable"):
            status |= start(unit)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
