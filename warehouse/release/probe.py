"""`python -m warehouse.release.probe FOLDER`: exit 0 if a release opens, else 1 with the reason."""

import sys
from pathlib import Path

from warehouse.index.reader import OpenRelease


def main(folder: Path) -> int:
    """Open it as the service does, read its last record, and close it."""
    try:
        release = OpenRelease(folder)
        if len(release):
            release.read_record(len(release) - 1)
        release.close()
    except Exception as error:
        print(f"{type(error).__name__}: {error}".replace("\n", " ")[:500], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
