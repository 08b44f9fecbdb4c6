"""The filter form: each choice with its numbers of matching, failing and unknown places.

Groups and words of attributes come from their declarations (`schemas/attributes.py`); the
conditions are those of the API (`serving.search.filter`).
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from schemas.attributes import CODE_LISTS, LANGUAGES, TRUTHS, Codes
from schemas.hours.clock_words import clock, full_date, hour_words, minutes_of, span, weekdays
from schemas.hours.recurrence import DAY_MINUTES
from schemas.values.coordinates import miles_to_chord
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.render.words import Language, Words, words
from serving.search.filter import NO_FILTERS, Counts, Facets, Filters, judge
from serving.search.find import choose_types
from serving.search.parameters import WEEKDAYS, entries_of_days
from serving.search.start import Start
from serving.site.choices import LISTS, Choices
from serving.site.site import language_names
from warehouse.index.points import TYPE_CODES
from warehouse.index.reader import OpenRelease

# Together they name one time.
_TIME = ("day", "days", "after", "before", "open_at")
# More choices than these are folded.
_FEW = 4
# This many days or more with the same times are named together.
_MANY = 3
_TODAY = {"after": "after_today", "before": "before_today"}
_TRUST = ("hours_known", "verified_only")
_CONFIRMED_DAYS = ("30", "90", "365")
# Languages that many people in the US speak at home: a choice also where no place says which
# languages are spoken.
_COMMON = frozenset({"es", "zh", "vi", "ko", "ru", "ar", "ht", "tl", "pt", "fr"})


@dataclass(frozen=True)
class Option:
    """A choice of the form; `counts` is None without a starting place."""

    name: str
    value: str
    label: str
    is_chosen: bool
    counts: Counts | None = None


@dataclass(frozen=True)
class Group:
    """Choices under one heading; `is_folded`: collapsed by default. Of `ages`, the ages of a
    confirmation, one is chosen."""

    name: str
    label: str
    options: list[Option]
    is_folded: bool = False
    ages: Sequence[Option] = ()

    @property
    def is_chosen(self) -> bool:
        return any(option.is_chosen for option in self.options)


@dataclass(frozen=True)
class Removable:
    """A choice that is made, with the address of the search without it."""

    label: str
    query: str


@dataclass(frozen=True)
class Chip:
    """A choice above the list, made or undone with one tap: `query` is that of the search with or
    without it, `name` its parameter."""

    name: str
    label: str
    query: str
    is_chosen: bool


class Counter:
    """Counts places around a start for each choice, all other choices applied. Safe for threads."""

    def __init__(
        self,
        release: OpenRelease,
        start: Start,
        choices: Choices,
        mode: str | None,
        radius: float,
        now: datetime,
    ) -> None:
        self._release, self._choices, self._mode, self._now = release, choices, mode, now
        self._start, self._chord = start.at, miles_to_chord(radius)
        self._facets: dict[frozenset[str], Facets] = {}

    def counts(self, filters: Filters, group: tuple[str, ...]) -> Counts:
        """Count places for a filter, ignoring the choices of its own group."""
        return self.facets(*group).count(filters)

    def facets(self, *without: str) -> Facets:
        """Return the places that meet all choices but some."""
        chosen = self._choices.values.keys() & without
        facets = self._facets.get(frozenset(chosen))
        if facets is None:
            parameters = self._choices.parameters(*without)
            types = choose_types(self._mode, parameters.type)
            places = self._release.spatial.select(types).inside(self._start, self._chord)
            filters = parameters.filters()
            if filters != NO_FILTERS:
                is_match, is_known = judge(self._release, places.rows, filters, self._now)
                is_listed = is_match | ~is_known if filters.include_unknown else is_match
                places = places.take(is_listed.nonzero()[0])
            facets = Facets(self._release, places, self._now)
            self._facets[frozenset(chosen)] = facets
        return facets

    def today(self) -> int | None:
        """Return the weekday by the calendar of the places; None without places."""
        nearest = self.facets(*_TIME).places.nearest_hit()
        return self._release.local_day(nearest[1], self._now).weekday() if nearest else None

    def of_types(self, *codes: int) -> Counts:
        """Count places of some types."""
        return self.facets("type").of_types(*codes)

    def together(self) -> Counts:
        """Count the places for all choices together."""
        parameters = self._choices.parameters("include_unknown")
        types = choose_types(self._mode, parameters.type)
        places = self._release.spatial.select(types).inside(self._start, self._chord)
        return Facets(self._release, places, self._now).count(parameters.filters())


def chips_of(choices: Choices, text: str, counter: Counter, language: Language) -> list[Chip]:
    """Return the choices of free food that most people make, if any place is known to meet them.

    Where only hours too old to be asserted meet one, the tap includes places of which it is not
    known: the list begins with those.
    """
    w, today = words("filters", language).chips, counter.today()
    if today is None:
        return []
    offers = [
        ("today", "day", WEEKDAYS[today]),
        ("tomorrow", "day", WEEKDAYS[(today + 1) % len(WEEKDAYS)]),
        ("no_id", "no_id", "true"),
        ("walk_in", "walk_in", "true"),
        ("delivery", "delivery", "true"),
        ("meals", "type", "soup_kitchen"),
        ("groceries", "type", "food_pantry,mobile_pantry,community_fridge"),
    ]
    chips = []
    for label, name, value in offers:
        group = _TIME if name == "day" else (name,)
        others = {k: v for k, v in choices.values.items() if k not in group}
        if choices.values.get(name) == value:
            undone = {} if others.keys() <= {"include_unknown"} else others
            chips.append(Chip(name, w[label], Choices(undone).address(text, "free"), True))
            continue
        if name == "type":
            counts = counter.of_types(*(TYPE_CODES[one] for one in value.split(",")))
        else:
            counts = counter.counts(Choices({name: value}).parameters().filters(), group)
        if counts.match or counts.usual:
            others |= {name: value} | ({} if counts.match else {"include_unknown": "true"})
            chips.append(Chip(name, w[label], Choices(others).address(text, "free"), False))
    return chips


def groups_of(
    choices: Choices, mode: str | None, language: Language, counter: Counter | None
) -> list[Group]:
    """Return the groups of the form in their order."""
    w = words("filters", language)
    types = [one for one in RESOURCE_TYPES.values() if mode is None or one.mode == mode]
    builder = _Options(choices, counter)
    days = [builder.option_of_day(day, language) for day in WEEKDAYS]
    groups = [
        Group("hours", w.hours, [builder.option("open_now", "true", w.open_now)]),
        Group("days", w.day, days),
        Group(
            "place",
            w.place,
            [
                builder.option(one.filter.parameter, "true", one.filter.label[language])
                for one in TRUTHS
            ],
        ),
    ]
    for one in CODE_LISTS:
        name, label = one.filter.parameter, one.filter.label[language]
        options = [builder.option(name, c, text) for c, text in code_labels(one, language)]
        if one is LANGUAGES:
            options = [
                o
                for o in options
                if o.is_chosen or o.value in _COMMON or not o.counts or o.counts.match
            ]
        groups.append(Group(name, label, options, is_folded=len(options) > _FEW))
    if len(types) > 1:
        kinds = [builder.of_type(one.id, language) for one in types]
        groups.append(Group("type", w.type, kinds, is_folded=len(kinds) > _FEW))
    sure = [builder.option(name, "true", w[name]) for name in _TRUST]
    groups.append(Group("trust", w.trust, sure, ages=builder.options_of_days(language)))
    return [group for group in groups if group.options]


class _Options:
    def __init__(self, choices: Choices, counter: Counter | None) -> None:
        self._choices, self._counter = choices, counter

    def option(self, name: str, value: str, label: str) -> Option:
        filters = Choices({name: value}).parameters().filters()
        counts = self._counter.counts(filters, (name,)) if self._counter else None
        return Option(name, value, label, self._is_chosen(name, value), counts)

    def option_of_day(self, day: str, language: Language) -> Option:
        """Return a weekday with its own chosen hours."""
        values = self._choices.values
        entries = values.get("days", "").split(",")
        entry = next((one for one in entries if one.partition(" ")[0] == day), day)
        same = {k: v for k, v in values.items() if k in _TIME and k not in ("day", "days")}
        filters = Choices(same | {"days": entry}).parameters().filters()
        counts = self._counter.counts(filters, _TIME) if self._counter else None
        is_chosen = entry in entries or values.get("day") == day
        return Option("days", entry, _day_words(entry, language), is_chosen, counts)

    def options_of_days(self, language: Language) -> list[Option]:
        """Return the ages of a confirmation, one of which is chosen; first none."""
        w, name = words("filters", language), "confirmed_within"
        current = self._choices.values.get(name, "")
        values = dict.fromkeys((*_CONFIRMED_DAYS, *filter(None, (current,))))
        ages = [self.option(name, one, _days_ago(one, w)) for one in sorted(values, key=int)]
        return [Option(name, "", w.any_time, not current), *ages]

    def of_type(self, name: str, language: Language) -> Option:
        counts = self._counter.of_types(TYPE_CODES[name]) if self._counter else None
        label = RESOURCE_TYPES[name].labels[language]
        return Option("type", name, label, self._is_chosen("type", name), counts)

    def _is_chosen(self, name: str, value: str) -> bool:
        return value in self._choices.values.get(name, "").split(",")


def removable(
    choices: Choices, text: str, mode: str, language: Language, shown: Container[str] = ()
) -> list[Removable]:
    """Return the active choices in words, each with the search without it.

    Whether unknown places are included is not among them: it is shown with their number; nor are
    the parameters that are `shown` as chips.
    """
    # Hours without a day are today's.
    active, is_today = [], not {"day", "days"} & choices.values.keys()
    for name, value in choices.values.items():
        if name == "include_unknown" or name in shown:
            continue
        if name == "days":
            active += _removable_days(choices, text, mode, language)
            continue
        codes = value.split(",") if name in LISTS else [value]
        if len(codes) > _MANY:
            label = _together(name, codes, language)
            active.append(Removable(label, choices.without(name).address(text, mode)))
            continue
        for code in codes:
            remaining = choices.without(name, code if name in LISTS else "")
            label = _label(_TODAY.get(name, name) if is_today else name, code, language)
            active.append(Removable(label, remaining.address(text, mode)))
    return active


def _removable_days(choices: Choices, text: str, mode: str, language: Language) -> list[Removable]:
    """Return the days, of which one is enough; many with the same times are one choice."""
    w, active = words("filters", language), list[Removable]()
    by_times: dict[str, list[str]] = {}
    for entry in choices.values["days"].split(","):
        by_times.setdefault(entry.partition(" ")[2], []).append(entry)
    groups = (
        group
        for same in by_times.values()
        for group in ([same] if len(same) >= _MANY else [[one] for one in same])
    )
    for entries in groups:
        remaining = choices
        for entry in entries:
            remaining = remaining.without("days", entry)
        if len(entries) > 1:
            label = w.one_of_days.format(value=_days_words(entries, language))
        else:
            label = _label("days", entries[0], language)
        active.append(
            Removable(
                w.or_days.format(value=label) if active else label, remaining.address(text, mode)
            )
        )
    return active


def _together(name: str, codes: list[str], language: Language) -> str:
    """Return many values of one choice as one: "Papers that you have: Identification, Referral"."""
    first, *others = (_label(name, code, language) for code in codes[:_FEW])
    heading = first.partition(": ")[0]
    text = ", ".join([first, *(one.removeprefix(f"{heading}: ") for one in others)])
    hidden_count = len(codes) - _FEW
    return (
        str(words("filters", language).and_more.format(list=text, n=hidden_count))
        if hidden_count > 0
        else text
    )


def _label(name: str, value: str, language: Language) -> str:
    w = words("filters", language)
    for truth in TRUTHS:
        if truth.filter.parameter == name:
            return truth.filter.label[language]
    for one in CODE_LISTS:
        if one.filter.parameter == name:
            return f"{one.filter.label[language]}: {dict(code_labels(one, language))[value]}"
    if name == "type":
        return RESOURCE_TYPES[value].labels[language]
    if name == "sort":
        return str(w[value])
    return str(w.chosen[name].format(value=_value_words(name, value, w, language)))


def _value_words(name: str, value: str, w: Words, language: Language) -> str:
    if name in ("day", "days"):
        return _day_words(value, language)
    if name == "radius":
        return str(w.miles(float(value), value=value))
    if name == "confirmed_within":
        return _days_ago(value, w)
    if name in ("after", "before", *_TODAY.values()):
        return hour_words(minutes_of(time.fromisoformat(value)), language)
    if name == "open_at":
        at = datetime.fromisoformat(value)
        return f"{full_date(at, language)}, {clock(minutes_of(at), language)}"
    return value


def _days_ago(value: str, w: Words) -> str:
    return str(w.last_days(int(value), count=value))


def _day_words(entry: str, language: Language) -> str:
    """Return an entry of `days`: "Thursday, 3 p.m. to midnight"."""
    ((name, since, until),) = entries_of_days(entry)
    return _with_times(str(words("filters", language).days[name]), since, until, language)


def _days_words(entries: list[str], language: Language) -> str:
    """Return entries with the same times: "Monday to Friday, 9 a.m. to noon"."""
    parts = list(entries_of_days(",".join(entries)))
    days = weekdays([WEEKDAYS.index(name) for name, *_ in parts], language)
    return _with_times(days, *parts[0][1:], language)


def _with_times(day: str, since: str | None, until: str | None, language: Language) -> str:
    if since is None and until is None:
        return day
    start, end = (0 if t is None else minutes_of(time.fromisoformat(t)) for t in (since, until))
    if end == start + 1:
        return f"{day}, {clock(start, language)}"
    return f"{day}, {span(start, end or DAY_MINUTES, language)}"


def code_labels(one: Codes, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the codes of a list with their words."""
    if one.labels is None:
        yield from zip(one.codes, language_names(list(one.codes), language), strict=True)
    else:
        yield from ((code, one.labels[code][language]) for code in one.codes)
