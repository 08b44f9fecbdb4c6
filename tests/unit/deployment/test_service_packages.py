"""The image of the service has every package that the service imports when it starts."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions

from tests.support.server import ROOT

# Used where they happen to be, by SQLAlchemy and icalendar; neither needs them.
_OPTIONAL = {"greenlet", "pytz"}
_LIST = "import sys, serving.asgi, serving.sibling.asgi; print(*{n.partition('.')[0] for n, m in sys.modules.items() if 'site-packages' in (getattr(m, '__file__', None) or '')})"


def test_what_is_imported_is_installed():
    done = subprocess.run(
        [sys.executable, "-c", _LIST],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    locked = set(
        re.findall(
            r"^([a-z0-9._-]+)(?:\[[^]]*\])?==",
            (ROOT / "deploy" / "requirements-service.lock").read_text(),
            re.M,
        )
    )
    owners = packages_distributions()
    missing = {
        module
        for module in done.stdout.split()
        if owners.get(module)
        and not {re.sub(r"[-_.]+", "-", d).lower() for d in owners[module]}
        & {re.sub(r"[-_.]+", "-", p) for p in locked}
    }
    assert {m for m in missing if not m.startswith("__editable__")} <= _OPTIONAL
