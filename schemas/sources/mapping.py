"""Map the columns of a publisher's file to fields of the contract, declared in YAML.

A layout names a platform (whose usual mapping is in `schemas/platforms/<platform>.yaml`) or a
reader of a file format, and a rule per field:

    layouts:
      list:
        reader: table
        key: [Site Name, Address]
        columns:
          name: Site Name                        # a column
          phone: [Phone, Telephone]              # the first of them that is filled
          state: {value: VA}                     # a constant
          address: {join: [Street, Suite], separator: ", "}
          hours_text: {weekdays: "{day} Hours"}  # one column per weekday
          resource_type: {from: Type, map: {Pantry: food_pantry, Hot Meals: soup_kitchen}}
        reject:
          - {reason: closed_by_source, where: {Status: "^(?!Open)"}}

A column is found by its name regardless of case, blanks and signs; in JSON, the name of a member is
its path ("address.city", "phones.0.number").
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from schemas.hours.recurrence import WEEKDAYS
from schemas.tables.core import FACILITIES, PLACES
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.statuses import LOCATION_PRECISIONS

_CODE = re.compile(r"[a-z][a-z0-9_]*")
_FIELDS = {*PLACES.field_names, *FACILITIES.field_names}
# Filled for every row of a file alike, never by a column.
_NO_RULE = {"source_id", "source_key", "source_row", "file_name", "retrieved_at", "is_synthetic"}
# Origins of a field, besides `from`.
_ORIGINS = ("value", "template", "join", "weekdays", "hours", "each")
# What the author of a draft has to fill in; a source with it is not built
# (`schemas.sources.registry`).
TODO = "TODO"
# Type of rows that are no food assistance, such as the gardens of a list of pantries.
IGNORED = "ignore"
_CLOSED = {
    "resource_type": frozenset((*TYPE_IDS, TODO, IGNORED)),
    "location_precision": LOCATION_PRECISIONS,
}


class Expression(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"from_": "from"},
):
    """Mapping of one field. One of the first seven members is the origin; the rest shape its text,
    in the order in which they are declared here.

    `from`: a column, or the first filled of several. `value`: a constant. `template`:
    "{Street} {Unit}", missing if a part is. `join`: rules whose texts are joined by `separator`,
    without missing parts. `weekdays`: the column of each weekday with {day} for its name, or two
    such columns, for opening and closing time. `hours`: all columns that hold hours, by weekday,
    numbered, as a list of objects, with their season. `each`: a template over the objects of the
    list in the column `of`; "{opens|start}" is the first of these members that an object has.

    `extract`: the first group of a pattern. `replace`: texts by patterns. `without`: values that
    mean "missing". `only`, `unless`: patterns that a text must and must not match. `where`:
    patterns that other columns must match; `missing`: columns that must be empty. `map`: values by
    text, regardless of case; other texts become missing. `rules`: values by pattern; the first
    match counts. `otherwise`: the value if there is none. `use`: a function by name.
    """

    from_: str | list[str] | None = None
    value: str | bool | float | None = None
    template: str | None = None
    join: list[str | list[str | Expression] | Expression] | None = None
    weekdays: str | list[str] | None = None
    hours: list[str] | None = None
    each: str | None = None
    of: str | list[str] | None = None
    separator: str | None = None
    extract: str | None = None
    replace: dict[str, str] = {}
    without: list[str] = []
    only: str | None = None
    unless: str | None = None
    where: dict[str, str] = {}
    missing: list[str] = []
    map: dict[str, str | bool | None] = {}
    rules: dict[str, str] = {}
    otherwise: str | bool | None = None
    use: str | None = None

    def __post_init__(self) -> None:
        count = sum(getattr(self, name) is not None for name in ("from_", *_ORIGINS))
        if count != 1:
            raise ValueError(f"a rule needs one of from, {', '.join(_ORIGINS)}; not {count}")
        if (self.each is not None) != (self.of is not None):
            raise ValueError("`each` and `of` need each other")
        for pattern in self.patterns():
            check_pattern(pattern)

    def patterns(self) -> Iterator[str]:
        """Yield the regular expressions of the rule."""
        yield from (p for p in (self.extract, self.only, self.unless) if p is not None)
        yield from (*self.replace, *self.where.values(), *self.rules)

    def columns(self) -> Iterator[str]:
        """Yield the columns that the rule reads."""
        yield from names_of(self.from_)
        yield from names_of(self.of)
        yield from names_of(self.hours)
        yield from (*self.where, *self.missing)
        if self.template is not None:
            yield from placeholders(self.template)
        for pattern in names_of(self.weekdays):
            yield from (pattern.replace("{day}", day) for day in WEEKDAYS)
        for part in self.join or ():
            yield from columns_of(part)

    def values(self) -> Iterator[str | bool | float | None]:
        """Yield the values that the rule may produce, if they are declared."""
        yield from (*self.map.values(), *self.rules.values())
        yield from (v for v in (self.value, self.otherwise) if v is not None)


# A column, the first filled of several, or an expression.
Rule = str | list[str | Expression] | Expression


class Reject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rows rejected with a reason: those whose columns match all patterns of `where`, match none of
    `unless`, and lack every column of `missing`. Names are those of the file's columns, else of
    fields. `detail` is the text stored with the reason."""

    reason: str
    where: dict[str, str] = {}
    unless: dict[str, str] = {}
    missing: list[str] = []
    detail: Rule | None = None

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.reason):
            raise ValueError(f"reason {self.reason!r} is no code of small letters and _")
        if not (self.where or self.missing or self.unless):
            raise ValueError(f"{self.reason}: needs where, unless or missing")
        for pattern in (*self.where.values(), *self.unless.values()):
            check_pattern(pattern)

    def columns(self) -> Iterator[str]:
        yield from (*self.where, *self.unless, *self.missing)
        yield from columns_of(self.detail)


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The mapping of one layout.

    `platform` takes the rest from `schemas/platforms`; declarations here take precedence. `reader`
    is a format; "auto" decides by content. `records` is the path to the records of a JSON file
    ("results.locations"; "*" stands for every member, whose name is in the column _key). `header`
    names the columns of a file without a header. `group_rows`: rows with text in the first column
    only are headings of the rows below, which have it in the column `group`. A file without the
    `required` columns is set aside, with their names. `whole_address` is a column with street,
    city, state and ZIP; the fields' own columns fill what it leaves out. `texts` are columns made
    from others, which later rules read by name. `key` are the columns that identify a row: one is
    taken as it is, several as a digest; the default is name, street, city and ZIP. `key_fields` are
    mapped fields or `texts`, whose digest is the key of rows without `key`; of a list, the first
    filled one. A layout without `columns` gives no rows. `joins_rows`: rows with equal keys are one
    place, whose hours are joined. `nothing` are the publisher's marks for "no value" in any column.
    `ignore` are columns left unread on purpose.
    """

    platform: str | None = None
    reader: str | None = None
    records: str | None = None
    header: list[str] = []
    group_rows: bool = False
    separator: str = ","
    encoding: str = "utf-8-sig"
    required: list[str] = []
    texts: dict[str, Rule] = {}
    columns: dict[str, Rule] = {}
    whole_address: Rule | None = None
    key: Rule | None = None
    key_fields: list[str | list[str]] = []
    key_prefix: str = ""
    joins_rows: bool = False
    reject: list[Reject] = []
    nothing: list[str] = []
    ignore: list[str] = []

    def __post_init__(self) -> None:
        for field, rule in self.columns.items():
            if field not in _FIELDS or field in _NO_RULE:
                raise ValueError(f"columns: {field!r} is no field of the contract")
            for value in _values_of(rule):
                if field in _CLOSED and value is not None and value not in _CLOSED[field]:
                    raise ValueError(f"columns: {field}: {value!r} is not in its vocabulary")
        for name in (name for names in self.key_fields for name in names_of(names)):
            if name not in _FIELDS and name not in self.texts:
                raise ValueError(f"key_fields: {name!r} is no field of the contract and no text")

    def resolve(self) -> Mapping:
        """Return the mapping with its platform's declarations. Raises ValueError."""
        if self.platform is None:
            return self
        base = platforms().get(self.platform)
        if base is None:
            names = ", ".join(platforms())
            raise ValueError(f"platform {self.platform!r} is not one of {names}")
        base = base.resolve()
        nothing, values = Mapping(), msgspec.structs.asdict(self)
        own = {name: value for name, value in values.items() if value != getattr(nothing, name)}
        merged = {
            "texts": {**base.texts, **self.texts},
            "columns": {**base.columns, **self.columns},
            "reject": [*self.reject, *base.reject],
            "ignore": [*base.ignore, *self.ignore],
        }
        return msgspec.structs.replace(base, **{**own, **merged})

    def column_names(self) -> Iterator[str]:
        """Yield the columns that the mapping names, without those that it makes."""
        rules = (*self.texts.values(), *self.columns.values(), self.whole_address, self.key)
        all_rules = [*rules, *self.reject]
        for rule in all_rules:
            columns = rule.columns() if isinstance(rule, Reject) else columns_of(rule)
            yield from (name for name in columns if name not in self.texts)


