"""Reads hours that a list keeps in several columns, or in a list of objects, as one text.

    mon_open, mon_close, tue_open, ...       a column, or a pair, for each weekday
    daycode1, day1_open, day1_close, ...     numbered columns
    days, start, end                         days beside times
    start day, end day, start time, ...      the first and the last day of a span
    date, time                               dates beside times
    [{"repeatsOn": "Monday", "start": ...}]  a list of objects
    season, or start date and end date       the months in which the hours hold
    season1date, season1time, ...            the hours of each season
    breakfast time, lunch time               meals of one day, or of the same days

Headings say what a column is, in English or Spanish; `plan_hours` tells which columns it
understands. The text names each day before its times: "Monday 9:00 AM - 11:00 AM; Friday ...".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

from assets.sources.reading_records import flatten, objects_in
from schemas.hours.recurrence import WEEKDAYS

Role = Literal["day", "last_day", "open", "close", "text", "week", "season", "begins", "ends"]
SEASON_ROLES = ("season", "begins", "ends")

_DAY_WORDS = {
    "Monday": "monday mondays mon mo m lunes lun",
    "Tuesday": "tuesday tuesdays tues tue tu martes mar",
    "Wednesday": "wednesday wednesdays weds wed we w miercoles miércoles mie",
    "Thursday": "thursday thursdays thurs thur thu th r jueves jue",
    "Friday": "friday fridays fri fr f viernes vie",
    "Saturday": "saturday saturdays sat sa sábado sabado sabados sábados sab",
    "Sunday": "sunday sundays sun su domingo domingos dom",
}
_DAY_OF_WORD = {word: day for day, words in _DAY_WORDS.items() for word in words.split()}
_ROLE_WORDS: dict[Role, str] = {
    "day": "day days daycode weekday dayofweek dayname repeatson dia dias día días date fecha",
    "last_day": "endweekday",
    "open": "open opens opening start starts begin begins from apertura abre inicio",
    "close": "close closes closing end ends to until thru cierre cierra fin",
    "week": "week weeks weekofmonth frequency recurrence semana",
    "season": "season seasons seasonal months temporada meses",
    "begins": "firstday",
    "ends": "lastday",
    "text": "hours hour hrs hr time times schedule operation horario horarios hora horas",
}
_ROLE_OF_WORD = {word: role for role, words in _ROLE_WORDS.items() for word in words.split()}
# Words of a heading that change nothing about what its column is.
_FILLERS = frozenset(
    [
        "of",
        "the",
        "and",
        "code",
        "at",
        "site",
        "pantry",
        "food",
        "distribution",
        "service",
        "services",
        "operating",
        "business",
        "regular",
        "weekly",
        "normal",
        "name",
        "public",
        "store",
        "market",
        "pickup",
        "pick",
        "up",
        "agency",
    ]
)
_MEALS = frozenset(["breakfast", "brunch", "lunch", "snack", "supper", "dinner"])
# A dash does not say whether a place is closed on the day or its hours are not known.
_NOTHING = re.compile(r"[\W_]*|0|(?i:n/?a|none|null)")
_CLOSED = frozenset({"closed", "-", "--", "x", "cerrado"})
_YES = frozenset({"y", "yes", "true", "1", "x", "t", "si", "sí"})
_NO = frozenset({"n", "no", "false", "0", "f"})
_DIGITS_OF_SPAN = re.compile(
    r"(?<![\d:/])(\d{1,2})([0-5]\d)\s*(-|–|to)\s*(\d{1,2})([0-5]\d)(?![\d:/-])"
)
_BARE_TIME = re.compile(r"\d{1,2}(?::?\d\d)?\s*(?:[ap]\.?m\.?)?", re.IGNORECASE)
_FRACTION = re.compile(r"0?\.\d+|0|1(?:\.0+)?")
_WEEKDAY_TEXT = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*", re.IGNORECASE)


@dataclass(frozen=True)
class HoursColumn:
    """What a column of hours holds. `day` is a weekday of the heading, `number` the set of columns
    to which it belongs: its number, or the meal that it names."""

    name: str
    role: Role
    day: str | None
    number: str


@dataclass
class _Slot:
    """Columns that together give the times of one day."""

    day: str | None = None
    columns: dict[Role, str] = field(default_factory=dict)
    number: str = ""


def repeats_role(names: Iterable[str]) -> bool:
    """Tell whether two columns have the same part in the hours, of which one would be lost."""
    planned = [(c.day, c.number, c.role) for c in plan_hours(names)]
    return len(planned) > len(set(planned))


def names_days(values: pd.Series) -> float:
    """Return the share of filled cells that name weekdays and nothing else: "M, W", "Tu & Th"."""
    words = values.dropna().str.casefold().str.split(r"[\s,;/&+.]+|\band\b|\by\b", regex=True)
    is_day = [all(w in _DAY_OF_WORD or w in ("t", "") for w in each) for each in words]
    return sum(is_day) / len(is_day) if is_day else 0.0


def plan_hours(names: Iterable[str]) -> list[HoursColumn]:
    """Return what each column holds, of those whose headings tell of hours alone.

    Single letters and pairs count as weekdays only where at least five days have one.
    """
    planned = [column for name in names if (column := _plan(name)) is not None]
    short = {c.day for c in planned if c.day and len(_day_word(c.name) or "") < 3}
    is_week = len(short) >= 5
    return [c for c in planned if c.day is None or is_week or len(_day_word(c.name) or "") > 2]


def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)", " ", name)
    plain = re.sub(r"[\W_]+", " ", spaced.casefold())
    plain = re.sub(
        r"\bdays? of (?:the )?week\b|\brepeats on\b|\bdays? of operation\b|\bdays? open\b",
        "weekday",
        plain,
    )
    plain = re.sub(
        r"\bhours (?:open|of operation)\b|\bopen(?:ing)? (?:hours|times)\b", "hours", plain
    )
    # "Season1Date" beside "Season1Time", "Start Date" beside "End Date".
    plain = re.sub(r"\bseason ?(\d*) ?dates?\b", r"season \1", plain)
    plain = re.sub(r"\bseason ?(\d+) ?(?:times?|hours)\b", r"hours \1", plain)
    plain = re.sub(r"\b(?:start|begin|opening|first) date\b", "firstday", plain)
    plain = re.sub(r"\b(?:end|closing|last) date\b", "lastday", plain)
    # A span of weekdays, "Start Day" to "End Day".
    plain = re.sub(r"\b(?:start|begin|from|first) (?:day|weekday)s?\b", "weekday", plain)
    plain = re.sub(r"\b(?:end|to|thru|last) (?:day|weekday)s?\b", "endweekday", plain)
    return re.findall(r"\d+|[^\W\d_]+", plain)


def _day_word(name: str) -> str | None:
    return next((word for word in _words(name) if word in _DAY_OF_WORD), None)


def _plan(name: str) -> HoursColumn | None:
    day, role, numbers = None, None, []
    words = _words(name)
    for at, word in enumerate(words):
        if word.isdigit() or word in _MEALS:
            numbers.append(word)
        elif word in _DAY_OF_WORD and (len(word) > 2 or len(words) <= 3):
            # "Monday to Friday" is a text of several days.
            if day is not None and day != _DAY_OF_WORD[word]:
                return None
            day = _DAY_OF_WORD[word]
        elif word in _ROLE_OF_WORD:
            # "start time", "hours end", "day1_open", "open day": the last word that tells decides.
            found = _ROLE_OF_WORD[word]
            role = found if role is None or found != "text" else role
        elif word not in _FILLERS or (at == 0 and len(words) == 1):
            return None
    if role is None and day is None:
        return None
    return HoursColumn(name, role or "text", day, " ".join(numbers))


def weekly_text(rows: pd.DataFrame) -> pd.Series:
    """Return the hours of each row of text columns as one text; missing without a time.

    Raises ValueError naming a column whose heading says nothing about hours.
    """
    names = [str(name) for name in rows.columns]
    lists = [
        name for name in names if any(objects_in(text) for text in rows[name].dropna().head(20))
    ]
    planned = plan_hours(name for name in names if name not in lists)
    unknown = [n for n in names if n not in lists and n not in {c.name for c in planned}]
    if len(unknown) == 1 and not any(c.role == "text" and c.day is None for c in planned):
        planned.append(HoursColumn(unknown[0], "text", None, ""))
    elif unknown:
        raise ValueError(f"hours: the headings {unknown} do not say which day or time they hold")
    slots = _slots([column for column in planned if column.role not in SEASON_ROLES])
    seasons = [column for column in planned if column.role in SEASON_ROLES]
    texts = []
    for record in rows.to_dict("records"):
        row = {str(k): v for k, v in record.items() if isinstance(v, str) and v.strip()}
        own = {column.number for column in seasons if column.number}
        parts = _slot_texts([slot for slot in slots if slot.number not in own], row)
        for name in lists:
            parts += _object_texts(row.get(name))
        parts = _with_season(parts, _season([c for c in seasons if not c.number], row))
        for number in sorted(own):
            times = _slot_texts([slot for slot in slots if slot.number == number], row)
            parts += _with_season(times, _season([c for c in seasons if c.number == number], row))
        texts.append("; ".join(parts) or None)
    return pd.Series(texts, index=rows.index, dtype="str")


def _season(columns: Sequence[HoursColumn], row: dict[str, str]) -> str:
    """Return the season of a row: its text, else its first and last day."""
    ends = {c.role: row[c.name] for c in columns if c.role != "season" and c.name in row}
    if text := "; ".join(row[c.name] for c in columns if c.role == "season" and c.name in row):
        return text
    if len(ends) < 2:
        return ""
    return " - ".join(re.sub(r"[T ]00:00.*$", "", ends[role]) for role in ("begins", "ends"))


def _slots(planned: Sequence[HoursColumn]) -> list[_Slot]:
    """Group columns by weekday and number, in the order of the week and of the numbers."""
    slots: dict[tuple[str | None, str], _Slot] = {}
    for column in planned:
        key = (column.day, column.number)
        slots.setdefault(key, _Slot(column.day, number=column.number)).columns.setdefault(
            column.role, column.name
        )
    # The times of each meal, on the days that one column tells.
    days = slots.get((None, ""))
    meals = [slot for slot in slots.values() if slot.number in _MEALS and not slot.day]
    if days is not None and "day" in days.columns and meals:
        for slot in meals:
            slot.columns.setdefault("day", days.columns["day"])
        if set(days.columns) == {"day"}:
            del slots[None, ""]
    order = {day: at for at, day in enumerate(WEEKDAYS)}
    return [slots[key] for key in sorted(slots, key=lambda k: (order.get(k[0] or "", 7), k[1]))]


def _slot_texts(slots: Sequence[_Slot], row: dict[str, str]) -> list[str]:
    flags = [s for s in slots if s.day and set(s.columns) == {"text"}]
    values = {s.day: row.get(s.columns["text"], "").casefold() for s in flags}
    is_flagged = any(v in _YES for v in values.values()) and all(
        v in _YES | _NO | {""} for v in values.values()
    )
    if is_flagged:
        # A column of times for the days that are ticked.
        days = ", ".join(day for day, value in values.items() if day and value in _YES)
        rest = [_slot_text(slot, row, days) for slot in slots if slot not in flags]
        return [text for text in rest if text]
    parts = [(slot, text) for slot in slots if (text := _slot_text(slot, row, slot.day))]
    # Days that are closed, and no other.
    is_told = any(slot.day is None or re.search(r"\d|noon", text) for slot, text in parts)
    return [text for _, text in parts] if is_told else []


def _slot_text(slot: _Slot, row: dict[str, str], day: str | None) -> str | None:
    cells = {role: row[name] for role, name in slot.columns.items() if name in row}
    own_day = cells.get("day")
    label = day or own_day
    if day and own_day and own_day.casefold() in _NO:
        return None
    if own_day and (last := cells.get("last_day", own_day)) != own_day:
        label = f"{own_day} - {last}"
    if "week" in cells and label:
        label = f"{cells['week']} {label}"
    opens = cells.get("open")
    if opens is None and "close" in cells and _BARE_TIME.fullmatch(cells.get("text", "")):
        opens = cells["text"]  # "opening hours" beside "closing hours" is a time
    span = _span(opens, cells.get("close"))
    if span is None and "text" in cells and not _NOTHING.fullmatch(cells["text"]):
        span = _DIGITS_OF_SPAN.sub(r"\1:\2 \3 \4:\5", cells["text"])
    if span is None:
        return (
            label
            if own_day and not day and set(slot.columns) <= {"day", "last_day", "week"}
            else None
        )
    if label is None and not slot.day and "day" in slot.columns:
        return None  # times without their day
    return f"{label} {span}" if label else span


def _span(opens: str | None, closes: str | None) -> str | None:
    """Return "9 AM - 1 PM", "from 5 PM" and "until 5 PM" of one alone, "at 6 PM" if both are
    equal, "closed" if the opening time says so."""
    start, end = _time(opens), _time(closes)
    if start and end:
        return f"at {start}" if start == end else f"{start} - {end}"
    if start or end:
        return f"from {start}" if start else f"until {end}"
    is_closed = opens is not None and opens.casefold() in _CLOSED
    return "closed" if is_closed and (closes is None or closes.casefold() in _CLOSED) else None


def _time(text: str | None) -> str | None:
    """Write "9:00 AM", "09:00:00", "900" and the fraction of a day .375 as "9 AM", "09:00", "9:00",
    "9:00"."""
    if text is None or text.casefold() in _CLOSED or _NOTHING.fullmatch(text):
        return None
    text = re.sub(r"^(?:1899-12-30|1900-01-0\d|1970-01-01)[T ]", "", text)
    text = re.sub(r"^(\d{1,2}:\d{2}):\d{2}(?:\.0+)?Z?$", r"\1", text)
    text = re.sub(r"^(\d{1,2})([0-5]\d)$", r"\1:\2", text)
    if _FRACTION.fullmatch(text):
        minutes = round(float(text) * 1440)
        return f"{minutes // 60 % 24}:{minutes % 60:02d}" if minutes else None
    return re.sub(r":00(?= [AP]M)", "", text)


def _object_texts(text: str | None) -> list[str]:
    """Return a text for each object of a list: its day, its times."""
    parts = []
    for item in objects_in(text):
        members = {name: value for name, value in flatten(item).items() if value}
        planned = plan_hours(members)
        slot = _Slot()
        if not any(column.role == "day" or column.day for column in planned):
            # {"name": "Monday", "open": ...}
            names = (text for text in members.values() if text.casefold() in _DAY_OF_WORD)
            slot.day = next((_DAY_OF_WORD[name.casefold()] for name in names), None)
        for column in planned:
            slot.day = slot.day or column.day
            slot.columns.setdefault(column.role, column.name)
        part = _slot_text(slot, members, slot.day)
        if part and ("day" in slot.columns or slot.day):
            parts.append(part)
    return list(dict.fromkeys(parts))


def _with_season(parts: list[str], season: str) -> list[str]:
    """Write the season behind each part: that of its weekday where the season names days."""
    if not season or not parts:
        return parts
    pieces = [piece.strip() for piece in re.split(r"[;\n]", season) if piece.strip()]
    by_day = {m[1].casefold(): p for p in pieces if (m := _WEEKDAY_TEXT.search(p))}
    result = []
    for part in (each.strip() for text in parts for each in text.split(";") if each.strip()):
        day = _WEEKDAY_TEXT.search(part)
        piece = by_day.get(day[1].casefold(), "") if by_day and day else "" if by_day else season
        months = re.sub(r"(?i)^.*?\b(?:is|runs|open)\b\s*|\bmarkets?\b", "", piece).strip(" .:,")
        is_whole_year = re.search(r"(?i)year[ -]?(?:a?round|long)|all year|todo el año", months)
        result.append(part if not months or is_whole_year else f"{part} ({months})")
    return result
