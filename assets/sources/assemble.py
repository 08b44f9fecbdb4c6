"""Builds a source's core table from its files: read, clean, one row per key, rejects with reasons.

Nothing is lost: rows read = rows accepted + rows rejected.
"""

from dataclasses import dataclass

import pandas as pd

from assets.cleaning.people import remove_people
from assets.cleaning.steps import clean, clean_edits
from assets.cleaning.withheld import AWAITS_REVIEW
from assets.sources.contract import (
    FILE_SET_ASIDE,
    RawFile,
    SourceModule,
    contract_table,
    rows_as_json,
    rows_of_files,
)
from assets.sources.editions import find_omitted_rows, with_older_points
from assets.sources.plausibility import FEWEST_ROWS, implausible
from schemas.sources.registry import Source
from schemas.tables.core import REJECTS

# A file of the whole country has rows of more states.
_FEW_STATES = 3

# Rows of home delivery services, without a place to visit (`assets.directory.home_deliveries`).
HOME_DELIVERY = "home_delivery_only"

# Rows with the key of another row of their file, and another name or address.
CONFLICTING_KEY = "conflicting_key"

# Rows of programs whose last day has passed.
PROGRAM_ENDED = "program_ended"

# Reasons unrelated to the quality of a publisher's file, which do not count against it.
BENIGN_REASONS = frozenset(
    {
        "superseded_by_newer_file",
        "omitted_by_newer_edition",
        "duplicate_key",
        "not_open",
        "closed_by_source",
        "outside_area",
        # Valid rows that are not food assistance, or no longer or not public.
        "not_food_assistance",
        "no_evidence_of_food",
        "not_in_catalog",
        "no_meal_site",
        "not_public",
        "season_over",
        PROGRAM_ENDED,
        "authorization_ended",
        "derived_copy",
        # The name may be of a shelter: published after a reviewer decided.
        AWAITS_REVIEW,
        HOME_DELIVERY,
        # A file with no known layout of the publisher: none of its rows was read.
        FILE_SET_ASIDE,
        # Rows about a region, and rows whose content another row of the file repeats.
        "not_a_place",
        "joined_with_earlier_row",
    }
)

# Reasons for a place that people can no longer, or never could, visit. In a newer file they end the
# same key in older files.
_ENDING_REASONS = frozenset(
    {
        "not_open",
        "closed_by_source",
        "not_public",
        "not_food_assistance",
        "no_meal_site",
        "season_over",
        "authorization_ended",
    }
)


@dataclass(frozen=True)
class SourceRows:
    """`rows_read` = len(`accepted`) + len(`rejects`). `people_removed` counts names of people that
    were removed from texts."""

    rows_read: int
    accepted: pd.DataFrame
    rejects: pd.DataFrame
    people_removed: int = 0


class UnusableRowsError(RuntimeError):
    """The rows of a source may not be published; its last good tables stay in use.

    `rows` are for a reviewer.
    """

    def __init__(self, message: str, rows: SourceRows) -> None:
        super().__init__(message)
        self.rows = rows

    def __reduce__(self) -> tuple[type, tuple[str, SourceRows]]:
        return type(self), (str(self), self.rows)


class TooManyRejectsError(UnusableRowsError):
    """A source lost more rows than its declaration allows."""


class NotPlausibleError(UnusableRowsError):
    """A list as a whole cannot be true (`assets.sources.plausibility`)."""


def assemble(
    source: Source, files: list[RawFile], module: SourceModule | None = None
) -> SourceRows:
    """Return all files of a source as accepted rows in its contract and rejected rows with reasons.

    `module` reads the files instead of the source's (`rows_of_files`).
    Raises UnreadableFileError for a file without its layout, TooManyRejectsError if more than
    `max_rejected_share` of the rows are unusable, and NotPlausibleError.
    """
    table = contract_table(source)
    if not files:  # true for most sources in most builds
        nothing = (pd.DataFrame(columns=t.field_names) for t in (table, REJECTS))
        return SourceRows(0, *nothing)
    rows = rows_of_files(source, files, module)
    # Cleaning leaves one number; the others are the place's, too.
    phones = rows.get("phone")
    if source.yields == "places":
        rows = clean(rows, source)
    elif source.yields == "facilities":
        # The steps expect a type of the catalog, which facilities lack.
        rows = clean(rows.assign(resource_type=pd.Series(None, rows.index, "str")), source)
    elif source.yields == "edits":
        rows = clean_edits(rows, source)
    people_removed = 0
    if source.yields in ("places", "facilities"):
        rows, people_removed = remove_people(rows, phones)
    # The location step handles the state.
    for name in table.required_names:
        if name != "source_id" or table.name.endswith("__areas"):
            _set_reason(rows, rows[name].isna(), "missing_required_field", name)
    if source.yields == "places":
        rows = with_older_points(rows)
        omitted_by = find_omitted_rows(rows, source, files)
        _set_reason(rows, omitted_by.notna(), "omitted_by_newer_edition", omitted_by)
    rows = _reject_repeated_keys(_reject_ended(rows))
    is_rejected = rows["reject_reason"].notna()
    assembled = SourceRows(
        rows_read=len(rows),
        accepted=rows.loc[~is_rejected, table.field_names].reset_index(drop=True),
        rejects=as_rejects(rows.loc[is_rejected]),
        people_removed=people_removed,
    )
    _stop_on_too_many(source, assembled)
    if source.yields in ("places", "facilities"):
        _stop_on_extract(source, files, assembled)
    if source.yields == "places" and (faults := implausible(assembled.accepted)):
        raise NotPlausibleError(f"{source.id}: not plausible: {'; '.join(faults)}", assembled)
    return assembled


