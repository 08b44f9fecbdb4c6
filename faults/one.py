"""python -m faults.one MODULE NAME FOLDER TOWN

Cause one fault of a module in this process, and write its outcome into the folder. Other fault
modules are not imported: their imports take longer than some faults.
"""

import importlib
import sys
import traceback
from pathlib import Path

import msgspec

from faults.ground import Ground
from faults.table import FAULTS


def main(module: str, name: str, folder: Path, town: Path) -> int:
    importlib.import_module(module)
    ground = Ground(folder, town)
    try:
        outcome = FAULTS[name].cause(ground)
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        ground.close()
    (folder / "outcome.json").write_bytes(msgspec.json.encode(outcome))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:3], *map(Path, sys.argv[3:])))
