"""Samples telephone numbers of the data set for checking by hand, and reads the results.

The method: one sample for each release, stratified by type. Each type gets its share of the sample,
at least one number; within a type the numbers come in the order of SHA-256 of the release's id and
the number, so that anybody who repeats the draw gets the same sample and nobody chooses. A person
looks each number up in the place's own or the publisher's listing and records the result.
"""

import csv
import hashlib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pandas as pd

FILE_NAME = "phone_lookups.csv"
LOOKUP_COLUMNS = ("phone_e164", "looked_up_on", "result", "by")
# right: the number is the place's. wrong: it is another's, or out of service. unclear: nothing was
# found either way.
RESULTS = ("right", "wrong", "unclear")
SAMPLE_SIZE = 50
METHOD = (
    "Sample of each release, stratified by type: every type has its share, at least one number, "
    "in the order of SHA-256 of release id and number. A person looks each number up in the "
    "place's or its publisher's own listing."
)
_SHOWN = ["id", "name", "resource_type", "city", "state", "phone", "website", "phone_e164"]


class LookupFileError(ValueError):
    """A file of results cannot be read; the message names the line and the expected values."""


@dataclass(frozen=True)
class PhoneLookups:
    """Results of looking up the numbers that the data set lists now."""

    numbers: int
    looked_up: int = 0
    right: int = 0
    wrong: int = 0
    unclear: int = 0
    first_date: str | None = None
    last_date: str | None = None


def draw_sample(resources: pd.DataFrame, release_id: str, size: int = SAMPLE_SIZE) -> pd.DataFrame:
    """Return about `size` rows with different numbers by type; equal for equal arguments."""
    numbered = (
        resources.dropna(subset=["phone_e164"]).sort_values("id").drop_duplicates("phone_e164")
    )
    turn = numbered["phone_e164"].map(
        lambda phone: hashlib.sha256(f"{release_id}:{phone}".encode()).hexdigest()
    )
    in_order = numbered.assign(turn=turn).sort_values(["resource_type", "turn"])
    of_type = in_order.groupby("resource_type")
    share = of_type["id"].transform("size") * size / max(len(in_order), 1)
    sample = in_order[of_type.cumcount() < share.round().clip(lower=1)]
    return sample[_SHOWN].assign(looked_up_on="", result="", by="").reset_index(drop=True)


def read_lookups(path: Path) -> pd.DataFrame:
    """Return results in `LOOKUP_COLUMNS`. Raises LookupFileError naming the line."""
    if not path.is_file():
        return pd.DataFrame(columns=list(LOOKUP_COLUMNS))
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        missing = set(LOOKUP_COLUMNS) - set(reader.fieldnames or ())
        if missing:
            raise LookupFileError(f"{path.name}: no column {', '.join(sorted(missing))}")
        rows = [
            _lookup(row, f"{path.name}, line {reader.line_num}")
            for row in reader
            if (row["result"] or "").strip()
        ]
    return pd.DataFrame(rows, columns=list(LOOKUP_COLUMNS))


def _lookup(row: dict[str, str | None], where: str) -> dict[str, str]:
    values = {name: (row[name] or "").strip() for name in LOOKUP_COLUMNS}
    values["result"] = values["result"].casefold()
    if values["result"] not in RESULTS:
        raise LookupFileError(
            f"{where}: result is {values['result']!r}, not one of {', '.join(RESULTS)}"
        )
    try:
        date.fromisoformat(values["looked_up_on"])
    except ValueError as error:
        raise LookupFileError(f"{where}: looked_up_on is no date such as 2026-11-20") from error
    return values


def summary(lookups: pd.DataFrame, resources: pd.DataFrame) -> PhoneLookups:
    """Return counts of the last result of every number that is listed; others no longer count."""
    listed_numbers = resources["phone_e164"].dropna().unique()
    last = lookups.sort_values("looked_up_on", kind="stable").drop_duplicates(
        "phone_e164", keep="last"
    )
    last = last[last["phone_e164"].isin(listed_numbers)]
    counts = {result: int(last["result"].eq(result).sum()) for result in RESULTS}
    days = last["looked_up_on"]
    return PhoneLookups(
        numbers=len(listed_numbers),
        looked_up=len(last),
        **counts,
        first_date=days.min() if len(days) else None,
        last_date=days.max() if len(days) else None,
    )


def sentence(lookups: PhoneLookups) -> str:
    """Return the result in words."""
    if not lookups.looked_up:
        return "No number was looked up by a person for this release."
    return (
        f"{lookups.looked_up} of {lookups.numbers} numbers were looked up by a person from "
        f"{lookups.first_date} to {lookups.last_date}: {lookups.right} right, {lookups.wrong} "
        f"wrong, {lookups.unclear} unclear. {METHOD}"
    )
