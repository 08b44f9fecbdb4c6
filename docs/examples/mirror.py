"""Keep a copy of the directory up to date: the full export once, then only what changed.

    python docs/examples/mirror.py https://larder.example mirror

Needs nothing but Python. In the folder it keeps

    release                             id of the release the copy is of
    directory-<id>.ndjson               the listed places, one a line, in order of id
    releases/<id>/bulk/resources.ndjson  the full export as it was fetched, for `verify_mirror.py`

Killed at any moment it leaves the last good copy; run it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

# Moves whenever the same file is fetched again, and is therefore no part of the change feed.
UNCOUNTED = "retrieved_at"
Directory = dict[int, dict[str, Any]]
# Ids name files here: what a server calls a release is not taken for a path.
RELEASE_ID = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}")


def fetch(address: str) -> tuple[bytes, str]:
    """Return the body of an answer, and the release it was made from."""
    with urllib.request.urlopen(address, timeout=600) as answer:  # noqa: S310 - the address is the caller's
        return answer.read(), answer.headers.get("X-Release", "")


def _check_id(release: str) -> str:
    if not RELEASE_ID.fullmatch(str(release)):
        raise SystemExit(f"the server names {release!r}, which is no release")
    return release


def records_of(lines: bytes) -> Directory:
    """Return records by id, without what does not count."""
    found = (json.loads(line) for line in lines.splitlines())
    return {record["id"]: {k: v for k, v in record.items() if k != UNCOUNTED} for record in found}


def full_export(base: str, folder: Path) -> tuple[Directory, str]:
    """Return the whole directory, checked against the manifest of its release."""
    release = _check_id(json.loads(fetch(f"{base}/exports/index.json")[0])["latest"])
    lines, _ = fetch(f"{base}/exports/{release}/resources.ndjson")
    manifest = json.loads(fetch(f"{base}/api/releases/{release}/manifest.json")[0])
    wanted = {f["path"]: f["sha256"] for f in manifest["files"]}["bulk/resources.ndjson"]
    if hashlib.sha256(lines).hexdigest() != wanted:
        raise SystemExit(f"the export of {release} is not the one its manifest names; try again")
    path = folder / "releases" / release / "bulk" / "resources.ndjson"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines)
    return records_of(lines), release


def apply(directory: Directory, feed: bytes) -> dict[str, int]:
    """Apply a change feed in place; returns how many changes of each kind there were."""
    counts: dict[str, int] = {}
    for change in map(json.loads, feed.splitlines()):
        kind, resource_id = change["change"], change["resource_id"]
        counts[kind] = counts.get(kind, 0) + 1
        if kind in {"added", "reactivated"}:
            directory[resource_id] = change["record"]
        elif kind == "changed":
            directory[resource_id] |= {name: v["new"] for name, v in change["fields"].items()}
        else:  # merged, retired
            del directory[resource_id]
    return counts


def update(base: str, folder: Path) -> str:
    """Bring the copy to the release that is served; returns what was done, in words."""
    pointer = folder / "release"
    have = pointer.read_text().strip() if pointer.exists() else ""
    done = "full export"
    if have:
        try:
            feed, release = fetch(f"{base}/api/changes?since={have}&format=ndjson")
            directory = records_of((folder / f"directory-{have}.ndjson").read_bytes())
            done = f"changes since {have}: {apply(directory, feed) or 'none'}"
        except KeyError:
            # A copy from before columns had the names of the API.
            have = ""
        except urllib.error.HTTPError as error:
            # 410: the release we have is no longer there. 404: another history.
            if error.code not in {404, 410}:
                raise
            have = ""
    if not have:
        directory, release = full_export(base, folder)
    save(folder, directory, release)
    return f"{release}: {len(directory)} places, {done}"


def save(folder: Path, directory: Directory, release: str) -> None:
    """Write the copy, then the pointer to it; only then may the one before go."""
    _check_id(release)
    path = folder / f"directory-{release}.ndjson"
    lines = (json.dumps(directory[i], ensure_ascii=False) for i in sorted(directory))
    for target, text in (
        (path, "".join(f"{line}\n" for line in lines)),
        (folder / "release", release),
    ):
        temporary = target.with_suffix(".part")
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    for old in folder.glob("directory-*.ndjson"):
        if old != path:
            old.unlink()


def main() -> None:
    base, folder = sys.argv[1].rstrip("/"), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    print(update(base, folder))


if __name__ == "__main__":
    main()
