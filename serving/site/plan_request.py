"""Reads the request for a plan: query parameters of the API, or the address of the page."""

import re
from dataclasses import dataclass, fields
from typing import Annotated, Any
from urllib.parse import parse_qs, urlencode

from schemas.vocab.resource_types import MODES
from serving.http.errors import invalid
from serving.http.parameters import query
from serving.search import parameters
from serving.search.filter import Filters
from serving.search.query import choose_types
from serving.search.query_parameters import ModeChoice, TypeChoice, ZipOrCity, finite
from serving.search.start import Start
from serving.site.choices import FLAGS, choices_of_address
from serving.site.plan_week import DAYS, Question, Times

DEFAULT_MILES, MAX_MILES = 5.0, 100.0
DEFAULT_VISITS, MAX_PICKED = 3, 40
DEFAULT_MPH = 3.0
_MPH, _MINUTES, _MILES, _VISITS = (1.0, 5.0), (5, 240), (0.1, MAX_MILES), (1, DAYS)
_IDS_PATTERN = f"^[0-9]{{1,16}}(,[0-9]{{1,16}}){{0,{MAX_PICKED - 1}}}$"

Visits = Annotated[int, query("visits", ge=1, le=DAYS)]
MaxMiles = Annotated[float, query("radius", of="plan", ge=_MILES[0], le=MAX_MILES)]
WalkMinutes = Annotated[int | None, query("walk_minutes", ge=_MINUTES[0], le=_MINUTES[1])]
WalkSpeed = Annotated[float, query("walk_mph", ge=_MPH[0], le=_MPH[1])]
Picked = Annotated[
    str | None, query("place", fill={"most": MAX_PICKED}, schema_extra={"pattern": _IDS_PATTERN})
]


@dataclass(kw_only=True)
@parameters.with_attributes
class PlanParameters:
    """The query parameters of a plan, with the filters of declared attributes."""

    zip: ZipOrCity
    days: parameters.Days = None
    after: parameters.After = None
    before: parameters.Before = None
    visits: Visits = DEFAULT_VISITS
    radius: MaxMiles = DEFAULT_MILES
    walk_minutes: WalkMinutes = None
    walk_mph: WalkSpeed = DEFAULT_MPH
    place: Picked = None
    mode: ModeChoice = None
    type: TypeChoice = None
    age: parameters.Age = None
    verified_only: parameters.VerifiedOnly = False
    serves_zip: parameters.ServesZip = None

    def question(self, start: Start) -> Question:
        """Build the question. Raises ServiceProblem (400) naming the parameter and its rule."""
        _within("visits", self.visits, _VISITS)
        _within("walk_mph", self.walk_mph, _MPH)
        miles = _within("radius", self.radius, _MILES)
        if self.walk_minutes is not None:
            miles = _within("walk_minutes", self.walk_minutes, _MINUTES) / 60 * self.walk_mph
        return Question(
            start,
            # A plan is about free food by default.
            choose_types(self.mode or (None if self.type else "free"), self.type),
            miles,
            _windows(self.days, self.after, self.before),
            self.visits,
            Filters(
                age=self.age,
                verified_only=self.verified_only,
                serves_zip=self.serves_zip,
                truths=parameters.list_truths(self),
                codes=parameters.list_codes(self),
            ),
            _parse_picked(self.place),
        )


def _within(name: str, value: float, limits: tuple[float, float]) -> float:
    if not limits[0] <= finite(name, value) <= limits[1]:
        raise invalid(name, f"from {limits[0]:g} to {limits[1]:g}")
    return value


def _windows(days: str | None, after: str | None, before: str | None) -> dict[int, Times]:
    """Return the times that suit by weekday. Raises ServiceProblem (400)."""
    start, end = parameters.minutes_of("after", after) or 0, parameters.minutes_of("before", before)
    if days is None:
        return dict.fromkeys(range(DAYS), (start, end))
    return {
        day: (since or 0, until) for day, since, until in parameters.times_of_days(days, start, end)
    }


