"""Loads policy parameters from content/facts/*.yaml: figures, dates, telephones, addresses.

A file has sources and parameters; a parameter has an id (`snap.max_allotment`), a description, a
unit and one value for each period:

    as_of: 2026-11-20       # the day the sources were read, unless a period says otherwise
    check_by: 2027-12-31    # the last day of periods without an end, unless a period says otherwise
    sources:
      cola27: {publisher: USDA, title: ..., url: ..., seen: ...}
    facts:
      snap.max_allotment:
        what: Most SNAP for a month, by area and household size
        unit: USD a month
        periods:
        - {from: 2026-10-01, to: 2027-09-30, source: cola27, value: {contiguous: {by_size: {1: 306},
          ...}}}

`to` is the last day of the period. Without it the value is valid until `check_by`, the day by which
somebody must have confirmed it at its source; after that day it is not published. A published value
names a document of the authority that makes the rule or runs the service (`PRIMARY_HOSTS`). A table
with `by_size` is read with a household size, beyond its last row with `each_additional`. A value
that no such document confirms is marked `unverified` and never published.

    figures = FactsOn(date(2026, 11, 22))
    figures.value("snap.max_allotment", "contiguous", 4)            -> 1023
    figures.find("snap.max_allotment", "contiguous", 4).source_url
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import msgspec

# Accepted hosts for published facts: governments, and the operators of the service or program.
PRIMARY_HOSTS = (
    ".gov",
    ".mil",
    ".us",
    "fns-prod.azureedge.us",  # files of USDA's Food and Nutrition Service
    "omb.report",  # documents that agencies filed with the Office of Management and Budget
    "www.law.cornell.edu",  # text of the United States Code
    # States' application pages for SNAP.
    "benefitscal.com",
    "www.myaccessflorida.com",
    "okdhslive.org",
    "www.yourtexasbenefits.com",
    "www.washingtonconnection.org",
    "blogs.microsoft.com",  # on its own program for employees
)


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names the document that states a fact.

    `seen` says how it was read, if not at its own address; `also` lists further documents, for a
    fact that several of them state together.
    """

    title: str
    url: str | None = None
    publisher: str | None = None
    seen: str | None = None
    also: list[str] = []

    @property
    def is_primary(self) -> bool:
        """Return whether a published fact may rest on it."""
        host = urlsplit(self.url or "").hostname or ""
        return bool(self.publisher) and f".{host}".endswith(_PRIMARY_SUFFIXES)


_PRIMARY_SUFFIXES = tuple(f".{host.removeprefix('.')}" for host in PRIMARY_HOSTS)


class Period(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The value between two days, both included."""

    value: Any
    source: str
    from_date: date | None = msgspec.field(name="from", default=None)
    to_date: date | None = msgspec.field(name="to", default=None)
    as_of: date | None = None
    check_by: date | None = None
    note: str | None = None
    unverified: bool = False


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One fact. `past` marks one that is known for earlier times only and is never shown as of
    today.
    """

    what: str
    periods: list[Period]
    unit: str | None = None
    past: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    as_of: date
    check_by: date
    sources: dict[str, Source]
    facts: dict[str, Fact]


@dataclass(frozen=True)
class FactValue:
    """A value and its source. `as_of` is the day the source was read."""

    id: str
    value: Any
    unit: str | None
    effective_from: date | None
    effective_to: date | None
    source_title: str
    source_url: str | None
    as_of: date
    note: str | None = None


class UnknownFact(KeyError):
    """No fact has this id, or it has no such entry."""


class FactNotInForce(LookupError):
    """The fact has no value on that day."""


@dataclass(frozen=True)
class _Definition:
    fact: Fact
    file: _File


@lru_cache(maxsize=1)
def _everything() -> dict[str, _Definition]:
    """Return every fact by id. Raises msgspec.ValidationError or ValueError, naming the file,
    when one is damaged."""
    definitions: dict[str, _Definition] = {}
    folder = resources.files("content") / "facts"
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".yaml"):
            continue
        try:
            file = msgspec.yaml.decode(entry.read_bytes(), type=_File)
        except msgspec.ValidationError as error:
            raise msgspec.ValidationError(f"{entry.name}: {error}") from error
        for fact_id, fact in file.facts.items():
            if fact_id in definitions:
                raise ValueError(f"{entry.name}: {fact_id} is in another file too")
            _check(entry.name, fact_id, fact, file)
            periods = [
                period
                if period.to_date or period.check_by
                else msgspec.structs.replace(period, check_by=file.check_by)
                for period in fact.periods
            ]
            definitions[fact_id] = _Definition(msgspec.structs.replace(fact, periods=periods), file)
    return definitions


def _check(name: str, fact_id: str, fact: Fact, file: _File) -> None:
    """Check that periods have sources and do not overlap. Raises ValueError."""
    if not fact.periods:
        raise ValueError(f"{name}: {fact_id} has no period")
    last: date | None = None
    for period in sorted(fact.periods, key=lambda p: p.from_date or date.min):
        start = period.from_date or date.min
        source = file.sources.get(period.source)
        if source is None:
            raise ValueError(
                f"{name}: {fact_id} names the source {period.source!r}, which is not there"
            )
        if not period.unverified and not source.is_primary:
            raise ValueError(
                f"{name}: {fact_id} rests on {period.source!r}, which is no primary source:"
                " give it a publisher and a url of PRIMARY_HOSTS, or mark the period unverified"
            )
        if period.to_date is not None and period.to_date < start:
            raise ValueError(f"{name}: {fact_id} ends on {period.to_date}, before it begins")
        if last is not None and start <= last:
            raise ValueError(f"{name}: {fact_id} has two values on {start}")
        last = period.to_date or date.max