def names_of(names: str | list[str] | None) -> list[str]:
    """Return one name or several as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else names


def columns_of(rule: Rule | None) -> Iterator[str]:
    """Yield the columns that a rule reads."""
    if isinstance(rule, str):
        yield rule
    elif isinstance(rule, list):
        for each in rule:
            yield from columns_of(each)
    elif rule is not None:
        yield from rule.columns()


def placeholders(template: str) -> list[str]:
    """Return the names between braces."""
    return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]


def check_pattern(pattern: str) -> None:
    """Raise ValueError for a text that is no regular expression."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"pattern {pattern!r}: {error}") from error


def _values_of(rule: Rule) -> Iterator[str | bool | float | None]:
    if isinstance(rule, list):
        for each in rule:
            yield from _values_of(each)
    elif isinstance(rule, Expression):
        yield from rule.values()


@cache
def platforms() -> dict[str, Mapping]:
    """Return the usual mapping of every platform by name, in alphabetical order.

    Raises ValueError naming the file when one is misspelled.
    """
    mappings: dict[str, Mapping] = {}
    folder = resources.files("schemas.platforms")
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".yaml"):
            try:
                mapping = msgspec.yaml.decode(entry.read_bytes(), type=Mapping)
            except (msgspec.ValidationError, ValueError) as error:
                raise ValueError(f"schemas.platforms: {entry.name}: {error}") from error
            mappings[entry.name.removesuffix(".yaml")] = mapping
    return mappings
