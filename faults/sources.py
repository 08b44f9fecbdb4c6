"""Damaged publishers' files: real builds of a small demo, in sequence, on damaged files.

Expected: a build from an unreadable file, or from a file that lost rows, is not promoted; its
report names source and fault; the served release stays, byte for byte. The same rows in another
order, or twice, give the same places.
"""

import gzip
import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.ground import Ground
from faults.outcome import Outcome
from faults.table import fault
from pipelines.run import Outcome as Built
from tests.support.dated_builds import FIRST, SECOND, build_on, digests, tried_on
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore

_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><p>We are back soon, "
    b"sorry.</p></body></html>\n"
)
_ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><a>&j;</a>"
)
_BOMB_BYTES = 500_000_000
# Longer than a build of the demo.
_MAX_MEMORY_MB = 3000
Damage = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Refused:
    """Permitted outcome of a damage: `served` stays, and the report has one of the `words`."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Same:
    """Permitted outcome: the same number of places; `exactly`: the same tables."""

    exactly: bool


def _zip(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("data.csv", content)
    return buffer.getvalue()


def _bomb(_: bytes) -> bytes:
    return _zip(b"0" * _BOMB_BYTES)


def _cut_gzip(content: bytes) -> bytes:
    packed = gzip.compress(content)
    return packed[: len(packed) // 2]


def _cut_zip(content: bytes) -> bytes:
    packed = _zip(content)
    return packed[: len(packed) // 2]


def _lines(change: Callable[[list[bytes]], list[bytes]], *, header: int) -> Damage:
    def damaged(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += b"\n"
        return b"".join(lines[:header] + change(lines[header:]))

    return damaged


def _features(change: Callable[[list[Any]], list[Any]]) -> Damage:
    """The features of every page of a file with the pages of a service."""

    def damaged(content: bytes) -> bytes:
        pages = json.loads(content)
        return json.dumps(
            [{**page, "features": change(page["features"])} for page in pages]
        ).encode()

    return damaged


def _shuffle(rows: list[Any]) -> list[Any]:
    return random.Random(10).sample(rows, len(rows))


def _utf16(content: bytes) -> bytes:
    return content.decode("utf-8-sig").encode("utf-16")


def _rename(name: bytes) -> Damage:
    return lambda content: content.replace(name, b"New_" + name)


# The check that stops lost rows, and the limits of the registry.
_FEWER = Refused(("rows_by_", "rows_expected", "expected_rows", "fewer"))
_ANY = Refused(("",))
_WHATEVER: dict[str, tuple[Damage, Refused | Same]] = {
    "HTML with status 200": (lambda _: _PAGE, _ANY),
    "empty": (lambda _: b"", _ANY),
    "UTF-16": (_utf16, _ANY),
    "half of a gzip": (_cut_gzip, _ANY),
    "half of a zip": (_cut_zip, _ANY),
    "a zip that unpacks to 500 MB": (_bomb, _ANY),
    "XML whose entities make 10 GB": (lambda _: _ENTITIES, _ANY),
}


def _of_lines(header: int) -> dict[str, tuple[Damage, Refused | Same]]:
    """Damages to a file with a header and one place a line."""
    return {
        "halved": (_lines(lambda rows: rows[: len(rows) // 2], header=header), _FEWER),
        "every line twice": (
            _lines(lambda rows: [row for row in rows for _ in range(2)], header=header),
            Same(exactly=False),
        ),
        "in another order": (_lines(_shuffle, header=header), Same(exactly=True)),
    }


def _of_features() -> dict[str, tuple[Damage, Refused | Same]]:
    """Damages to a file with one place a feature."""
    return {
        "halved": (_features(lambda rows: rows[: len(rows) // 2]), _FEWER),
        "every feature twice": (
            _features(lambda rows: [row for row in rows for _ in range(2)]),
            Same(exactly=False),
        ),
        "in another order": (_features(_shuffle), Same(exactly=True)),
    }


@dataclass(frozen=True)
class Target:
    """A source of the demo, its damaged files, and the kinds of damage."""

    source: str
    pattern: str
    damages: dict[str, tuple[Damage, Refused | Same]]


def _base(ground: Ground) -> Path:
    """Return a demo, built once for all faults of a run."""
    base = ground.folder.parent / "demo-base"
    if not base.exists():
        part = base.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        build_on(part, FIRST, 1)
        part.rename(base)
    return base


def _places(data: Path, source: str) -> set[int]:
    """Return ids of places of the served release with a record of the source."""
    release = ReleaseStore(data)
    folder = release.folder(str(release.current()))
    record_sources = read_frame(folder / "exports" / "core_directory__record_sources.parquet")
    return set(record_sources.loc[record_sources["source_id"] == source, "resource_id"])


def _judge(ground: Ground, target: Target) -> Outcome:
    base = _base(ground)
    before, files = _places(base, target.source), digests(base, FIRST)
    notes, wrong, losses, memory = [], [], 0, 0.0
    for name, (damage, outcome) in target.damages.items():
        data = ground.folder / "damaged"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(base, data, symlinks=True)
        for path in (data / "demo").rglob(target.pattern):
            path.write_bytes(damage(path.read_bytes()))
        build = tried_on(data, SECOND, 1)
        memory = max(memory, build.peak_memory_mb)
        report = " / ".join(build.failures)
        print(name, build.is_success, build.release_id, report[:600], sep=" | ", flush=True)
        if before - _places(data, target.source):
            losses += 1
            wrong.append(
                f"{name}: {len(before - _places(data, target.source))} places gone from the "
                "served release"
            )
        wrong += [
            f"{name}: {fault}"
            for fault in _faults(data, build, report, target, outcome, files, before)
        ]
        change = "no change" if build.release_id == FIRST else "same places"
        notes.append(f"{name}: {change if build.is_success else 'refused'}")
    if memory > _MAX_MEMORY_MB:
        wrong.append(f"the builds took {memory:.0f} MB")
    text = f"{len(before)} places of `{target.source}`; {'; '.join(notes)}; {memory:.0f} MB at most"
    if wrong:
        return Outcome(f"{text}; wrong: {'; '.join(wrong)[:800]}", 0, len(wrong), losses)
    return Outcome(text)


def _faults(
    data: Path,
    build: Built,
    report: str,
    target: Target,
    outcome: Refused | Same,
    files: dict[str, str],
    before: set[int],
) -> list[str]:
    """Return the differences from the expected outcome."""
    if isinstance(outcome, Same):
        if not build.is_success:
            return [f"refused: {report[:200]}"]
        if _places(data, target.source) != before:
            return ["other places"]
        now = digests(data, str(build.release_id))
        same = {n: d for n, d in now.items() if n.startswith("exports/core_directory__resources")}
        if outcome.exactly and any(files.get(n) != d for n, d in same.items()):
            return ["other bytes"]
        return []
    problems = []
    if build.is_success:
        problems.append("promoted" if build.release_id != FIRST else "treated as no change")
    if not build.is_success and target.source not in report:
        problems.append(f"the report does not name the source: {report[:200]}")
    if not build.is_success and not any(word in report for word in outcome.words):
        problems.append(f"the report does not say why: {report[:200]}")
    if digests(data, FIRST) != files:
        problems.append("the served release was changed")
    return problems


@fault("a publisher's CSV file is not what it was", group="sources", max_seconds=1800)
def damage_csv_file(ground: Ground) -> Outcome:
    """SNAP retailers."""
    damages = {
        **_WHATEVER,
        "renamed columns": (_rename(b"Store_Name"), Refused(("no column for name",))),
        **_of_lines(1),
    }
    return _judge(ground, Target("usda_snap", "snap_retailer_location_data.2026-11.csv", damages))


@fault("a publisher's file of JSON lines is not what it was", group="sources", max_seconds=1800)
def damage_json_lines(ground: Ground) -> Outcome:
    """The food banks' harvest."""
    damages = {
        **_WHATEVER,
        "renamed members": (_rename(b'name":'), Refused(("name",))),
        **_of_lines(0),
    }
    return _judge(ground, Target("haarrrvest_2025", "haarrrvest_2025/*.jsonl", damages))


@fault(
    "a publisher's file of features (ArcGIS JSON) is not what it was",
    group="sources",
    max_seconds=1800,
)
def damage_features(ground: Ground) -> Outcome:
    """Summer meal sites."""
    damages = {
        **_WHATEVER,
        "renamed members": (_rename(b"Site_Name"), Refused(("Site_Name",))),
        **_of_features(),
    }
    return _judge(ground, Target("usda_summer_meals", "Summer_Meals_Site_Finder.*.json", damages))
