"""Reads a source's file by the mapping that its YAML declares (`schemas.sources.mapping`)."""

import re
from collections.abc import Callable, Iterable, Iterator

import pandas as pd

from assets.cleaning.withheld import is_shelter
from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.food_services import (
    food_sections,
    only_delivers,
    type_by_loose_terms,
    type_by_terms,
    type_by_text,
    without_contacts,
)
from assets.sources.free_text import (
    as_dates,
    by_rules,
    contains,
    digests,
    five_digits,
    language_tags,
    says_when,
    type_by_name,
    website_without_email,
    with_owner,
    without_emails,
)
from assets.sources.headings import OtherNames, plain_heading, renaming
from assets.sources.hours_by_weekday import weekly_text
from assets.sources.kinds import kind_by_name, kind_in_name
from assets.sources.markup import plain_text, with_spaced_cells
from assets.sources.readers import read_frame
from assets.sources.reading import (
    as_number,
    first_filled,
    join_texts,
    with_known,
    with_rejects,
    without_sentinels,
)
from assets.sources.reading_records import flatten, objects_in
from assets.sources.whole_addresses import address_parts
from schemas.hours.recurrence import WEEKDAYS
from schemas.sources.mapping import (
    IGNORED,
    TODO,
    Expression,
    Mapping,
    Reject,
    Rule,
    columns_of,
    names_of,
    placeholders,
)
from schemas.sources.registry import Source
from schemas.vocab.states import STATE_CODES

_NO_COLUMNS = ("source_row", "reject_reason", "reject_detail")


class Columns:
    """The columns of a file by name, recording which were read. `other_names` are a column's names
    in other editions (`schemas.sources.registry.Source`)."""

    def __init__(self, rows: pd.DataFrame, other_names: OtherNames | None = None) -> None:
        self.rows = rows
        self._other_names = other_names
        self.used: set[str] = set()
        self._names: dict[str, str | None] = {}

    def name_of(self, heading: str) -> str | None:
        """Return the file's own name of a column, None without it."""
        if heading not in self._names:
            self._names[heading] = self._find(heading)
        return self._names[heading]

    def _find(self, heading: str) -> str | None:
        if heading in self.rows:
            return heading
        exact = next(iter(renaming(self.rows.columns, [heading], self._other_names)), None)
        if exact is not None or "." in heading:
            return exact
        # The member of a nested object, if only one has the name.
        plain = plain_heading(heading)
        ends = [n for n in self.rows.columns if plain_heading(n.rpartition(".")[2]) == plain]
        ends = [name for name in ends if "." in name and ".0." not in name]
        return ends[0] if len(ends) == 1 else None

    def add(self, name: str, column: pd.Series) -> None:
        """Add a derived column."""
        self.rows = self.rows.assign(**{name: column})
        self._names[name] = name
        self.used.add(name)

    def text(self, heading: str) -> pd.Series:
        """Return a column; empty if the file lacks it."""
        name = self.name_of(heading)
        if name is None:
            return pd.Series(None, index=self.rows.index, dtype="str")
        self.used.add(name)
        return self.rows[name]

    def first(self, names: Iterable[str]) -> pd.Series:
        """Return the first non-empty value of several columns, row by row."""
        return first_filled([self.text(name) for name in names])

    def name_of_weekday(self, pattern: str, day: str) -> str | None:
        """Return the file's name of a weekday's column, which may be abbreviated: "Monday", "Mon",
        "M"; None without it."""
        forms = (pattern.replace("{day}", form) for form in (day, day[:3], day[:4], day[:2]))
        return next(filter(None, map(self.name_of, forms)), None)

    def weekday(self, pattern: str, day: str) -> pd.Series:
        """Return the column of a weekday; empty if the file lacks it."""
        return self.text(self.name_of_weekday(pattern, day) or pattern.replace("{day}", day))

    def list_unused(self, ignored: Iterable[str]) -> list[str]:
        """Return non-empty columns that no rule has read and that are not explicitly ignored."""
        plain = {plain_heading(name) for name in ignored}
        return [
            name
            for name in self.rows.columns
            if name not in self.used
            and name not in _NO_COLUMNS
            and plain_heading(name) not in plain
            and self.rows[name].notna().any()
        ]


