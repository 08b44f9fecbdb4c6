"""python -m faults [--only WORDS] [--keep FOLDER]

Cause every fault and print the table as Markdown; status 1 on any loss. WORDS: a comma list of
parts of names or groups. --keep retains the folders of the faults, with their logs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from faults.table import HEADER, all_faults, choose, outcomes, row
from tests.support.town import write_town


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m faults")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="larder-faults-") as temporary:
        return _table(options.only, options.keep or Path(temporary))


def _table(only: str, folder: Path) -> int:
    faults = choose(only)
    if not faults:
        names = "\n".join(f"  {f.group}: {f.name}" for f in all_faults())
        print(f"no fault is called {only!r}; there are:\n{names}", file=sys.stderr)
        return 2
    # Users other than the owner (PostgreSQL's) traverse it.
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    town = folder / "town"
    write_town(town)
    print(HEADER, flush=True)
    losses, not_run, began = 0, 0, time.monotonic()
    for each, outcome in outcomes(faults, folder, town):
        print(row(each, outcome), flush=True)
        losses += outcome.is_lost
        not_run += bool(outcome.not_run)
    seconds = time.monotonic() - began
    print(
        f"\n{len(faults)} faults in {seconds:.0f} s, {losses} with a loss, {not_run} not run",
        file=sys.stderr,
    )
    return int(losses > 0)


if __name__ == "__main__":
    raise SystemExit(main())
