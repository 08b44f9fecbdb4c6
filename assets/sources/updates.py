"""Compares a source's new rows with those of the served release, and holds back an update that
changes more than `schemas/update_limits.yaml` allows.

A publisher's server may be taken over, or a column shifted: all websites of a list point to another
domain, all places are open around the clock, one telephone number is at every place. Such an update
passes every check of its single rows.
"""

import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd

from assets.hours.columns import read_hours
from assets.sources.contract import rejects_name
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source, built_sources
from schemas.update_limits import UPDATE_LIMITS, FieldLimit
from schemas.values.coordinates import great_circle_miles
from schemas.values.names import fold_name
from warehouse.files import link_file
from warehouse.parquet import columns_digest, read_frame

# Tables of the sources as the served release was made from them: <id of the release>/<table>.
SERVED_FOLDER = ".served"
# What identifies the files of a source.
_BYTES = ("file_name", "sha256")
MOST_EXAMPLES = 10
_FAR_MILES = 1.0


@dataclass(frozen=True)
class Suspicion:
    """A field that changed beyond its limit: what happened, and examples of rows in words."""

    field: str
    text: str
    examples: tuple[str, ...]


class UpdateHeldError(Exception):
    """An update changes more than its limits allow; the last good tables stay in use."""

    def __init__(self, source_id: str, suspicions: list[Suspicion]) -> None:
        accepted = " ".join(f"--accept {source_id}:{each.field}" for each in suspicions)
        texts = "; ".join(f"{each.field}: {each.text}" for each in suspicions)
        super().__init__(
            f"{source_id}: the update is held back. {texts}. "
            f"If it is right: larder build {accepted}"
        )
        self.examples = [
            f"{each.field}: {example}" for each in suspicions for example in each.examples
        ]


# ------------------------------------------------------------------ the served rows


def keep_served(workspace: Workspace, release_id: str, failed: Collection[str]) -> None:
    """Link the tables of all compared sources as those of the next served release, and forget
    deleted releases.

    The `failed` sources were not read: theirs are those of the release served now, whose files they
    were read from. The release itself cannot hold them: some rows may not be published.
    """
    folder = workspace.root / "tables" / SERVED_FOLDER
    current = workspace.releases.current() or "none"
    for source in _compared_sources():
        for name in _tables_of(source):
            place = folder / release_id / f"{name}.parquet"
            is_failed = source.id in failed
            path = folder / current / place.name if is_failed else workspace.path(name)
            if path.exists() and path != place:
                place.unlink(missing_ok=True)
                link_file(path, place)
    for other in folder.iterdir() if folder.is_dir() else ():
        if other.name not in {release_id, *workspace.releases.ids()}:
            shutil.rmtree(other)


