"""Classes of messages are ready before threads meet them."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from schemas.api.registry import STRUCTS
from serving import app as application
from serving.settings import Settings
from warehouse.release.manifest import Manifest

# Threads that read the same new classes at once. Without preparation msgspec ends the process
# within a few rounds.
_RACE = """
import sys, threading, types
import msgspec
from serving.app import prepare_structs

sys.setswitchinterval(1e-7)
LAST = 29
SOURCE = "from __future__ import annotations\\nimport msgspec\\n" + "".join(
    f"class S{n}(msgspec.Struct):\\n    a: int = 0\\n    b: list[S{n + 1}] | None = None\\n    c: S{n + 1} | None = None\\n"
    for n in range(LAST)
) + f"class S{LAST}(msgspec.Struct):\\n    a: int = 0\\n"
for number in range(60):
    module = types.ModuleType(f"round{number}")
    sys.modules[module.__name__] = module
    exec(SOURCE, module.__dict__)
    if len(sys.argv) > 1:
        prepare_structs(getattr(module, f"S{n}") for n in range(LAST + 1))
    together = threading.Barrier(6)

    def read(first):
        together.wait()
        for _ in range(20):
            msgspec.json.decode(b'{"a":1,"b":[{"c":{"a":3}}]}', type=getattr(module, f"S{first}"))

    threads = [threading.Thread(target=read, args=(n % 3,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_prepared_classes_can_be_met_by_many_threads_at_once() -> None:
    race = [sys.executable, "-c", _RACE, "prepared"]
    process = subprocess.run(race, capture_output=True, text=True, timeout=120, check=False)
    assert process.returncode == 0, process.stderr


def test_an_application_prepares_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[type[msgspec.Struct]] = []
    monkeypatch.setattr(application, "prepare_structs", prepared.extend)
    application.create_app(Settings(data_dir=tmp_path))
    assert {*STRUCTS.values(), Manifest} <= set(prepared)