def as_rejects(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with a `reject_reason` in the columns of the rejects table."""
    # Most columns are all empty.
    described = rows.drop(columns=["reject_reason", "reject_detail"], errors="ignore")
    described = described.dropna(axis="columns", how="all")
    rejects = rows.reindex(columns=REJECTS.field_names)
    rejects["row_json"] = rows_as_json(described)
    return rejects.reset_index(drop=True)


def _set_reason(rows: pd.DataFrame, where: pd.Series, reason: str, detail: object) -> None:
    """Set this reason on rows without one."""
    target = where & rows["reject_reason"].isna()
    if not target.any():
        return
    rows.loc[target, "reject_reason"] = reason
    rows.loc[target, "reject_detail"] = (
        detail.loc[target] if isinstance(detail, pd.Series) else detail
    )


def _reject_ended(rows: pd.DataFrame) -> pd.DataFrame:
    """Reject rows of a place that a newer file of the same source reports as ended."""
    updated = pd.to_datetime(rows["source_updated_date"])
    has_ended = rows["reject_reason"].isin(_ENDING_REASONS) & rows["source_key"].notna()
    if not has_ended.any():
        return rows
    last = updated[has_ended].groupby(rows.loc[has_ended, "source_key"]).max()
    is_older = updated < rows["source_key"].map(last)
    _set_reason(rows, is_older, "superseded_by_newer_file", "ended")
    return rows


def _reject_repeated_keys(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per key: the newest vintage, then one with a point, then the first."""
    usable = rows[rows["reject_reason"].isna()]
    updated = pd.to_datetime(usable["source_updated_date"])
    pointless = usable["lat"].isna() if "lat" in usable else False
    in_order = usable.assign(_updated=updated, _pointless=pointless).sort_values(
        ["source_key", "_updated", "_pointless", "file_name", "source_row"],
        ascending=[True, False, True, True, True],
        na_position="last",
        kind="stable",
    )
    winner_file = in_order.groupby("source_key", sort=False)["file_name"].transform("first")
    winner_updated = in_order.groupby("source_key", sort=False)["_updated"].transform("first")
    later = in_order.duplicated("source_key", keep="first")
    # Two places under one key: the second must not vanish as a copy of the first.
    same_file = in_order["file_name"] == winner_file
    differs = pd.Series(False, in_order.index)
    for name in ("name", "address", "city"):
        if name in in_order:
            texts = in_order[name].fillna("").str.casefold()
            first = texts.groupby(in_order["source_key"], sort=False).transform("first")
            differs |= (texts != first) & (texts != "") & (first != "")
    is_older = winner_updated > in_order["_updated"]
    own_updated = in_order["_updated"]
    is_same_day = (winner_updated == own_updated) | (winner_updated.isna() & own_updated.isna())
    is_conflict = later & same_file & differs & is_same_day
    _set_reason(
        rows,
        is_conflict.reindex(rows.index, fill_value=False),
        CONFLICTING_KEY,
        in_order["source_key"],
    )
    superseded = later & is_older
    _set_reason(
        rows,
        superseded.reindex(rows.index, fill_value=False),
        "superseded_by_newer_file",
        winner_file,
    )
    _set_reason(
        rows, later.reindex(rows.index, fill_value=False), "duplicate_key", in_order["source_key"]
    )
    return rows


def _stop_on_extract(source: Source, files: list[RawFile], assembled: SourceRows) -> None:
    """Refuse a few states' rows under the name of a national file: all others would be gone."""
    for file in files:
        layout = source.layout_of(file.name)
        if layout is None or "US" not in layout.covers or file.is_synthetic:
            continue
        states = assembled.accepted.loc[assembled.accepted["file_name"] == file.name, "state"]
        if len(states) >= FEWEST_ROWS and states.nunique() <= _FEW_STATES:
            told = ", ".join(sorted(states.dropna().unique()))
            raise NotPlausibleError(
                f"{source.id}: {file.name} has rows of {told} only, under the name of a file of "
                "the whole country: give an extract a name that says so",
                assembled,
            )


def _stop_on_too_many(source: Source, assembled: SourceRows) -> None:
    reasons = assembled.rejects["reject_reason"]
    faulty = reasons[~reasons.isin(BENIGN_REASONS)]
    if assembled.rows_read and len(faulty) / assembled.rows_read > source.max_rejected_share:
        top = ", ".join(
            f"{reason}: {count}" for reason, count in faulty.value_counts().head(5).items()
        )
        raise TooManyRejectsError(
            f"{source.id}: {len(faulty)} of {assembled.rows_read} rows are unusable, more than "
            f"{source.max_rejected_share:.0%} ({top})",
            assembled,
        )
