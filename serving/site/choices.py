"""The choices of a search on pages: from an address and a question, and back into an address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qs, parse_qsl, urlencode

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from schemas.api.plain_language import Constraint
from schemas.attributes import CODE_LISTS
from schemas.vocab.constraints import OPEN_NOW, TYPES_WITH
from schemas.vocab.resource_types import TYPE_IDS
from serving.http.answers import DAY, Answer, redirect
from serving.http.errors import InsteadError, ServiceProblem
from serving.render.words import Language
from serving.search import parameters
from serving.search.asked_time import links_of, windows_of
from serving.search.constraints import WALKING_MILES, filters_of_wish
from serving.search.find import MAX_RADIUS, Page, Query, choose_types, find
from serving.search.language.reading import Reading
from serving.search.language.reply import (
    label_of,
    label_unsupported,
    quote_words,
)
from serving.search.language.wishes import Wish
from serving.search.plain_search import by_clock_of_place, kinds_near, types_of
from serving.search.start import Start
from warehouse.index.reader import OpenRelease

# Of these an address may name several values; all others have one.
LISTS = frozenset({"days", "type", *(one.filter.parameter for one in CODE_LISTS)})
# Declared values are true or nothing.
FLAGS = frozenset(one.name for one in fields(parameters.FilterParameters) if one.default is False)
NAMES = (*(one.name for one in fields(parameters.FilterParameters)), "type", "radius", "sort")
# API limits of parameters that are read here without the API's own check.
_RULES = {
    "open_at": parameters.LOCAL_PATTERN,
    "serves_zip": parameters.HOME_PATTERN,
    "day": "|".join(parameters.WEEKDAYS),
    "days": parameters.DAYS_PATTERN,
    "age": "[0-9]{1,2}|1[01][0-9]|120",
    "confirmed_within": (
        f"[1-9][0-9]{{0,2}}|[12][0-9]{{3}}|3[0-5][0-9]{{2}}|36[0-4][0-9]|{parameters.MAX_DAYS}"
    ),
    "radius": rf"{MAX_RADIUS:g}|[1-4]?[0-9]{{1,2}}(\.[0-9]{{1,3}})?",
    "sort": "distance|relevance",
    **dict.fromkeys(FLAGS, "true|false"),
}
_TIME_KINDS = frozenset({"day", "time"})
# Form default when nothing else is chosen.
_DEFAULTS = frozenset({("mode", "free")})
SENIOR_BOX = Wish("item", "senior_box")


class QuestionChoices(NamedTuple):
    """A question as choices, names of its wishes that no choice expresses, and the kinds of places
    that it names of which none is near."""

    choices: Choices
    missed: list[str]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """Values by query parameter, as the API takes them. `unread`: other parameters of the
    address.
    """

    values: dict[str, str]
    unread: tuple[str, ...] = ()

    def parameters(self, *without: str) -> parameters.SearchParameters:
        """Return the parameters of the API, some left out."""
        values = {k: _value(k, text) for k, text in self.values.items() if k not in without}
        return parameters.SearchParameters(**values)

    def without(self, name: str, code: str = "") -> Choices:
        """Return the choices without a parameter, or without one code of a list."""
        remaining = dict(self.values)
        codes = [one for one in remaining.pop(name).split(",") if code and one != code]
        return replace(self, values=remaining | ({name: ",".join(codes)} if codes else {}))

    def address(self, text: str, mode: str) -> str:
        """Return the query string of the search."""
        return _encode({"q": text, "mode": mode, **self.values} if text else self.values)


def _encode(values: Mapping[str, str]) -> str:
    return urlencode([pair for pair in values.items() if pair not in _DEFAULTS], safe=",")


async def leave_out_empty(connection: ASGIConnection, _: BaseRouteHandler) -> None:
    """Lead a form that sent fields without a value to the address that has only the choices.

    Raises InsteadError.
    """
    scope = connection.scope
    query = scope["query_string"].decode("ascii", "replace")
    if has_empty(query):
        choices = {
            name: ",".join(values) if name in LISTS else values[-1]
            for name, values in parse_qs(query).items()
        }
        raise InsteadError(lead_to(scope["path"], _encode(choices)))


def has_empty(query: str) -> bool:
    """Return whether a query has a field without a value, as forms send them."""
    return not all(value for _, value in parse_qsl(query, keep_blank_values=True))


def lead_to(path: str, query: str) -> Answer:
    """Redirect a form to its address."""
    return redirect(f"{path}?{query}" if query else path, status=303, max_age=DAY)


def choices_of_address(query: str) -> Choices:
    """Read the choices of an address; parameters that the API would refuse are set aside by
    name.
    """
    values, unread = dict[str, str](), list[str]()
    for name, parts in parse_qs(query).items():
        if name not in NAMES:
            continue
        text = ",".join(parts) if name in LISTS else parts[-1]
        try:
            one = parameters.SearchParameters(**{name: _value(name, text)})
            one.filters()
            choose_types(None, one.type)
        except (ServiceProblem, ValueError):
            unread.append(f"{name}={text[:40]}")
        else:
            if text != "false" and (name, text) not in _DEFAULTS:
                values[name] = text
    return Choices(values, tuple(unread))


def _value(name: str, text: str) -> Any:
    """Return a value as the API's type. Raises ValueError for one that the API refuses."""
    if name in _RULES and not re.fullmatch(_RULES[name], text):
        raise ValueError(f"{name} does not take {text[:40]!r}")
    if name in FLAGS:
        return text == "true"
    kind = {"age": int, "confirmed_within": int, "radius": float}.get(name, str)
    return kind(text)


