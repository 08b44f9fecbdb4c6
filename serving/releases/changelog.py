"""The versions of the software, from CHANGELOG.md.

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
    """A version, and the day of its release; None before it."""

    version: str
    date: date | None
    groups: list[ChangeGroup]


def versions_in(text: str) -> list[Version]:
    """Return the versions in the order of the file. A head without a day has the word
    "unreleased"."""
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
    if head is None:
        return None
    text = (head["in_brackets"] or head["after"] or "").strip()
    if text == "unreleased":
        return Version(head["version"], None, [])
    try:
        return Version(head["version"], date.fromisoformat(text), [])
    except ValueError:
        return None


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
