"""Test the commands of docs/runbook.md on a new machine.

`_INSTEAD` replaces some lines: packages are installed already, the code is copied from here, and the
environment is this one's. Builds have few rows (`LARDER_DEMO_ROWS`).
"""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec
import pytest

from tests.support.machine import Machine, machine, missing_machine
from tests.support.replicas import missing_nginx
from tests.support.server import ROOT
from tests.support.stores import missing_postgresql

pytestmark = pytest.mark.slow
_ABSENT = missing_machine() or missing_nginx() or missing_postgresql()
_INSTEAD = {
    r"^(LARDER_PROFILE=demo)$": r"\1\nLARDER_DEMO_ROWS=300",
    r"^apt-get install -y (.*)$": r"command -v git make curl openssl nginx psql sudo > /dev/null",
    r"^git clone \S+ (/opt/\S+)$": rf"mkdir \1 && git -C {ROOT} ls-files -z --cached --others --exclude-standard | (cd {ROOT} && xargs -0 ls -d 2> /dev/null || true) | tar -C {ROOT} -cT - | tar -xC \1",
    r"^make -C (/opt/\S+) install DEPLOY=1 PYTHON=\S+$": (
        r"mkdir -p \1/.venv/bin && for part in larder:pipelines larder-serve:serving.run moto_server:moto.server; do"
        r' printf "#!/bin/sh\\nPYTHONPATH=\1 exec '
        + sys.executable
        + r' -m %s \\"\\$@\\"\\n" "${part#*:}" > \1/.venv/bin/"${part%%:*}";'
        r" done; chmod 755 \1/.venv/bin/*; ln -s " + sys.executable + r" \1/.venv/bin/python"
    ),
}
_POSTGRESQL = """
programs="$(ls -d /usr/lib/postgresql/*/bin | tail -1)"
install -d -o postgres -g postgres /var/lib/store /run/postgresql
sudo -u postgres "$programs/initdb" -D /var/lib/store -A peer -E UTF8 --no-sync > /dev/null
sudo -u postgres "$programs/pg_ctl" -D /var/lib/store -w -l /var/lib/store/log -o "-k /run/postgresql -h ''" start > /dev/null
"""
_CLAIMS = f"""
cd /var/lib/larder
sudo -u larder env PYTHONPATH={ROOT} {sys.executable} -c 'from tests.support.operators import make_tokens; make_tokens("postgresql://larder@/larder?host=/var/run/postgresql", list(range(FIRST, FIRST + 5)))'
"""
_READS = (
    "/api/resources/search?zip=10002",
    "/api/resources/nearby?lat=40.71&lng=-73.99",
    "/",
    "/api/stats",
)


def blocks(page: str) -> list[tuple[str, str]]:
    """Return (heading, commands) of every block ```sh of a page, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.finditer(
        r"^#+ (?P<heading>[^\n]*)$|^(?P<indent> *)```sh\n(?P<text>.*?)^ *```$", text, re.M | re.S
    )
    heading, result = "", []
    for match in found:
        if match["heading"] is not None:
            heading = match["heading"]
        else:
            result.append((heading, textwrap.dedent(match["text"])))
    return result


@dataclass
class Walk:
    """A machine and the blocks of the page that ran on it."""

    on: Machine
    walked: list[tuple[str, str]] = field(default_factory=list)

    def walk(self, heading: str, page: str = "runbook.md", *, which: slice = slice(None)) -> str:
        """Run the blocks below a heading, by default all; return their output."""
        mine = [block for block in blocks(page) if block[0] == heading][which]
        assert mine, f"{page} has no commands below {heading!r}"
        output = [self.on.run(self._as_here(text)) for _, text in mine]
        self.walked += [block for block in mine if block not in self.walked]
        return "".join(output)

    def _as_here(self, text: str) -> str:
        for line, instead in _INSTEAD.items():
            text = re.sub(line, instead, text, flags=re.M)
        return text

    def change(self, name: str) -> None:
        """Rename a place in the demo's files, so that the next build has a change."""
        changed = rf"""2s/^\([^,]*\),"[^"]*"/\1,"{name}"/"""
        self.on.run(f"sed -i '{changed}' /var/lib/larder/demo/*/diaper_banks/*")

    def served(self) -> str:
        return self.on.run("cat /var/lib/larder/releases/current").strip()

    @contextmanager
    def load(self) -> Iterator[dict]:
        """Send fifteen requests a second through nginx during the block; then fill in the report."""
        seen: dict = {}
        command = f"cd {ROOT} && exec {sys.executable} -W ignore -m tests.support.steady https://127.0.0.1 15 {' '.join(map(repr, _READS))}"
        process = self.on.popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            yield seen
        finally:
            output, _ = process.communicate("", timeout=90)
            seen.update(msgspec.json.decode(output or "{}"))


