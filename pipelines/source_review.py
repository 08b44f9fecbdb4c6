"""Reads one source alone and reports for a reviewer: counts, rejects, coverage, changes."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pandas as pd

from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.assemble import SourceRows, TooManyRejectsError, assemble
from assets.sources.contract import (
    BY_COLUMNS,
    RawFile,
    UnreadableFileError,
    contract_table,
)
from assets.sources.mapping import map_file
from assets.steps.workspace import Workspace
from pipelines.point_map import extent, write_map
from pipelines.source_drafts import layout_for
from pipelines.source_matching import match_lines
from schemas.sources.registry import Source, is_table_name, read_source, sources
from schemas.tables.core import RAW_FILES
from warehouse.files import sha256_of

_EXAMPLES = 3
_CHANGES_SHOWN = 5
# A greater distance means another place, not a better point.
_MOVED_DEGREES = 0.01
_COVERED = (
    "name",
    "organization",
    "resource_type",
    "address",
    "city",
    "state",
    "zip",
    "lat",
    "phone",
    "website",
    "hours_text",
    "services_text",
    "eligibility_text",
    "requirements_text",
    "languages",
    "notes",
    "source_updated_date",
)


class SourceReviewError(Exception):
    """A source cannot be checked; the message gives the reason."""


class _Reader:
    """Reads files by their source's mappings, recording columns that no rule reads by file."""

    def __init__(self) -> None:
        self.unused: dict[str, list[str]] = {}

    def read_rows(self, file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
        mapping = source.layouts[file.layout].resolve()
        rows, columns = map_file(file, source, mapping)
        self.unused[file.name] = columns.list_unused(mapping.ignore)
        # Other files take columns from one without a mapping; it gives no rows.
        if mapping.columns:
            yield rows


def review_source(
    source_id: str, files: Path | None, yaml_file: Path | None, map_file_: Path | None, data: Path
) -> tuple[str, bool]:
    """Return the report on one source, and whether its rows may be used.

    Raises SourceReviewError for an unknown source, no files, or a file that cannot be read.
    """
    source = _source(source_id, yaml_file)
    workspace = Workspace(data_dir=str(data))
    raw = _files(source, files, workspace)
    reader, is_sound, note = _Reader(), True, ""
    try:
        assembled = assemble(source, raw, reader if source.layouts else None)
    except UnreadableFileError as error:
        raise SourceReviewError(str(error)) from error
    except TooManyRejectsError as error:
        is_sound, note = False, str(error)
        assembled = error.rows
    lines = [f"{source.id}: {source.title}", *([f"UNUSABLE: {note}"] if note else [])]
    lines += _counts(source, raw, assembled)
    if source.yields == "places":
        located = _locate(assembled.accepted, workspace, lines)
        lines += _coverage(located)
        lines += [f"Extent: {extent(located)}"]
        if map_file_ is not None:
            write_map(located, map_file_, source.id)
            lines.append(f"Map: {map_file_}")
        lines += match_lines(located, source.id, workspace)
    lines += _list_unused_columns(source, raw, reader)
    lines += _changes(source, assembled.accepted, workspace)
    return "\n".join(lines), is_sound


def _source(source_id: str, yaml_file: Path | None) -> Source:
    if yaml_file is not None:
        try:
            source = read_source(yaml_file.read_bytes())
        except (msgspec.ValidationError, msgspec.DecodeError, ValueError) as error:
            raise SourceReviewError(f"{yaml_file}: {error}") from error
        return source
    if source_id not in sources():
        raise SourceReviewError(
            f"{source_id!r} is no source; `larder sources` lists them, --yaml names a draft"
        )
    return sources()[source_id]


def _files(source: Source, files: Path | None, workspace: Workspace) -> list[RawFile]:
    """Return the files given, else those of the last build."""
    if files is None:
        return _files_of_build(source, workspace)
    paths = (
        sorted(path for path in files.iterdir() if path.is_file()) if files.is_dir() else [files]
    )
    raw_files = []
    for path in paths:
        name = path.name.removesuffix(".gz")
        layout = layout_for(source, name) if not files.is_dir() else source.layout_of(name)
        if layout is not None or is_table_name(name):
            file = RawFile(
                source.id,
                name,
                path,
                sha256_of(path),
                layout.layout if layout else BY_COLUMNS,
                datetime.now(UTC),
                source.vintage_of(name),
            )
            raw_files.append(file)
    if not raw_files:
        patterns = ", ".join(layout.pattern for layout in source.files)
        raise SourceReviewError(f"{files}: no file has a name of the source ({patterns})")
    return raw_files


def _files_of_build(source: Source, workspace: Workspace) -> list[RawFile]:
    if not workspace.path(source.raw_table).exists():
        raise SourceReviewError(
            f"no build in {workspace.root} has files of {source.id}; give --files"
        )
    raw_files = []
    for row in workspace.read(source.raw_table, RAW_FILES.field_names).to_dict("records"):
        name = row["file_name"]
        layout = source.layout_of(name)
        raw_files.append(
            RawFile(
                source.id,
                name,
                workspace.root / row["stored_as"],
                row["sha256"],
                layout.layout if layout else BY_COLUMNS,
                row["retrieved_at"],
                source.vintage_of(name),
            )
        )
    return raw_files


def _counts(source: Source, files: list[RawFile], assembled: SourceRows) -> list[str]:
    rejects = assembled.rejects
    wide = source.expected_rows
    lines = [
        "Files: " + ", ".join(f"{file.name} ({file.layout or 'by its columns'})" for file in files),
        f"Rows: {assembled.rows_read} read, {len(assembled.accepted)} accepted, "
        f"{len(rejects)} set aside; {wide.minimum} to {wide.maximum} expected",
    ]
    if not wide.minimum <= assembled.rows_read <= wide.maximum:
        lines.append("  The number of rows is not the expected one.")
    for reason, group in rejects.groupby("reject_reason"):
        lines.append(f"  {reason}: {len(group)}")
        for row in group.head(_EXAMPLES).to_dict("records"):
            lines.append(
                f"    row {row['source_row']} of {row['file_name']}: {row['reject_detail']}"
            )
    return lines


def _locate(accepted: pd.DataFrame, workspace: Workspace, lines: list[str]) -> pd.DataFrame:
    """Return the rows with points and parsed hours, if a build has left reference geography."""
    if accepted.empty or not workspace.path("core_geography__zips").exists():
        if len(accepted):
            lines.append(f"Not located: no build in {workspace.root} has reference geography.")
        return accepted
    located, rejects = locate(accepted, workspace.geography())
    located = with_hours(located)
    lines.append(f"Located: {len(located)} of {len(accepted)}")
    for method, count in located["location_method"].value_counts().items():
        lines.append(f"  {method}: {count}")
    for reason, count in rejects["reject_reason"].value_counts().items():
        lines.append(f"  not located, {reason}: {count}")
    texts = located["hours_text"].notna()
    has_schedule = located["schedules_json"].notna() & texts
    lines.append(
        f"Hours: {int(has_schedule.sum())} of {int(texts.sum())} texts read as a timetable"
    )
    return located


def _coverage(places: pd.DataFrame) -> list[str]:
    if places.empty:
        return []
    shares = (f"{name} {places[name].notna().mean():.0%}" for name in _COVERED if name in places)
    types = places["resource_type"].value_counts()
    return [
        "Filled: " + ", ".join(shares),
        "Types: " + ", ".join(f"{name} {count}" for name, count in types.items()),
    ]


def _list_unused_columns(source: Source, files: list[RawFile], reader: _Reader) -> list[str]:
    """Return the columns that no rule reads, by file whose name has a layout."""
    unused = {f.name: reader.unused.get(f.name) for f in files if f.layout in source.layouts}
    return [
        f"Unused columns of {name}: {', '.join(columns)}"
        for name, columns in unused.items()
        if columns
    ]


def _changes(source: Source, accepted: pd.DataFrame, workspace: Workspace) -> list[str]:
    """Return places added, gone, renamed and moved since the last build's edition."""
    path = workspace.path(source.core_table)
    if not path.exists():
        return ["Differences: no earlier edition is in the last build."]
    names: list[str] = [
        n for n in ("source_key", "name", "lat", "lng") if n in contract_table(source).field_names
    ]
    before = workspace.read(source.core_table, names).drop_duplicates("source_key")
    if before.empty:
        return ["Differences: no earlier edition is in the last build."]
    both = accepted[names].merge(
        before, on="source_key", how="outer", suffixes=("", "_before"), indicator=True
    )
    is_in_both = both["_merge"] == "both"
    changes = {
        "added": both.loc[both["_merge"] == "left_only", "name"],
        "gone": both.loc[both["_merge"] == "right_only", "name_before"],
        "renamed": both.loc[is_in_both & (both["name"] != both["name_before"]), "name"],
    }
    if "lat" in names:
        distance = (both["lat"] - both["lat_before"]).abs() + (
            both["lng"] - both["lng_before"]
        ).abs()
        changes["moved"] = both.loc[is_in_both & (distance > _MOVED_DEGREES), "name"]
    lines = ["Differences to the last build:"]
    for word, rows in changes.items():
        examples = "; ".join(str(name) for name in rows.head(_CHANGES_SHOWN))
        lines.append(f"  {word}: {len(rows)}" + (f" ({examples})" if examples else ""))
    return lines