def _last_day(period: Period) -> date:
    """Return the last day on which a period's value may be published."""
    return period.to_date or period.check_by or date.max


def _period(definition: _Definition, on: date) -> Period | None:
    for period in definition.fact.periods:
        is_in_force = (period.from_date or date.min) <= on <= _last_day(period)
        if is_in_force and not period.unverified:
            return period
    return None


def _entry(fact_id: str, value: Any, keys: tuple[str | int, ...]) -> Any:
    """Return the entry under `keys`; a household size beyond a table's last row is added up."""
    for key in keys:
        if isinstance(value, dict) and isinstance(key, int) and "by_size" in value:
            value = of_size(value, key)
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            raise UnknownFact(f"{fact_id}: no entry {key!r}")
    return value


def of_size(table: Mapping[str, Any], size: int) -> Any:
    """Return the row for a household size, with `each_additional` beyond the last and `cap` as
    the most."""
    rows = table["by_size"]
    last = max(rows)
    if size <= last:
        return rows[size]
    beyond, row = table.get("each_additional", 0), rows[last]
    if isinstance(row, dict):
        return {name: amount + beyond[name] * (size - last) for name, amount in row.items()}
    amount = row + beyond * (size - last)
    return min(amount, table["cap"]) if table.get("cap") is not None else amount


class FactsOn(Mapping[str, FactValue]):
    """The facts in force on one day, by id."""

    def __init__(self, on: date) -> None:
        self.on = on

    def __getitem__(self, fact_id: str) -> FactValue:
        """Raise UnknownFact (a KeyError), FactNotInForce."""
        definition = _everything().get(fact_id)
        if definition is None:
            raise UnknownFact(fact_id)
        period = _period(definition, self.on)
        if period is None:
            raise FactNotInForce(f"{fact_id} has no value on {self.on}")
        return _state(fact_id, definition, period)

    def __iter__(self) -> Iterator[str]:
        return (i for i, definition in _everything().items() if _period(definition, self.on))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, fact_id: object) -> bool:
        definition = _everything().get(fact_id) if isinstance(fact_id, str) else None
        return definition is not None and _period(definition, self.on) is not None

    def get(self, fact_id: str, default: Any = None) -> Any:
        """Return the fact, or `default` if none is in force."""
        try:
            return self[fact_id]
        except (UnknownFact, FactNotInForce):
            return default

    def find(self, fact_id: str, *keys: str | int) -> FactValue:
        """Return the value under `keys`, with its source. Raises UnknownFact, FactNotInForce."""
        fact = self[fact_id]
        return replace(fact, value=_entry(fact_id, fact.value, keys))

    def value(self, fact_id: str, *keys: str | int) -> Any:
        """Return the value under `keys`. Raises UnknownFact, FactNotInForce."""
        return self.find(fact_id, *keys).value

    def under(self, prefix: str) -> dict[str, FactValue]:
        """Return the facts whose id begins with `prefix` and a dot, by the rest of the id."""
        start = f"{prefix}."
        return {i.removeprefix(start): self[i] for i in self if i.startswith(start)}


def _state(fact_id: str, definition: _Definition, period: Period) -> FactValue:
    source = definition.file.sources[period.source]
    return FactValue(
        fact_id,
        period.value,
        definition.fact.unit,
        period.from_date,
        period.to_date,
        source.title,
        source.url,
        period.as_of or definition.file.as_of,
        period.note,
    )


def nearest(fact_id: str, on: date) -> tuple[FactValue, bool] | None:
    """Return the fact on a day, or else the value of the closest period; and whether the day is
    within it.

    None without such a fact, or with only values that nobody confirmed in time. For figures that
    each state changes on its own date.
    """
    definition = _everything().get(fact_id)
    if definition is None:
        return None
    usable = (p for p in definition.fact.periods if p.to_date or on <= _last_day(p))
    periods = [p for p in usable if not p.unverified]
    if not periods:
        return None
    period = _period(definition, on)
    if period is not None:
        return _state(fact_id, definition, period), True
    closest = min(
        periods, key=lambda p: min(abs((p.from_date or on) - on), abs((p.to_date or on) - on))
    )
    return _state(fact_id, definition, closest), False


def upcoming(entry: Mapping[str, Any], on: date) -> date | None:
    """Return the next day, `on` included, of a fact of `dates.*`; None when it is over and does
    not repeat."""
    day: date = entry["date"]
    if entry.get("repeats") != "yearly":
        return day if day >= on else None
    this_year = day.replace(year=on.year)
    return this_year if this_year >= on else day.replace(year=on.year + 1)


def list_expired_facts(today: date) -> list[str]:
    """Return a sentence for every fact whose newest period is over or due for a look; not for
    those marked `past`."""
    sentences = []
    for fact_id, definition in _everything().items():
        ends = [_last_day(p) for p in definition.fact.periods if not p.unverified]
        if definition.fact.past or not ends or max(ends) >= today:
            continue
        sentences.append(
            f"{fact_id} ran out on {max(ends)}: confirm it at its source and move `check_by`,"
            " add the next period in content/facts, or mark the fact `past`"
        )
    return sentences


def fact_lines() -> list[tuple[str, Fact]]:
    """Return every fact by id, for the list in docs/facts.md."""
    return sorted((fact_id, definition.fact) for fact_id, definition in _everything().items())
