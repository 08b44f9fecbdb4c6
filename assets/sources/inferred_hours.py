"""Proposes how hours are to be read: a column for each weekday, a list of days, days and times."""

import re
from dataclasses import dataclass

import pandas as pd

from assets.sources.columns import Columns
from assets.sources.mapping import evaluate
from assets.sources.value_shapes import DAY, share
from schemas.hours.recurrence import WEEKDAYS
from schemas.sources.mapping import Expression, Rule, names_of, platforms

# Share of the rows, or confidence, below which nothing is proposed.
LEAST = 0.5
_FEWEST_DAYS = 2
_STARTS = ["start time", "open time", "opens", "opening time", "time open", "start", "from"]
_ENDS = ["end time", "close time", "closes", "closing time", "time close", "end", "to"]


@dataclass(frozen=True)
class Guess:
    """A column proposed for a field, with the confidence (0 to 1) and its basis."""

    field: str
    rule: Rule
    confidence: float
    why: str


def hours_in_columns(
    rows: pd.DataFrame, guesses: dict[str, Guess], used_columns: set[str]
) -> Guess | None:
    """Return a rule for hours in several columns or a list of objects; None without."""
    columns = Columns(rows)
    for rule in (*_rules_of_hours(), *_weekday_rules(rows)):
        if rule.weekdays is not None and _has_weekdays(rule, columns):
            return Guess("hours_text", rule, 0.95, "a column for each weekday")
        if rule.each is not None and evaluate(rule, columns).notna().any():
            return Guess("hours_text", rule, 0.9, "a list of days")
    days = _days_column(rows, used_columns)
    return None if days is None else _days_and_times(days, rows, columns, guesses.get("hours_text"))


def _days_and_times(
    days: str, rows: pd.DataFrame, columns: Columns, times: Guess | None
) -> Guess | None:
    """Return a column of days joined with the columns of start and end, or with the column of
    times."""
    start, end = (first_named(columns, names) for names in (_STARTS, _ENDS))
    if start and end:
        spans = Expression(join=[start, end], separator=" - ")
        return Guess("hours_text", Expression(join=[days, spans]), 0.85, "days, start and end")
    column = times.rule if times is not None else None
    if not isinstance(column, str) or column == days or share(rows[column], DAY) >= LEAST:
        return None
    return Guess("hours_text", Expression(join=[days, column]), 0.8, "days and times")


def _rules_of_hours() -> list[Expression]:
    rule = platforms()["table"].resolve().columns["hours_text"]
    parts = rule if isinstance(rule, list) else []
    return [part for part in parts if isinstance(part, Expression)]


def _weekday_rules(rows: pd.DataFrame) -> list[Expression]:
    """Return rules for columns that differ in a weekday only: "open_hours.mon",
    "week.friday.open"."""
    patterns: dict[str, None] = {}
    for column in rows:
        if match := _WEEKDAY_IN_NAME.match(str(column)):
            patterns[f"{match[1]}{{day}}{match[3]}"] = None
    pairs = [
        [first, first.removesuffix(start) + end]
        for first in patterns
        for start, end in _ENDS_OF_SPANS
        if first.endswith(start) and first.removesuffix(start) + end in patterns
    ]
    return [
        *(Expression(weekdays=pair) for pair in pairs),
        *(Expression(weekdays=pattern) for pattern in patterns),
    ]


_WEEKDAY_IN_NAME = re.compile(
    r"^(.*?)((?<![a-z])(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|nesday|sday|rsday"
    r"|urday)?)(?![a-z])(.*)$",
    re.IGNORECASE,
)
_ENDS_OF_SPANS = [("open", "close"), ("opens", "closes"), ("start", "end"), ("from", "to")]


def _has_weekdays(rule: Expression, columns: Columns) -> bool:
    """Check for the columns of two weekdays: lists omit days on which nothing is open."""
    for pattern in names_of(rule.weekdays):
        forms = ([pattern.replace("{day}", form) for form in (day, day[:3])] for day in WEEKDAYS)
        if sum(any(columns.name_of(name) for name in names) for names in forms) < _FEWEST_DAYS:
            return False
    return True


def first_named(columns: Columns, names: list[str]) -> str | None:
    return next((column for name in names if (column := columns.name_of(name))), None)


def add_numbered_hours(rows: pd.DataFrame, guesses: dict[str, Guess]) -> None:
    """Join "Distribution 2" and "Distribution 3" to the hours in "Distribution 1"."""
    guess = guesses.get("hours_text")
    if guess is None:
        return
    rule = guess.rule
    parts = rule.join if isinstance(rule, Expression) and rule.join else [rule]
    names = [part for part in parts if isinstance(part, str)]
    if len(names) != len(parts) or not all(name.rstrip().endswith("1") for name in names):
        return
    stems = [name.rstrip().removesuffix("1") for name in names]
    sets = [[f"{stem}{n}" for stem in stems] for n in range(2, 10)]
    others = [each for each in sets if all(name in rows for name in each)]
    if others:
        slots: list[str | list[str | Expression] | Expression] = [
            Expression(join=list(each)) if len(each) > 1 else each[0] for each in (names, *others)
        ]
        expression = Expression(join=slots, separator="; ")
        guesses["hours_text"] = Guess(
            "hours_text", expression, guess.confidence, "numbered columns"
        )


def _days_column(rows: pd.DataFrame, used_columns: set[str]) -> str | None:
    """Return a column of weekdays without times."""
    for column in rows:
        if column not in used_columns and column != "source_row":
            values = rows[column]
            if share(values, DAY) > 0.7 and share(values, r"\d{1,2}:\d\d|\d ?[ap]m") < 0.3:
                return str(column)
    return None
