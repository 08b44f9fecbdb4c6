"""Hours of many rows or lines at once."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date

import pandas as pd

from assets.hours.build import FOOD_MINUTES, doubt_long_hours
from assets.hours.lexicon import Kind
from assets.hours.normalise import plain_text
from assets.hours.parse import parse_hours
from assets.hours.structured import drop_past_slots
from assets.hours.times import CannotTell
from assets.hours.tokens import split_tokens
from schemas.hours.opening import has_ended, weekly_hours_json
from schemas.hours.schedule import (
    LONG_HOURS,
    READ_IN_PART,
    Schedule,
    schedules_as_json,
    schedules_from_json,
)

# A community fridge may be open all day.
FOOD_TYPES = frozenset({"food_pantry", "food_bank", "soup_kitchen", "mobile_pantry", "emergency"})


def with_hours(places: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with `schedules_json` and `hours_json` read from `hours_text`; empty
    where unsure."""
    hours = read_hours(places["hours_text"], places.get("resource_type"))
    return pd.concat([places, hours], axis=1)


def read_hours(texts: pd.Series, types: pd.Series | None = None) -> pd.DataFrame:
    """Read a column of texts into `schedules_json` and `hours_json`, on its index; missing where
    unknown. `types` are the types of the places; without them, none gives food by itself."""
    gives_food = texts.notna() & (False if types is None else types.isin(FOOD_TYPES))
    pairs = pd.Series(list(zip(texts, gives_food, strict=True)), texts.index, dtype=object)
    readings = {pair: _as_json(*pair) for pair in pairs[texts.notna()].unique()}
    frame = pd.DataFrame(index=texts.index)
    for place, name in enumerate(("schedules_json", "hours_json")):
        values = {key: pair[place] for key, pair in readings.items() if pair[place] is not None}
        frame[name] = pairs.map(values).astype("str")
    return frame


def _as_json(text: str, gives_food: bool) -> tuple[str | None, str | None]:
    schedules = parse_hours(text).schedules
    if schedules is None:
        return None, None
    schedules = doubt_long_hours(schedules, FOOD_MINUTES if gives_food else None)
    return schedules_as_json(schedules), _as_weekly_json(schedules)


def _as_weekly_json(schedules: list[Schedule]) -> str | None:
    hours = weekly_hours_json(schedules)
    return json.dumps(hours, separators=(",", ":")) if hours else None


def hours_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield for each text a JSON array of schedules, or `null` where it cannot be read; no line
    ends.
    """
    for line in lines:
        schedules = parse_hours(line.rstrip("\r\n")).schedules
        yield (schedules_as_json(schedules) if schedules else None) or "null"


# Counts places with hours in words and places with schedules read, by source; lists patterns of
# unread texts.

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
            tokens = split_tokens(plain[start:end])
        except CannotTell:  # no such date
            continue
        words = [_VARIABLE.get(token.kind, token.text) for token in tokens]
        if pattern := " ".join(words)[:_LONGEST_PATTERN].strip(" ;,.\n"):
            yield pattern


def confirm_long_hours(rows: pd.DataFrame, publishers: dict[str, str]) -> pd.DataFrame:
    """Return `schedules_json` and `hours_json` of records, without the doubt about spans that a
    list of another publisher also gives for the place.

    `rows` has `resource_id`, `source_id` and both columns; `publishers` has each source's.
    """
    hours = rows[["schedules_json", "hours_json"]].astype(object)
    is_doubted = rows["schedules_json"].str.contains(LONG_HOURS, regex=False, na=False)
    is_known = rows["schedules_json"].notna()
    places = rows[is_known & rows["resource_id"].isin(rows.loc[is_doubted, "resource_id"])]
    for _, records in places.groupby("resource_id"):
        schedules = records["schedules_json"].map(schedules_from_json)
        by = records["source_id"].map(publishers)
        for index in records.index[is_doubted.loc[records.index]]:
            others = doubt_long_hours(schedules[by != by[index]].explode().dropna(), None)
            spans = {(other.byday, other.opens_at, other.closes_at) for other in others}
            settled = [
                doubt_long_hours([s], None)[0] if (s.byday, s.opens_at, s.closes_at) in spans else s
                for s in schedules[index]
            ]
            hours.loc[index, "schedules_json"] = schedules_as_json(settled)
            hours.loc[index, "hours_json"] = _as_weekly_json(settled)
    return hours.astype("str")


# Hours of the past.
Hours = tuple[str | None, str | None, str | None]


def without_past(hours: pd.DataFrame, today: date) -> pd.DataFrame:
    """Drop rules that ended before a day from `hours_text`, `schedules_json` and `hours_json`.

    If every rule has ended, drop the text too: it says when the place was open, not when it is.
    Closures alone do not count as hours.
    """
    texts = hours["schedules_json"]
    candidates = hours[texts.str.contains('"valid_to":"\\d{4}-', na=False)]
    pairs = candidates[["hours_text", "schedules_json"]].astype(object)
    unique = set(pairs.itertuples(index=False, name=None))
    replacements = {(text, rules): _drop_past(text, rules, today) for text, rules in unique}
    output = hours.copy()
    rows = [replacements[pair] for pair in pairs.itertuples(index=False, name=None)]
    for place, name in enumerate(("hours_text", "schedules_json", "hours_json")):
        values = pd.Series([row[place] for row in rows], candidates.index, dtype=object)
        output[name] = (
            output[name]
            .astype(object)
            .where(~output.index.isin(candidates.index), values)
            .astype("str")
        )
    return output


def _drop_past(text: str, schedules_json: str, today: date) -> Hours:
    schedules = schedules_from_json(schedules_json)
    rest = [schedule for schedule in schedules if not has_ended(schedule, today)]
    if all(schedule.is_closed for schedule in rest) and len(rest) < len(schedules):
        return None, None, None
    # Rules may outlast every slot of the text by a day.
    words = (drop_past_slots(text, today) or None) if isinstance(text, str) else None
    return words, schedules_as_json(rest), _as_weekly_json(rest)