@pytest.mark.skipif(_ABSENT is not None, reason=str(_ABSENT))
def test_a_newcomer_comes_to_two_replicas_and_back_from_everything():
    with machine() as on:
        on.run(_POSTGRESQL)
        walk = Walk(on)
        install(walk)
        publish(walk)
        operate(walk)
        lose_the_store(walk)
        said = on.run("cat /var/log/units/larder@*")
        assert "Exception in callback" not in said, "each signal to stop was handled"
        pages = [*blocks("runbook.md"), *blocks("scaling.md")]
        assert sorted(walk.walked) == sorted(pages), "every block was walked"


def install(walk: Walk) -> None:
    """Install everything up to answers through the proxy."""
    output = walk.walk("Install")
    assert "added maria" in output
    assert output.count('{"status":"ok","release_id"') == 2, output
    forms = f"cd {ROOT} && {sys.executable} -W ignore -m tests.support.every_form"
    assert "every form was stored" in walk.on.run(f"{forms} https://127.0.0.1 10002")


def publish(walk: Walk) -> None:
    """Start a third replica on object storage. From here on every build publishes."""
    output = walk.walk("More readers", "scaling.md")
    pushed = re.search(r"^\d{8}T\d{6}Z-\w{8}", output, re.M)
    assert pushed
    assert pushed[0] == walk.served()
    assert f'"release_id":"{pushed[0]}"' in output


def operate(walk: Walk) -> None:
    """Test a release, restarts, a new version and its rollback, under load and without a failed
    request.
    """
    first = walk.served()
    with walk.load() as seen:
        walk.change("Second")
        output = walk.walk("Build")
        second = walk.served()
        assert f"* {second} " in output
        end_the_third_replica(walk, second)
        end_dagster(walk)
        walk.change("Third")
        output = walk.walk("Upgrade")
        walk.walk("Restart")
        third = walk.served()
        assert f"Published: {third} is served from s3://larder-releases/production" in output
        walk.walk("Roll back a release")
        assert walk.served() == second
        walk.walk("Roll back code")
        walk.walk("Restart")
    assert len({first, second, third}) == 3
    assert seen["faults"] == []
    assert seen["statuses"].keys() == {"200"}
    assert seen["statuses"]["200"] > 200
    assert seen["releases"][:3] == [first, second, third]


def end_the_third_replica(walk: Walk, release_id: str) -> None:
    """Check that it followed the object storage to the unit's release, and stop it."""
    found = "curl -fsS http://127.0.0.1:8020/api/health/deep"
    walk.on.run(f"until {found} | grep -q {release_id}; do sleep 1; done", seconds=120)
    walk.on.run("systemctl stop larder@8020")


def end_dagster(walk: Walk) -> None:
    """Stop Dagster's programs, which would build again after claims."""
    walk.on.run("until curl -fsS http://127.0.0.1:3000/server_info; do sleep 1; done", seconds=300)
    walk.on.run("systemctl stop larder-dagster-web larder-dagster-daemon larder-dagster-code")


def lose_the_store(walk: Walk) -> None:
    """Restore a backup after the loss of all tables; later writes are missing."""
    claims = (
        "sudo -u larder psql -At larder -c 'SELECT resource_id, state FROM claims ORDER BY 1, 2'"
    )
    walk.on.run(_CLAIMS.replace("FIRST", "300"))
    before = walk.on.run(claims)
    assert before.count("|confirmed") == 5
    walk.walk("Backup and restore", which=slice(1))
    walk.on.run(_CLAIMS.replace("FIRST", "320"))
    assert walk.on.run(claims) != before
    walk.on.run(
        """sudo -u postgres psql -q larder -c 'DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION larder'"""
    )
    walk.walk("Backup and restore", which=slice(1, None))
    assert walk.on.run(claims) == before
    answers = "until curl -fsS http://127.0.0.1:8010/api/health; do sleep 1; done"
    deep = "curl -fsS http://127.0.0.1:8010/api/health/deep"
    assert '{"status":"ok","release_id"' in walk.on.run(f"{answers}; {deep}")