@dataclass(frozen=True)
class ServedRows:
    """The tables of a source from which the served release was made."""

    source: Source
    workspace: Workspace
    core: Path
    rejects: Path

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rejects and the rows."""
        return read_frame(self.rejects), read_frame(self.core)

    def compare(self, new: pd.DataFrame) -> None:
        """Raise UpdateHeldError if the new rows of the source change a field beyond its limit that
        the operator has not accepted."""
        served = read_frame(self.core)
        found = [
            each
            for each in (compare_rows(served, new) if len(served) else ())
            if f"{self.source.id}:{each.field}" not in self.workspace.accept
        ]
        if found:
            raise UpdateHeldError(self.source.id, found)


def find_served(source: Source, workspace: Workspace) -> ServedRows | None:
    """Return a source's rows as the served release has them; None without any, and if the files
    are still the same: other code may read them differently, which is no update."""
    current = None if workspace.is_synthetic else workspace.releases.current()
    if current is None or source not in _compared_sources():
        return None
    folder = workspace.root / "tables" / SERVED_FOLDER / current
    core, rejects, raw = (folder / f"{name}.parquet" for name in _tables_of(source))
    if not (core.exists() and rejects.exists() and raw.exists()):
        return None
    if columns_digest(raw, _BYTES) == columns_digest(workspace.path(source.raw_table), _BYTES):
        return None
    return ServedRows(source, workspace, core, rejects)


def _tables_of(source: Source) -> tuple[str, str, str]:
    return source.core_table, rejects_name(source), source.raw_table


def _compared_sources() -> list[Source]:
    compared = ("places", "facilities")
    return [source for source in built_sources().values() if source.yields in compared]


# ------------------------------------------------------------------ the comparison


def compare_rows(served: pd.DataFrame, new: pd.DataFrame) -> Iterator[Suspicion]:
    """Yield the fields that changed beyond their limits, at most once each.

    Both frames have the columns of a source's core table, one row for each `source_key`.
    """
    served, new = served.set_index("source_key"), new.set_index("source_key")
    keys = served.index.intersection(new.index)
    for field, limit in UPDATE_LIMITS.fields.items():
        checks = [_rows_replaced(served, new, limit)] if field == "rows" else []
        if field == "point":
            checks = [_points_moved(served.loc[keys], new.loc[keys], limit)]
        if field in _VALUES:
            before, after = (_VALUES[field](rows) for rows in (served, new))
            checks = [
                _values_changed(before.loc[keys], after.loc[keys], new["name"], limit),
                _becomes_common(before, after, new["name"], limit),
                _always_open(before, after, new["name"], limit),
            ]
        found = next((each for each in checks if each), None)
        if found:
            yield Suspicion(field, *found)


Found = tuple[str, tuple[str, ...]] | None


def _values_changed(
    before: pd.Series, after: pd.Series, names: pd.Series, limit: FieldLimit
) -> Found:
    has_value = before.notna() | after.notna()
    changed = has_value & (before.fillna("") != after.fillna(""))
    if not _is_beyond(changed.sum(), has_value.sum(), limit.changed):
        return None
    pairs = pd.DataFrame({"before": before[changed], "after": after[changed]}).fillna("nothing")
    examples = (
        f"{names[key]}: {row.before} -> {row.after}"
        for key, row in pairs.head(MOST_EXAMPLES).iterrows()
    )
    return _count("changed", changed.sum(), has_value.sum(), limit.changed), tuple(examples)


def _becomes_common(
    before: pd.Series, after: pd.Series, names: pd.Series, limit: FieldLimit
) -> Found:
    if limit.common is None or not len(after):
        return None
    counts, earlier = after.value_counts(), before.value_counts()
    for value, count in counts.items():
        share, was = count / len(after), earlier.get(value, 0) / max(len(before), 1)
        if count >= UPDATE_LIMITS.least_common and share > limit.common and share > 2 * was:
            rows = names[after == value].head(MOST_EXAMPLES)
            text = _count("have one value", count, len(after), limit.common)
            return f"{text}, {earlier.get(value, 0):,} before", tuple(f"{n}: {value}" for n in rows)
    return None


def _always_open(before: pd.Series, after: pd.Series, names: pd.Series, limit: FieldLimit) -> Found:
    if limit.always_open is None:
        return None
    old = before.reindex(after.index)
    # Only texts that are new at their place need reading.
    new = after[after.notna() & (old.fillna("") != after.fillna(""))]
    week = read_hours(new)["hours_json"]
    always = new[week.str.count("00:00-24:00").fillna(0) == 7]
    total = after.notna().sum()
    if not _is_beyond(len(always), total, limit.always_open):
        return None
    examples = tuple(f"{names[key]}: {text}" for key, text in always.head(MOST_EXAMPLES).items())
    return _count("become open around the clock", len(always), total, limit.always_open), examples


def _points_moved(before: pd.DataFrame, after: pd.DataFrame, limit: FieldLimit) -> Found:
    both = before["lat"].notna() & after["lat"].notna()
    old, new = before.loc[both, ["lat", "lng"]], after.loc[both, ["lat", "lng"]]
    miles = great_circle_miles(
        *(frame[name].to_numpy(float) for frame in (old, new) for name in ("lat", "lng"))
    )
    moved = new[miles > _FAR_MILES]
    if not _is_beyond(len(moved), both.sum(), limit.changed):
        return None
    examples = (
        f"{after.loc[key, 'name']}: {old.lat[key]:.5f}, {old.lng[key]:.5f} -> "
        f"{new.lat[key]:.5f}, {new.lng[key]:.5f}"
        for key in moved.index[:MOST_EXAMPLES]
    )
    return _count("moved", len(moved), both.sum(), limit.changed), tuple(examples)


def _rows_replaced(served: pd.DataFrame, new: pd.DataFrame, limit: FieldLimit) -> Found:
    gone, added = served.index.difference(new.index), new.index.difference(served.index)
    # A list that shrinks is the business of the check `rows_by_source`.
    count = min(len(gone), len(added))
    if not _is_beyond(count, len(served), limit.changed):
        return None
    examples = tuple(f"gone: {name}" for name in served.loc[gone[:MOST_EXAMPLES], "name"])
    return _count("were replaced by others", count, len(served), limit.changed), examples


def _is_beyond(count: int, total: int, share: float) -> bool:
    return count >= UPDATE_LIMITS.least_rows and count > share * total


def _count(what: str, count: int, total: int, share: float) -> str:
    return f"{count:,} of {total:,} rows {what} (limit {share:.0%})"


def _website(rows: pd.DataFrame) -> pd.Series:
    hosts = {
        text: (urlsplit(text).hostname or "").removeprefix("www.")
        for text in rows["website"].dropna().unique()
    }
    return rows["website"].map(hosts).astype("str")


def _type(rows: pd.DataFrame) -> pd.Series:
    return rows["resource_type" if "resource_type" in rows else "facility_type"].astype("str")


# The compared value of each field: missing, or a text.
_VALUES: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "website": _website,
    "phone": lambda rows: rows["phone_e164"],
    "hours": lambda rows: rows["hours_text"].str.casefold().str.split().str.join(" "),
    "name": lambda rows: rows["name"].map(fold_name, na_action="ignore").astype("str"),
    "type": _type,
}