def _parse_picked(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    if re.fullmatch(_IDS_PATTERN, text, re.ASCII) is None:
        raise invalid("place", f"at most {MAX_PICKED} ids of places, separated by commas")
    return tuple(dict.fromkeys(map(int, text.split(","))))


# ---------------------------------------------------------------- the page

_ATTRIBUTES = frozenset(one.name for one in fields(PlanParameters)) - {
    "zip",
    "days",
    "after",
    "before",
    "visits",
    "radius",
    "walk_minutes",
    "walk_mph",
    "place",
    "mode",
    "type",
}
_DEFAULTS = {
    "visits": f"{DEFAULT_VISITS}",
    "radius": f"{DEFAULT_MILES:g}",
    "walk_mph": f"{DEFAULT_MPH:g}",
}
_NUMBERS = {"visits": int, "walk_minutes": int, "radius": float, "walk_mph": float, "age": int}


@dataclass(frozen=True)
class PlanForm:
    """The address of the page: a place as text, and parameters as the API takes them."""

    text: str
    values: dict[str, str]

    @property
    def days(self) -> dict[str, tuple[str, str]]:
        """Weekdays chosen with their own times; all without a choice."""
        if "days" not in self.values:
            return dict.fromkeys(parameters.WEEKDAYS, ("", ""))
        return {
            name: (since or "", until or "")
            for name, since, until in parameters.entries_of_days(self.values["days"])
        }

    @property
    def picked(self) -> tuple[int, ...]:
        return _parse_picked(self.values.get("place"))

    @property
    def filters(self) -> dict[str, str]:
        """The filters without a field in the form."""
        own = {"documents", "no_documents"}
        return {k: v for k, v in self.values.items() if k in _ATTRIBUTES - own or k == "type"}

    def parameters(self) -> PlanParameters:
        """Return the parameters of the API. Raises ServiceProblem (400) for a number that is
        none."""
        values: dict[str, Any] = {}
        for name, text in self.values.items():
            try:
                values[name] = text == "true" if name in FLAGS else _NUMBERS.get(name, str)(text)
            except ValueError:
                raise invalid(name, "a number") from None
        if values.get("mode") not in MODES:
            values["mode"] = None
        return PlanParameters(zip=self.text, **values)

    def address(self, **changes: str) -> str:
        """Return the query of the page, with other values; an empty one is left out."""
        values = {"q": self.text, **self.values} | changes
        return urlencode({name: value for name, value in values.items() if value})

    def api_address(self, start: str) -> str:
        """Return the query of the API for the same plan, from a place that it knows."""
        return urlencode({"zip": start, **self.values})


def form_of_address(query: str) -> PlanForm:
    """Read the address of the page; filters that the API would refuse are left out."""
    form_data = parse_qs(query)
    values: dict[str, str] = {}
    if days := _read_days(form_data):
        values["days"] = days
    for name in ("after", "before", "visits", "radius", "walk_minutes", "walk_mph", "mode"):
        text = form_data.get(name, [""])[-1].strip()
        if text and text != _DEFAULTS.get(name) and (name != "mode" or text in MODES):
            values[name] = text
    if places := ",".join(form_data.get("place", [])):
        values["place"] = places
    choices = choices_of_address(query).values
    values |= {k: v for k, v in choices.items() if k in _ATTRIBUTES or k == "type"}
    return PlanForm((form_data.get("q") or form_data.get("zip") or [""])[-1].strip()[:200], values)


def _read_days(form_data: dict[str, list[str]]) -> str:
    """Return the days of a form, those with their own times in the API's format; empty for all days
    alike."""
    names = [
        part.strip()
        for part in ",".join(form_data.get("days") or form_data.get("day") or []).split(",")
    ]
    weekdays = [name for name in names if name] or list(parameters.WEEKDAYS)
    days = []
    for name in weekdays:
        since, until = (form_data.get(f"{side}_{name}", [""])[-1] for side in ("after", "before"))
        days.append(f"{name} {since}-{until}" if since or until else name)
    return "" if days == list(parameters.WEEKDAYS) else ",".join(days)
