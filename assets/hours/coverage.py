"""Counts places with hours in words and places with schedules read, by source; lists reasons and
patterns of unread texts."""

from collections import Counter
from collections.abc import Iterator

import pandas as pd

from assets.hours.lexicon import Kind
from assets.hours.normalise import plain_text
from assets.hours.parse import parse_hours
from assets.hours.times import CannotTell
from assets.hours.tokens import tokens_of
from schemas.hours.schedule import READ_IN_PART

COLUMNS = ("source_id", "rows", "with_text", "read", "in_part", "not_read", "share_read")
# Kinds that vary between texts of one pattern.
_VARIABLE = {
    Kind.DAYS: "DAY",
    Kind.LETTER: "DAY",
    Kind.CLOCK: "TIME",
    Kind.ORDINAL: "NTH",
    Kind.MONTH: "MONTH",
    Kind.DATE: "DATE",
    Kind.YEAR: "YEAR",
    Kind.NUMBER: "N",
}
_LONGEST_PATTERN = 60


def hours_coverage(places: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each source with hours in words, the fullest first, and a row `total` at
    the end.

    `places` has `source_id`, `hours_text` and `schedules_json`. `in_part` is a part of `read`:
    texts with words about time that were not read. `share_read` is a share of `with_text`, from 0
    to 1. Places without a text are in `rows` only.
    """
    is_read = places["hours_text"].notna() & places["schedules_json"].notna()
    is_in_part = places["schedules_json"].str.contains(READ_IN_PART, regex=False, na=False)
    counts = pd.DataFrame(
        {
            "source_id": places["source_id"],
            "rows": 1,
            "with_text": places["hours_text"].notna().astype("int64"),
            "read": is_read.astype("int64"),
            "in_part": (is_read & is_in_part).astype("int64"),
        }
    )
    by_source = counts.groupby("source_id", as_index=False).sum()
    by_source = by_source[by_source["with_text"] > 0]
    by_source = by_source.sort_values(["with_text", "source_id"], ascending=[False, True])
    total = by_source[["rows", "with_text", "read", "in_part"]].sum().to_frame().T
    table = pd.concat([by_source, total.assign(source_id="total")], ignore_index=True)
    table["not_read"] = table["with_text"] - table["read"]
    table["share_read"] = (table["read"] / table["with_text"]).astype("float64").round(3)
    return table[list(COLUMNS)]


def reasons_not_read(texts: pd.Series, count: int = 12) -> list[tuple[str, int]]:
    """Return the commonest reasons why distinct texts of a column give no schedule."""
    readings = (parse_hours(text) for text in texts.dropna().unique())
    return Counter(r.reason for r in readings if r.reason is not None).most_common(count)


def find_unread_patterns(texts: pd.Series, count: int = 20) -> list[tuple[str, int, str]]:
    """Return the commonest unread patterns, with the number of distinct texts and an example.

    A pattern is the words of a text, with days, times and numbers replaced by kinds: "NTH DAY after
    TIME".
    """
    totals: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for text in texts.dropna().unique():
        for pattern in dict.fromkeys(_patterns(text)):
            totals[pattern] += 1
            examples.setdefault(pattern, " ".join(text.split()))
    return [(pattern, n, examples[pattern]) for pattern, n in totals.most_common(count)]


def _patterns(text: str) -> Iterator[str]:
    reading = parse_hours(text)
    plain = reading.plain or plain_text(text)
    gaps = reading.unread if reading.schedules else ((0, len(plain)),)
    for start, end in gaps:
        try:
            tokens = tokens_of(plain[start:end])
        except CannotTell:  # no such date
            continue
        words = [_VARIABLE.get(token.kind, token.text) for token in tokens]
        if pattern := " ".join(words)[:_LONGEST_PATTERN].strip(" ;,.\n"):
            yield pattern
