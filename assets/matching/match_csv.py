"""Matches any list: a CSV of records in, `id,cluster_id` out."""

import csv
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from assets.cleaning.text import map_unique
from assets.matching.matching import cluster
from schemas.values.contacts import parse_phone
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.states import STATES

COLUMNS = ("id", "name", "address", "city", "state", "zip", "phone", "website", "lat", "lng")
# Optional columns that are used; others are ignored.
EXTRA_COLUMNS = ("resource_type", "organization")
# Texts that spreadsheets and programs write for missing values.
_NO_VALUE = frozenset({"", "nan", "na", "n/a", "null", "none", "<null>", "-"})
_SOURCE = "records"
_STATES = {text.casefold(): code for code, state in STATES.items() for text in (code, state.name)}


@dataclass(frozen=True)
class MatchReport:
    """Result of `match_records`; `doubtful` has the columns of DOUBTFUL_PAIRS."""

    records: int
    clusters: int
    merged_records: int
    doubtful: pd.DataFrame


class RecordsError(ValueError):
    """The CSV cannot be matched; the message names the column and, if applicable, the row."""


def match_records(path_in: Path, path_out: Path, reasons: bool = False) -> MatchReport:
    """Write `id,cluster_id` (and `match_reason` if asked) for every record of a CSV, in its order.

    The file needs a header with `id`; the other COLUMNS may be missing and any value may be empty.
    `cluster_id` is the smallest id of the group, compared as text. Raises RecordsError.
    """
    records = read_records(path_in)
    matching = cluster(as_located(records), has_sources=False)
    clusters = matching.clusters
    columns = {
        "id": clusters["source_key"],
        "cluster_id": clusters["cluster_id"].str.slice(len(_SOURCE) + 1),
    }
    if reasons:
        columns["match_reason"] = clusters["match_reason"]
    pd.DataFrame(columns).to_csv(path_out, index=False, encoding="utf-8", lineterminator="\n")
    groups = clusters["cluster_id"].value_counts()
    return MatchReport(
        records=len(records),
        clusters=len(groups),
        merged_records=int(groups[groups > 1].sum()),
        doubtful=matching.doubtful,
    )


def read_records(path: Path) -> pd.DataFrame:
    """Return the records as text, one column for each of COLUMNS and EXTRA_COLUMNS, empty if
    missing.

    Raises RecordsError for a file that is not UTF-8 CSV, lacks `id`, or has an empty or repeated
    id.
    """
    header = _header(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            frame = pd.read_csv(
                path, dtype=str, keep_default_na=False, encoding="utf-8-sig", index_col=False
            )
        except (ValueError, pd.errors.ParserWarning) as error:
            raise RecordsError(_explain(path, header, error)) from error
    frame.columns = header
    if "id" not in frame:
        raise RecordsError(f"{path.name}: column id is missing; found {header[:20]}")
    if repeated_names := [name for name in COLUMNS if header.count(name) > 1]:
        raise RecordsError(f"{path.name}: column {repeated_names[0]} is repeated")
    ids = frame["id"]
    is_empty, is_repeat = ids.str.strip() == "", ids.duplicated()
    if is_empty.any():
        raise RecordsError(f"{path.name}: row {_row(is_empty)}, column id: empty")
    if is_repeat.any():
        row, value = _row(is_repeat), ids[is_repeat].iloc[0]
        raise RecordsError(f"{path.name}: row {row}, column id: {value!r} is repeated")
    frame = frame.reindex(columns=[*COLUMNS, *EXTRA_COLUMNS])
    for name in frame.columns.drop("id"):
        column = frame[name].astype("str").str.strip()
        frame[name] = column.mask(column.str.lower().isin(_NO_VALUE))
    return frame


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        try:
            header = next(csv.reader(lines), [])
        except (UnicodeDecodeError, csv.Error) as error:
            raise RecordsError(f"{path.name}: not a UTF-8 CSV: {error}") from error
    if not header:
        raise RecordsError(f"{path.name}: column id is missing: the file is empty")
    return [name.strip().lower() for name in header]


def _explain(path: Path, header: list[str], error: Exception) -> str:
    """Return a message that names the first row with more values than the header, if any."""
    if not isinstance(error, UnicodeDecodeError):
        with path.open(encoding="utf-8-sig", newline="") as lines:
            for number, row in enumerate(csv.reader(lines)):
                if len(row) > len(header):
                    return (
                        f"{path.name}: row {number} has {len(row)} values for {len(header)} columns"
                    )
    return f"{path.name}: not a UTF-8 CSV: {error}"


def _row(is_marked: pd.Series) -> int:
    """Return the number of the first marked record, counting from 1."""
    return int(np.flatnonzero(is_marked.to_numpy())[0]) + 1


def as_located(records: pd.DataFrame) -> pd.DataFrame:
    """Return records in the columns that matching reads; invalid ZIPs, phones and points become
    missing.

    Raises RecordsError for a non-numeric latitude or longitude, or a type outside the catalog.
    """
    types = records["resource_type"]
    is_unknown = types.notna() & ~types.isin(list(RESOURCE_TYPES))
    if is_unknown.any():
        row, value = _row(is_unknown), types[is_unknown].iloc[0]
        raise RecordsError(f"row {row}, column resource_type: {value!r} is not a type")

    def phone_number(text: str) -> str | None:
        phone = parse_phone(text)
        return phone.e164 if phone else None

    lat, lng = _number(records, "lat"), _number(records, "lng")
    is_point = lat.between(-90, 90) & lng.between(-180, 180) & ~((lat == 0) & (lng == 0))
    return pd.DataFrame(
        {
            "source_id": pd.Series(_SOURCE, records.index, dtype="str"),
            "source_key": records["id"],
            "resource_type": records["resource_type"],
            "name": records["name"],
            "organization": records["organization"],
            "address": records["address"],
            "city": records["city"],
            "state": map_unique(records["state"], lambda text: _STATES.get(text.casefold())),
            "zip": map_unique(records["zip"], _zip),
            "phone_e164": map_unique(records["phone"], phone_number),
            "website": records["website"],
            "lat": lat.where(is_point),
            "lng": lng.where(is_point),
        }
    )


def _zip(text: str) -> str | None:
    """Return five digits, with zeros that a spreadsheet dropped and without the suffix of ZIP+4."""
    digits = text.partition("-")[0].strip()
    if digits.isascii() and digits.isdigit() and 3 <= len(digits) <= 5:
        return digits.zfill(5)
    return digits[:5] if digits.isascii() and digits.isdigit() and len(digits) == 9 else None


def _number(records: pd.DataFrame, column: str) -> pd.Series:
    text = records[column]
    number = pd.to_numeric(text, errors="coerce").astype("float64")
    bad = text.notna() & ~np.isfinite(number)
    if bad.any():
        raise RecordsError(
            f"row {_row(bad)}, column {column}: {text[bad].iloc[0]!r} is not a number"
        )
    return number
