"""Reads one source alone and reports for a reviewer: counts, rejects, coverage, changes."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pandas as pd

from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.matching.matching import LOCATED_COLUMNS, cluster
from assets.sources.assemble import BENIGN_REASONS, SourceRows, UnusableRowsError, assemble
from assets.sources.assets import raw_files
from assets.sources.contract import (
    BY_COLUMNS,
    RawFile,
    UnreadableFileError,
    contract_table,
)
from assets.sources.mapping import UNKNOWN_TYPE, map_file
from assets.sources.plausibility import measure
from assets.steps.workspace import Workspace
from pipelines.source_drafts import ROOT, layout_for, sample_table
from schemas.sources.mapping import TODO
from schemas.sources.registry import (
    Source,
    is_table_name,
    open_questions,
    read_source,
    sources,
)
from schemas.sources.rights import read_policy, right_of
from schemas.tables.core import LOCATED, RECORD_SOURCES, RESOURCES
from warehouse.files import sha256_of
from warehouse.parquet import read_frame

_SHOWN = 5
_KEY = ["source_id", "source_key"]


def match_lines(located: pd.DataFrame, source_id: str, workspace: Workspace) -> list[str]:
    """Return counts and examples of rows of `located` (one source, with points) that would merge
    with the directory of the last build, that are new, and that describe one place."""
    if located.empty or "location_method" not in located:
        return []
    own, path = located.assign(source_id=source_id), workspace.path(LOCATED.name)
    states = own["state"].dropna().unique().tolist()
    others = pd.DataFrame(columns=LOCATED_COLUMNS)
    if states and path.exists():
        others = read_frame(path, LOCATED_COLUMNS, where={"state": states})
        others = others[others["source_id"] != source_id]
    rows = pd.concat([own.reindex(columns=LOCATED_COLUMNS), others], ignore_index=True)
    clusters = cluster(rows).clusters.merge(rows[[*_KEY, "name"]], on=_KEY)
    is_own = clusters["source_id"] == source_id
    places = clusters[is_own].drop_duplicates("cluster_id")
    joins = places["cluster_id"].isin(clusters.loc[~is_own, "cluster_id"])
    lines = [f"Matched: {int(is_own.sum())} rows are {len(places)} places"]
    if others.empty:
        return [*lines, f"  no build in {workspace.root} has other sources in these states"]
    lines.append(f"  join a place of the last build: {int(joins.sum())}")
    lines += [f"    {text}" for text in _examples(places[joins], clusters[~is_own], workspace)]
    lines.append(f"  new: {int((~joins).sum())}")
    lines += [f"    {name}" for name in places.loc[~joins, "name"].head(_SHOWN)]
    return lines


def _examples(joining: pd.DataFrame, others: pd.DataFrame, workspace: Workspace) -> list[str]:
    """Return "name = id and name in the directory" of the first places that would merge."""
    rows = joining.head(_SHOWN).merge(
        others.drop_duplicates("cluster_id"), on="cluster_id", suffixes=("", "_other")
    )
    links = workspace.read(RECORD_SOURCES.name, ["resource_id", *_KEY])
    names = workspace.read(RESOURCES.name, ["resource_id", "name"])
    listed_records = links.merge(names, on="resource_id").drop_duplicates(_KEY)
    pairs = rows.merge(
        listed_records.rename(columns={"name": "listed"}),
        left_on=["source_id_other", "source_key_other"],
        right_on=_KEY,
        how="left",
        suffixes=("", "_known"),
    )
    return [
        f"{row.name_} = {row.resource_id} {row.listed}"
        if pd.notna(row.resource_id)
        else f"{row.name_} = {row.name_other} ({row.source_id_other}, not published)"
        for row in pairs.rename(columns={"name": "name_"}).itertuples()
    ]


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
    source_id: str,
    files: Path | None,
    yaml_file: Path | None,
    data: Path,
    rights: str | None = None,
    root: Path = ROOT,
) -> tuple[str, bool]:
    """Return the report on one source, whose last line is the verdict, and whether it may be built.

    `rights` is the rule for lists without a stated license, `root` the checkout that has the drafts
    and their files. Raises SourceReviewError for an unknown source, no files, or a file that cannot
    be read.
    """
    source = _source(source_id, yaml_file or root / "schemas" / "sources" / f"{source_id}.yaml")
    workspace = Workspace(data_dir=str(data))
    copies = root / "files" / "sources" / source.id
    raw = _files(source, files or (copies if copies.is_dir() else None), workspace)
    reader, fault = _Reader(), ""
    try:
        assembled = assemble(source, raw, reader if source.layouts else None)
    except UnreadableFileError as error:
        raise SourceReviewError(str(error)) from error
    except UnusableRowsError as error:
        fault = str(error).removeprefix(f"{source.id}: ")
        assembled = error.rows
    lines = [f"{source.id}: {source.title}", *_counts(source, raw, assembled)]
    publishable = assembled.accepted
    if source.yields == "places":
        located = _locate(assembled.accepted, workspace, lines)
        lines += _coverage(located)
        lines += [f"  {each}" for each in measure(assembled.accepted)]
        lines += _rows_left_out(assembled)
        lines += match_lines(located, source.id, workspace)
        publishable = located[located["resource_type"] != TODO]
    lines += _list_unused_columns(source, raw, reader)
    lines += _changes(source, assembled.accepted, workspace)
    if source.yields == "places":
        lines += ["", "The first rows:", sample_table(assembled.accepted)]
    verdict, is_sound = _verdict(source, assembled, len(publishable), fault, rights)
    return "\n".join([*lines, "", verdict]), is_sound


def _verdict(
    source: Source, assembled: SourceRows, publishable: int, fault: str, rights: str | None
) -> tuple[str, bool]:
    """Return one line: how many of the rows would be published, or why none would."""
    read = assembled.rows_read
    try:
        policy = read_policy()
    except ValueError as error:
        raise SourceReviewError(str(error)) from error
    if rights:
        policy = msgspec.structs.replace(policy, no_stated_license=rights)
    right = right_of(source, policy, datetime.now(UTC).date())
    nothing = f"{source.id} publishes 0 of {read}: "
    questions = open_questions(source)
    if questions:
        return f"{nothing}TODO remains in {', '.join(questions)}", False
    if unknown := int((assembled.rejects["reject_reason"] == UNKNOWN_TYPE).sum()):
        values = assembled.rejects.loc[assembled.rejects["reject_reason"] == UNKNOWN_TYPE]
        told = ", ".join(f"{v} ({n})" for v, n in values["reject_detail"].value_counts().items())
        return f"{nothing}{unknown} rows have a type that `map` does not know: {told}", False
    if fault:
        return f"{nothing}{fault}", False
    if not publishable:
        reasons = assembled.rejects["reject_reason"].value_counts()
        told = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
        return f"{nothing}every row was set aside ({told or 'none has a location'})", False
    if right.use in ("withhold", "match_only"):
        return f"{nothing}all rows are ready and withheld: {right.reason}", False
    left = read - publishable
    counts = assembled.rejects["reject_reason"].value_counts()
    parts = [f"{count} {reason}" for reason, count in counts.items()]
    if located_out := left - int(counts.sum()):
        parts.append(f"{located_out} without a location")
    note = f"; set aside: {', '.join(parts)}" if left else ""
    return f"{source.id} publishes {publishable} of {read}{note}", True


def _rows_left_out(assembled: SourceRows) -> list[str]:
    """Tell how many rows repeat a place with other hours, of which only the first count."""
    repeats = assembled.rejects[assembled.rejects["reject_reason"] == "duplicate_key"]
    if repeats.empty:
        return []
    first = assembled.accepted.set_index("source_key")["hours_text"]
    rows = [json.loads(text) for text in repeats["row_json"]]
    others = [
        row["name"]
        for row in rows
        if row.get("hours_text") and row["hours_text"] != first.get(row.get("source_key"))
    ]
    if not others:
        return []
    return [
        f"  {len(others)} rows repeat a place with other hours, which are lost ("
        f"{'; '.join(others[:_EXAMPLES])}): set `joins_rows: true` in the layout"
    ]


def _source(source_id: str, yaml_file: Path) -> Source:
    """Return a source of the registry, or the one in a file, which may be a draft."""
    if not yaml_file.exists() and source_id in sources():
        return sources()[source_id]
    try:
        return read_source(yaml_file.read_bytes())
    except FileNotFoundError as error:
        raise SourceReviewError(
            f"{source_id!r} is no source; docs/sources.md lists them, `larder source new FILE` "
            "writes one"
        ) from error
    except (msgspec.ValidationError, msgspec.DecodeError, ValueError) as error:
        raise SourceReviewError(f"{yaml_file}: {error}") from error


def _files(source: Source, files: Path | None, workspace: Workspace) -> list[RawFile]:
    """Return the files given, else those of the last build."""
    if files is None:
        if not workspace.path(source.raw_table).exists():
            raise SourceReviewError(
                f"no build in {workspace.root} has files of {source.id}; give --files"
            )
        return raw_files(source, workspace)
    paths = (
        sorted(path for path in files.iterdir() if path.is_file()) if files.is_dir() else [files]
    )
    found = []
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
            found.append(file)
    if not found:
        patterns = ", ".join(layout.pattern for layout in source.files)
        raise SourceReviewError(f"{files}: no file has a name of the source ({patterns})")
    return found


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
        kind = "benign" if reason in BENIGN_REASONS else "a fault"
        lines.append(f"  {reason} ({kind}): {len(group)}")
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
    lines = [
        "Filled: " + ", ".join(shares),
        "Types: " + ", ".join(f"{name} {count}" for name, count in types.items()),
    ]
    if places["lat"].notna().any():
        south, west = places[["lat", "lng"]].min()
        north, east = places[["lat", "lng"]].max()
        lines.append(
            f"Extent: latitude {south:.3f} to {north:.3f}, longitude {west:.3f} to {east:.3f}"
        )
    return lines


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
