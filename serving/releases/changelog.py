"""The versions of the software that were released, from CHANGELOG.md.

content/CHANGELOG.md is a link to the file at the top of the repository: one text, which packages
carry along.
"""

import re
from datetime import date
from functools import cache
from importlib import resources

import msgspec

_VERSION = re.compile(
    r"## \[?(?P<version>\d+\.\d+\.\d+)\]?\s+(?:\((?P<in_brackets>[^)]*)\)|[-–]\s*(?P<after>\S+))\s*"
)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


class ChangeGroup(msgspec.Struct, frozen=True):
    """Changes of one kind."""

    title: str
    entries: list[str]


class Version(msgspec.Struct, frozen=True):
    """A version that was released on a day."""

    version: str
    date: date
    groups: list[ChangeGroup]


def versions_in(text: str) -> list[Version]:
    """Return the released versions in the order of the file. A head without a day (`## 0.2.0
    (unreleased)`) is left out."""
    versions: list[Version] = []
    current: Version | None = None
    for line in text.splitlines():
        if line.startswith("## "):
            current = _version(line)
            versions += [current] if current else []
        elif current is not None:
            _add_line(current, line)
    return versions


def _version(line: str) -> Version | None:
    head = _VERSION.fullmatch(line)
    try:
        day = (
            date.fromisoformat((head["in_brackets"] or head["after"] or "").strip())
            if head
            else None
        )
    except ValueError:
        return None
    return Version(head["version"], day, []) if head and day else None


def _add_line(version: Version, line: str) -> None:
    plain = _LINK.sub(r"\1", line).strip()
    if line.startswith("### "):
        version.groups.append(ChangeGroup(plain.removeprefix("### "), []))
    elif line.startswith("- "):
        if not version.groups:
            version.groups.append(ChangeGroup("Changes", []))
        version.groups[-1].entries.append(plain.removeprefix("- "))
    elif plain and version.groups and version.groups[-1].entries:
        version.groups[-1].entries[-1] += f" {plain}"


@cache
def list_versions() -> list[Version]:
    """Return the versions of the shipped file, newest first."""
    return versions_in((resources.files("content") / "CHANGELOG.md").read_text("utf-8"))