# ---------------------------------------------------------------- a question


def choices_of_reading(
    release: OpenRelease, reading: Reading, start: Start, now: datetime, language: Language
) -> QuestionChoices:
    """Return the wishes of a question as choices.

    Places of which a wish is not known stay in the list: a question orders, and excludes nothing
    for lack of knowledge.
    """
    values, missed = dict[str, str](), list[str]()
    reading = by_clock_of_place(release, reading, now)
    times: dict[str, str] = {}
    if reading.time and (nearest := find(release, start, Query(page=Page(1))).hits):
        times = links_of(reading.time, windows_of(release, reading.time, nearest[0][1], now))
    for wish in reading.wishes:
        of_wish = (
            times
            if wish.kind in _TIME_KINDS and wish.value != OPEN_NOW
            else dict(_wish_choices(wish))
        )
        if wish == SENIOR_BOX:
            # The sites of the senior box; if none is near, all places that serve older adults.
            sites = ",".join(sorted(TYPES_WITH[SENIOR_BOX.kind, str(SENIOR_BOX.value)]))
            near = Query(choose_types(None, sites), page=Page(0), expands=False)
            has_site = find(release, start, near).total
            of_wish = {"type": sites} if has_site else {"audience": "seniors"}
        elif not of_wish:
            missed.append(label_of(wish.kind, wish.value, language))
        for name, value in of_wish.items():
            is_more = name in LISTS and name in values
            if not is_more and values.get(name, value) != value:
                # The address has one value; of several distances the least comes first.
                missed.append(label_of(wish.kind, wish.value, language))
                continue
            values[name] = f"{values[name]},{value}" if is_more else value
    modes, (kinds, missing) = reading.wants.modes, kinds_near(release, reading, start)
    if "type" not in values and (kinds != modes or len(modes) > 1):
        values["type"] = ",".join(TYPE_IDS[code] for code in sorted(types_of(kinds)))
    values = {k: ",".join(dict.fromkeys(v.split(","))) for k, v in values.items()}
    if values:
        values["include_unknown"] = "true"
    return QuestionChoices(Choices(values), [*missed, *list_missed(reading, language)], missing)


def list_missed(reading: Reading, language: Language) -> list[str]:
    """Return the parts of a question that nothing answers, and its unused words."""
    unread = label_unsupported(reading.unsupported, language)
    unused = *reading.unused, *reading.strange
    return [*unread, *quote_words(unused, reading.landmarks, language)]


def _wish_choices(wish: Wish) -> Iterator[tuple[str, str]]:
    if wish.kind == "distance" or wish.value == "walk":
        yield "radius", f"{WALKING_MILES if wish.value == 'walk' else float(wish.value):g}"
        return
    filters = filters_of_wish(Constraint(wish.kind, wish.value))
    if filters is None:
        return
    if filters.serves_zip:
        yield "serves_zip", filters.serves_zip
    if filters.open_now:
        yield OPEN_NOW, "true"
    yield from ((name, "true") for name in sorted(filters.truths))
    yield from ((name, ",".join(sorted(codes))) for name, codes in filters.codes)