# Reason of rows whose type the mapping does not know.
UNKNOWN_TYPE = "unknown_type"
_ADDRESS = ("address", "city", "state", "zip")
_FREE_TEXTS = (
    "hours_text",
    "services_text",
    "requirements_text",
    "eligibility_text",
    "notes",
    "phone",
)
_TRUE, _FALSE = ("true", "yes", "y", "1", "x", "t"), ("false", "no", "n", "0", "f")

_DAY = (
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?|s)?\b|\bdaily\b|\bweekdays?\b"
    r"|\bevery ?day\b|\bM ?- ?F\b|\bcall\b|\bappointment\b"
)
_EMPTY = "\0"
_EMPTY_BRACKETS = re.compile(r"\([^()]*\0[^()]*\)")
# "{opens}-{closes}" with one end missing.
_LOOSE_DASH = re.compile(r"(?:(?<=\s)|^)\0+\s?-\s?|\s?-\s?\0+(?=\s|$)")

# The conversions that `use` names.
FUNCTIONS: dict[str, Callable[[pd.Series], pd.Series]] = {
    "type_by_name": type_by_name,
    "kind_by_name": kind_by_name,
    "kind_in_name": kind_in_name,
    "mobile_by_name": lambda column: type_by_name(column).where(lambda t: t == "mobile_pantry"),
    "type_by_terms": type_by_terms,
    "type_by_loose_terms": type_by_loose_terms,
    "type_by_text": type_by_text,
    "food_sections": lambda column: without_contacts(without_emails(food_sections(column))),
    "is_shelter": is_shelter,
    "with_owner": with_owner,
    "when_it_only_delivers": lambda column: column.where(only_delivers(column)),
    "when_it_names_a_day": lambda column: column.where(contains(column, _DAY)),
    "without_contacts": without_contacts,
    "plain_text": lambda column: without_contacts(plain_text(column)),
    "five_digits": five_digits,
    "us_state": lambda column: column.where(column.isin(STATE_CODES)),
    "when_it_says_when": lambda column: column.where(says_when(column)),
    "unless_it_says_when": lambda column: column.mask(says_when(column)),
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's rows in one frame of the contract; none of a layout without columns.

    Raises UnreadableFileError naming the columns that are missing.
    """
    mapping = source.layouts[file.layout].resolve()
    if not mapping.columns:
        return
    places, _ = map_file(file, source, mapping)
    yield places


def map_file(file: RawFile, source: Source, mapping: Mapping) -> tuple[pd.DataFrame, Columns]:
    """Return a file's rows in the contract, and its columns with those that were read."""
    rows = read_frame(file, mapping, mapping.required)
    rows = with_groups(rows) if mapping.group_rows else rows
    rows = without_sentinels(rows, mapping.nothing) if mapping.nothing else rows
    columns = Columns(rows, file.other_names)
    # Without a declaration, the name's column or one of its alternatives.
    named = [name for name in columns_of(mapping.columns.get("name")) if name != TODO]
    required = [[name] for name in mapping.required] or ([named] if named else [])
    missing = [names[0] for names in required if not any(columns.name_of(name) for name in names)]
    if missing and len(columns.rows):
        present = [name for name in columns.rows.columns if name != "source_row"]
        raise UnreadableFileError(
            f"{file.name}: columns {missing} are missing; found {present[:30]}"
        )
    return map_rows(columns, mapping, file, source), columns


def map_rows(columns: Columns, mapping: Mapping, file: RawFile, source: Source) -> pd.DataFrame:
    """Return the rows in the contract, with key and rejects."""
    for name, rule in mapping.texts.items():
        columns.add(name, evaluate(rule, columns))
    places = pd.DataFrame({"source_row": columns.rows["source_row"]})
    for field, rule in mapping.columns.items():
        places[field] = _finish(field, evaluate(rule, columns))
    if mapping.whole_address is not None:
        places = _with_whole_address(places, evaluate(mapping.whole_address, columns), file, source)
    type_checks = _check_types(places, columns, mapping)
    places = with_known(places, file, source)
    places["source_key"] = _keys(places, columns, mapping)
    checks = [_check(reject, columns, places) for reject in mapping.reject]
    if "reject_reason" in columns.rows:
        reasons = columns.rows["reject_reason"]
        for reason in reasons.dropna().unique():
            checks.append((reason, reasons == reason, columns.text("reject_detail")))
    places = with_rejects(places, [*checks, *type_checks])
    return _join_rows(places) if mapping.joins_rows and "hours_text" in places else places


def _join_rows(places: pd.DataFrame) -> pd.DataFrame:
    """Give the first row of a place the hours of all its rows, and set the others aside."""
    usable = places[places["reject_reason"].isna()]
    by_key = usable.groupby("source_key", sort=False)
    hours = by_key["hours_text"].agg(lambda texts: "; ".join(dict.fromkeys(texts.dropna())))
    is_later = usable["source_key"].duplicated()
    first_rows = by_key["source_row"].transform("first")
    later, first = is_later[is_later].index, is_later[~is_later].index
    joined = places.loc[first, "source_key"].map(hours)
    places.loc[first, "hours_text"] = joined.mask(joined == "").astype("str")
    places.loc[later, "reject_reason"] = "joined_with_earlier_row"
    places.loc[later, "reject_detail"] = "row " + first_rows[later].astype("str")
    return places


def _check_types(
    places: pd.DataFrame, columns: Columns, mapping: Mapping
) -> list[tuple[str, pd.Series, pd.Series]]:
    """Return the rows that their type keeps out: values that the mapping ignores, and values that
    it does not know, which never get the default type."""
    if "resource_type" not in places:
        return []
    types = places["resource_type"]
    rule = mapping.columns["resource_type"]
    texts = [
        FUNCTIONS[part.use](columns.first([name])) if part.use else columns.text(name)
        for part in (rule if isinstance(rule, list) else [rule])
        if isinstance(part, Expression) and part.map
        for name in names_of(part.from_)
    ]
    if not texts:
        return []
    mapped = first_filled(texts)
    is_ignored, is_unknown = types == IGNORED, types.isna() & mapped.notna()
    places["resource_type"] = types.mask(is_ignored)
    return [("not_food_assistance", is_ignored, mapped), (UNKNOWN_TYPE, is_unknown, mapped)]


def evaluate(rule: Rule, columns: Columns) -> pd.Series:
    """Return the values of a rule, row by row: text, or booleans if its vocabulary has them."""
    if isinstance(rule, str):
        return columns.text(rule)
    if isinstance(rule, list):
        return first_filled([evaluate(each, columns) for each in rule])
    if rule.weekdays is not None:
        return _limit(_weekly(rule, columns), rule, columns)
    if rule.hours is not None:
        present = [name for heading in rule.hours if (name := columns.name_of(heading))]
        texts = {name: columns.text(name) for name in present}
        weekly = weekly_text(pd.DataFrame(texts, index=columns.rows.index))
        return _limit(weekly, rule, columns)
    return _shape(_limit(_cut_text(_origin(rule, columns), rule), rule, columns), rule)


def with_groups(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows without those that only have a text in the first column, the headings of the rows
    below: they come as column `group`."""
    cells = rows.drop(columns="source_row")
    first = cells.columns[0]
    is_heading = cells[first].notna() & (cells.notna().sum(axis=1) == 1)
    groups = cells[first].where(is_heading).ffill()
    return rows.assign(group=groups)[~is_heading].reset_index(drop=True)


def _origin(rule: Expression, columns: Columns) -> pd.Series:
    index = columns.rows.index
    if rule.value is not None:
        is_text = isinstance(rule.value, str)
        return pd.Series(rule.value, index=index, dtype="str" if is_text else "object")
    if rule.template is not None:
        return _fill(rule.template, {n: columns.text(n) for n in placeholders(rule.template)})
    if rule.join is not None:
        parts = [evaluate(part, columns) for part in rule.join]
        return join_texts(*parts, separator=" " if rule.separator is None else rule.separator)
    if rule.each is not None:
        return _each(columns.first(names_of(rule.of)), rule.each, rule.separator or "; ")
    return columns.first(names_of(rule.from_))


def _fill(template: str, parts: dict[str, pd.Series]) -> pd.Series:
    """Fill the template with texts for its names; missing if one of them is."""
    index = next(iter(parts.values())).index
    text = pd.Series(template, index=index, dtype="str")
    for name, column in parts.items():
        pairs = zip(text, column, strict=True)
        values = [
            t.replace("{" + name + "}", str(c)) if pd.notna(t) and pd.notna(c) else None
            for t, c in pairs
        ]
        text = pd.Series(values, index=index, dtype="str")
    return text


def _each(column: pd.Series, template: str, separator: str) -> pd.Series:
    """Return the template filled by each object of a list, members that are missing left out."""
    names = placeholders(template)
    texts: dict[str, str | None] = {}
    for text in column.dropna().unique():
        lines = [_line(template, names, flatten(item)) for item in objects_in(text)]
        texts[text] = separator.join(dict.fromkeys(line for line in lines if line)) or None
    return column.map(texts).astype("str")


def _line(template: str, names: list[str], members: dict[str, str | None]) -> str:
    """Fill the template, without the dash of a span that lacks one end; "" if only its first member
    is present (a day without times), or times without their day."""
    values = {
        name: next((value for part in name.split("|") if (value := members.get(part))), "").strip()
        for name in names
    }
    if not any(values[name] for name in names[1:] or names):
        return ""
    if "day" in names[0].casefold() and not values[names[0]]:
        return ""
    line = template
    for name in names:
        line = line.replace("{" + name + "}", values[name] or _EMPTY)
    line = _LOOSE_DASH.sub("", _EMPTY_BRACKETS.sub("", line)).replace(_EMPTY, "")
    return " ".join(line.split()).strip(" -,;:")


def _weekly(rule: Expression, columns: Columns) -> pd.Series:
    patterns = names_of(rule.weekdays)
    if not any(columns.name_of_weekday(name, day) for day in WEEKDAYS for name in patterns):
        return columns.weekday(patterns[0], WEEKDAYS[0])  # few lists have columns of weekdays
    roles = ["hours"] if len(patterns) == 1 else ["open", "close"]
    days = {
        f"{day} {role}": _cut_text(columns.weekday(pattern, day), rule)
        for day in WEEKDAYS
        for pattern, role in zip(patterns, roles, strict=True)
    }
    return weekly_text(pd.DataFrame(days))


def _cut_text(column: pd.Series, rule: Expression) -> pd.Series:
    """Apply the conversions that cut a text: extract, replace, without."""
    if rule.extract is not None:
        column = column.str.extract(rule.extract, expand=True)[0].str.strip()
    for pattern, text in rule.replace.items():
        column = column.str.replace(pattern, text, regex=True).str.strip()
    if rule.without:
        column = column.mask(column.str.casefold().isin([text.casefold() for text in rule.without]))
    if rule.replace or rule.extract is not None:
        column = column.mask(column == "")
    return column


def _limit(column: pd.Series, rule: Expression, columns: Columns) -> pd.Series:
    """Apply the conversions that drop a text: only, unless, where, missing."""
    if rule.only is not None:
        column = column.where(contains(column, rule.only))
    if rule.unless is not None:
        column = column.mask(contains(column, rule.unless))
    for name, pattern in rule.where.items():
        column = column.where(contains(columns.text(name), pattern))
    for name in rule.missing:
        column = column.where(columns.text(name).isna())
    return column


def _shape(column: pd.Series, rule: Expression) -> pd.Series:
    """Apply the conversions that replace values: use, map, rules, otherwise."""
    if rule.use is not None:
        if rule.use not in FUNCTIONS:
            raise ValueError(f"use: {rule.use!r} is not one of {', '.join(FUNCTIONS)}")
        column = FUNCTIONS[rule.use](column)
    if rule.map or rule.rules:
        value_of_text = {text.casefold(): value for text, value in rule.map.items()}
        is_flag = any(isinstance(v, bool) for v in value_of_text.values())
        values = column.str.casefold().map(value_of_text).astype("object" if is_flag else "str")
        if rule.rules:
            values = values.fillna(by_rules(column, tuple(rule.rules.items())))
        column = values
    return column if rule.otherwise is None else column.where(column.notna(), rule.otherwise)


def _finish(field: str, column: pd.Series) -> pd.Series:
    """Return the values of a field in the contract's type, without personal data."""
    if field.endswith("_date"):
        return as_dates(column, "%Y-%m-%d")
    if field.startswith(("is_", "accepts_", "requires_")):
        return _booleans(column)
    if field in _FREE_TEXTS:
        return without_emails(with_spaced_cells(column))
    convert = _OWN_TYPES.get(field)
    return convert(column) if convert else column


_OWN_TYPES: dict[str, Callable[[pd.Series], pd.Series]] = {
    "lat": as_number,
    "lng": as_number,
    "website": website_without_email,
    "languages": language_tags,
}


def _booleans(column: pd.Series) -> pd.Series:
    def truth(value: object) -> bool | None:
        if isinstance(value, bool):
            return value
        text = value.casefold() if isinstance(value, str) else ""
        return True if text in _TRUE else False if text in _FALSE else None

    return pd.Series([truth(value) for value in column], index=column.index, dtype="object")


def _with_whole_address(
    places: pd.DataFrame, whole: pd.Series, file: RawFile, source: Source
) -> pd.DataFrame:
    """Fill in the parts of whole addresses if no column has the street, or none the city; the
    fields' own columns fill gaps. A street that repeats its city or ZIP loses them."""
    layout = source.layout_of(file.name)
    state = (layout.known if layout else {}).get("state")
    parts = address_parts(whole, state)
    empty = pd.Series(None, places.index, dtype="str")
    own = {name: places.get(name, empty) for name in _ADDRESS}
    has_street = "address" in places
    is_whole = own["city"].isna()
    if not has_street:
        # The postal town of the address, not the town that a list is sorted by.
        is_whole |= parts["city"].notna() & (parts["state"].notna() | parts["zip"].notna())
    repeats = (parts["zip"] == five_digits(own["zip"])) & parts["zip"].notna()
    repeats |= (parts["city"].str.casefold() == own["city"].str.casefold()) & parts["zip"].notna()
    for name in _ADDRESS:
        filled = own[name].fillna(parts[name]) if not has_street and name != "city" else own[name]
        places[name] = parts[name].fillna(own[name]).where(is_whole, filled)
    places["address"] = parts["address"].where(repeats & ~is_whole, places["address"])
    return places


def _keys(places: pd.DataFrame, columns: Columns, mapping: Mapping) -> pd.Series:
    """Return the publisher's own key, else a digest of the columns that identify a row."""
    zips = set(columns_of(mapping.columns.get("zip")))
    if isinstance(mapping.key, list):
        texts = [
            five_digits(columns.text(part))
            if isinstance(part, str) and part in zips
            else evaluate(part, columns)
            for part in mapping.key
        ]
        return mapping.key_prefix + digests(*texts)
    own = None if mapping.key is None else mapping.key_prefix + evaluate(mapping.key, columns)
    if own is not None and own.notna().all():
        return own.astype("str")
    empty = pd.Series(None, index=places.index, dtype="str")
    if mapping.key_fields:
        texts = [
            first_filled([places[n] if n in places else columns.text(n) for n in names_of(names)])
            for names in mapping.key_fields
        ]
        digest = mapping.key_prefix + digests(*texts)
    else:
        texts = [places.get(name, empty) for name in ("name", *_ADDRESS)]
        texts[-1] = five_digits(texts[-1])
        digest = digests(*texts)
    return digest if own is None else own.fillna(digest).astype("str")


def _check(
    reject: Reject, columns: Columns, places: pd.DataFrame
) -> tuple[str, pd.Series, pd.Series]:
    """Return reason, rows and detail of a reject."""

    def text(name: str) -> pd.Series:
        if columns.name_of(name) is None and name in places:
            return places[name].astype("str")
        return columns.text(name)

    applies = pd.Series(True, index=places.index)
    for name, pattern in reject.where.items():
        applies &= contains(text(name), pattern)
    for name, pattern in reject.unless.items():
        applies &= ~contains(text(name), pattern)
    for name in reject.missing:
        applies &= text(name).isna()
    if reject.detail is not None:
        detail = evaluate(reject.detail, columns)
    else:
        names = [*reject.where, *reject.unless]
        detail = join_texts(*(text(name) for name in names), separator="; ") if names else None
    if detail is None:
        detail = pd.Series("missing: " + ", ".join(reject.missing), places.index, dtype="str")
    return reject.reason, applies, detail
