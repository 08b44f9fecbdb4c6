"""Resolves the start of a search: a ZIP code, a city, a county, an address, or a point."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from schemas.api.lists import Location
from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.values.names import fold_name
from schemas.vocab.states import MAX_WORDS, STATES, military_by_words, state_by_words
from serving.http.errors import RULES, ServiceProblem, invalid
from serving.search.language.tables import nicknames, tables
from warehouse.index.gazetteer import City, County, Gazetteer, ZipPlace, names_county
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import At

_BLANKS = re.compile(r"\s+")
_COUNTRY = re.compile(
    r"[\s,]+(?:u\.?s\.?a\.?|u\.s\.?|united states(?: of america)?|ee\.? ?uu\.?|estados unidos)$",
    re.IGNORECASE,
)
# Nine digits are a ZIP+4 without its hyphen. The number of a post office box is no ZIP code.
_ZIP_LAST = re.compile(
    r"^(?P<rest>|.*(?<!\bbox)(?<!\bapartado)[\s,.])(?P<zip>[0-9]{5})(?:[- ]?[0-9]{4})?$",
    re.IGNORECASE,
)
_ZIP_FIRST = re.compile(r"^(?P<zip>[0-9]{5})(?:-[0-9]{4})?[\s,]+(?P<rest>.*[^\W\d].*)$")
_DIGIT = re.compile(r"[0-9]")
_MAX_NAME_WORDS = 5
_POST_OFFICES = frozenset({"APO", "FPO", "DPO"})


class Naming(NamedTuple):
    """A parsed text: the parts before the state, the nearest to it last, and the state's code."""

    parts: tuple[str, ...]
    state: str | None


def after_comma(text: str) -> Naming | None:
    """Return the reading with the state after the last comma: "Salem, OR"."""
    head, comma, tail = text.rpartition(",")
    state = state_by_words(tail) if comma and head.strip(" ,") else None
    return Naming(_parts(head), state) if state else None


def last_words(text: str) -> Iterator[Naming]:
    """Yield readings whose last words are the state, the longest state first: "Fargo North
    Dakota"."""
    words = text.split(" ")
    for count in range(min(MAX_WORDS, len(words) - 1), 0, -1):
        state = state_by_words(" ".join(words[-count:]))
        if state:
            yield Naming(_parts(" ".join(words[:-count])), state)


def without_state(text: str) -> Naming:
    """Return the reading without a state."""
    return Naming(_parts(text), None)


def is_military(text: str) -> bool:
    """Return whether a text ends in the "state" of military post offices: "APO AE"."""
    words = text.replace(",", " ").split()
    is_post_office = any(word.upper() in _POST_OFFICES for word in words)
    return is_post_office and (len(words) == 1 or military_by_words(words[-1]) is not None)


def names_at_end(part: str, *, is_alone: bool) -> Iterator[str]:
    """Yield names that may end an address line, the longest first: "12 Main St Paul" may end in "St
    Paul".

    Nothing for a line without a number: that is a whole name. A line alone needs three words before
    the name: "45 Washington" is a street. A street type ends none: "43rd Street" is not in Street,
    Maryland.
    """
    if not _DIGIT.search(part):
        return
    words = part.split(" ")
    least = 3 if is_alone else 1
    for count in range(min(_MAX_NAME_WORDS, len(words) - least), 0, -1):
        name = " ".join(words[-count:])
        if not _DIGIT.search(name) and fold_name(name) not in tables().places.street_words:
            yield name


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip(" .") for part in text.split(",") if part.strip(" ."))


# Text with a letter is a place name.
PLACE_PATTERN = r"^( *[0-9]{5}([- ]?[0-9]{4})? *|.*[A-Za-zÀ-ɏ].*)$"
ZIP_PATTERN = r"^[0-9]{5}(-[0-9]{4})?$"
_ZIP = re.compile(ZIP_PATTERN)
_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")
# Beyond this a ZIP code's point does not locate a person.
_NAMING_METRES = miles_to_chord(50)
# A text that names both a state and a city means the city only if it is very large: New York, not
# Nevada, MO.
_GREAT_CITY = 100_000
# Names this close together belong to one city.
_SAME_DEGREES = 0.1
_NAMESAKES, _SUGGESTED = 3, 5
_HINT = "a known city, written like `Salem, OR`"


class Start(NamedTuple):
    """A point to search from. `note` is a sentence about it for the reader; `county` is set if the
    point is the county's middle."""

    location: Location
    at: At
    note: str | None = None
    county: County | None = None
    label: str | None = None
    """The name of a city or county that was asked for; None for a ZIP code or a point."""


class _NameMatch(NamedTuple):
    """Cities or counties named by a text, the intended one first, and how the text was read."""

    places: list[City] | list[County]
    has_state: bool
    has_street: bool = False


def start_of_text(release: OpenRelease, text: str, field: str = "zip") -> Start:
    """Resolve a ZIP code, "City, ST", "City ST 12345", a city, a county or an address; a ZIP code
    in the text wins.

    Raises ServiceProblem naming the field; for an unknown place it has suggestions.
    """
    # Without the country, and punctuation at the ends.
    plain = _BLANKS.sub(" ", text).strip(" ,;.")
    plain = _COUNTRY.sub("", plain).strip(" ,;") or plain
    ending = _ZIP_LAST.match(plain)
    if ending is None and not _LETTER.search(plain):
        raise invalid(field, RULES["zip"])
    if ending is not None:
        rest = ending["rest"].strip(" ,.")
        if not rest:
            return _start_of_zip(release, ending["zip"], field)
        return _start_of_zip_in_text(release, rest, ending["zip"], field)
    gazetteer = release.gazetteer
    beginning = _ZIP_FIRST.match(plain)
    if beginning is not None:
        # Five digits before a name are its ZIP code ("10001 New York"), or a house number.
        place = gazetteer.zip(beginning["zip"])
        match = _find_places(gazetteer, beginning["rest"].strip(" ,."))
        is_named = place is not None and match is not None and not match.has_street
        if place and match and is_named and any(m.state == place.state for m in match.places):
            return _start_of_zip(release, place.zip, field)
    match = _find_places(gazetteer, plain)
    if match is None:
        raise _make_unknown_problem(gazetteer, plain, field)
    return _start_of_match(release, match)


def start_of_zip(release: OpenRelease, text: str, field: str = "zip") -> Start:
    """Resolve a ZIP code or ZIP+4 only. Raises ServiceProblem naming the field."""
    if not _ZIP.match(text.strip()):
        raise invalid(field, "a ZIP code has five digits")
    return _start_of_zip(release, text.strip()[:5], field)


def start_of_point(release: OpenRelease, lat: float, lng: float) -> Start:
    """Return a point as a start, named after the nearest ZIP code within 50 miles."""
    at = ecef_point(lat, lng)
    near = release.gazetteer.nearest_zip(at, _NAMING_METRES)
    if near is None:
        return Start(Location(None, None, None, lat, lng), at)
    return Start(Location(near.name, near.state, near.zip, lat, lng), at)


# ---------------------------------------------------------------- ZIP codes


def _start_of_zip(release: OpenRelease, code: str, field: str) -> Start:
    place = release.gazetteer.zip(code)
    if place is None:
        raise ServiceProblem(
            "unknown-place",
            f"{field}: {code} is not a ZIP code in our data",
            {field: "a known ZIP code"},
        )
    if place.lat is None or place.lng is None:
        return _start_of_pointless(release, place, field)
    note = None
    if place.kind == "po_box":
        note = f"{code} is for post office boxes: distances are from that post office."
    elif place.kind == "unique":
        note = f"{code} belongs to one organization: distances are from its address."
    elif place.is_quality_low:
        note = f"The sources disagree on where {code} is: distances are rough."
    location = Location(place.name, place.state, code, place.lat, place.lng)
    return Start(location, ecef_point(place.lat, place.lng), note)


def _start_of_pointless(release: OpenRelease, place: ZipPlace, field: str) -> Start:
    """Start from the city of a ZIP code without a point. Raises ServiceProblem (404) if it has
    none."""
    cities = (
        release.gazetteer.cities_like(place.name, place.state) if place.name and place.state else []
    )
    if not cities:
        is_military = place.kind == "military" or (place.name or "").upper() in _POST_OFFICES
        what = (
            "is a military post office (APO, FPO or DPO) and no place on the map"
            if is_military
            else "exists but its place on the map is not known"
        )
        raise ServiceProblem(
            "no-point",
            f"{field}: {place.zip} {what}; search by city or by latitude and longitude",
            {field: "a ZIP code with a place on the map"},
        )
    city = cities[0]
    location = Location(city.name, city.state, place.zip, city.lat, city.lng)
    note = (
        f"The place of {place.zip} on the map is not known: the search starts from the "
        f"middle of {city.name}, {city.state}."
    )
    return Start(location, ecef_point(city.lat, city.lng), note)


def _start_of_zip_in_text(release: OpenRelease, rest: str, code: str, field: str) -> Start:
    """Resolve the ZIP code after a text; an unknown one yields to a city in it."""
    if release.gazetteer.zip(code) is None:
        match = _find_places(release.gazetteer, rest)
        if match is not None:
            start = _start_of_match(release, match)
            return start._replace(
                note=(
                    f"{code} is not a ZIP code in our data. "
                    f"{start.note or _from_middle(start.location)}"
                )
            )
    start = _start_of_zip(release, code, field)
    reading = after_comma(rest) or next(last_words(rest), None)
    if reading is None or reading.state == start.location.state:
        return start
    where = (
        f"The ZIP code {code} is in {start.location.city}, {start.location.state}: the "
        "search starts there."
    )
    return start._replace(note=" ".join(filter(None, (where, start.note))))


# ---------------------------------------------------------------- names


def _find_places(gazetteer: Gazetteer, text: str) -> _NameMatch | None:
    """Return the places that a text names; None if none is known.

    A state after a comma binds. Without a comma the whole text is tried as a city before its last
    words are tried as a state: "Port Washington" is a city. A state alone is refused, except if a
    large city shares its name, and except Guam and Washington, DC, which are no larger than a
    county.
    """
    alone = state_by_words(text)
    if alone:
        return _find_in_state(gazetteer, text, alone)
    naming = after_comma(text)
    if naming:
        (*_, name), state = naming
        cities = _with_nickname(gazetteer, name, gazetteer.cities(name, state))
        if len(naming.parts) == 1 and cities and cities[0].state == state:
            return _NameMatch(cities, has_state=True)
        return _in_reading(gazetteer, naming)
    cities = [] if names_county(text) else gazetteer.cities(text)
    cities = _with_nickname(gazetteer, text, cities)
    if cities:
        return _NameMatch(cities, has_state=False)
    for reading in last_words(text):
        match = _in_reading(gazetteer, reading)
        if match:
            return match
    return _in_reading(gazetteer, without_state(text))


def _with_nickname(gazetteer: Gazetteer, text: str, cities: list[City]) -> list[City]:
    """Return the city with this nickname if no other city has the name.

    The Postal Service has special names at a city's point: "Nyc".
    """
    label = nicknames().get(fold_name(text))
    if label is None:
        return cities
    name, _, state = label.rpartition(", ")
    by_nickname = gazetteer.cities(name, state)[:1]
    is_same = (
        max(abs(city.lat - by_nickname[0].lat), abs(city.lng - by_nickname[0].lng)) < _SAME_DEGREES
        for city in (cities if by_nickname else ())
    )
    return by_nickname if by_nickname and all(is_same) else cities


def _find_in_state(gazetteer: Gazetteer, text: str, code: str) -> _NameMatch | None:
    state, folded = STATES[code], fold_name(text)
    is_name = folded in {fold_name(state.names.en), fold_name(state.names.es)}
    cities = gazetteer.cities(state.name if is_name else text)
    # "Ark" and "Ida" are abbreviations and villages; two letters are always a code.
    least = _GREAT_CITY if is_name else 0
    if cities and len(folded.replace(" ", "")) > 2 and (cities[0].population or 0) >= least:
        return _NameMatch(cities, has_state=False)
    if code == "DC":
        washington = gazetteer.cities("Washington", code)
        return _NameMatch(washington, has_state=True) if washington else None
    counties = gazetteer.counties(STATES[code].name, code)
    return _NameMatch(counties, has_state=True) if counties and code == "GU" else None


def _in_reading(gazetteer: Gazetteer, reading: Naming) -> _NameMatch | None:
    """Return the last part of a reading that is a city; else the street line's last words; else a
    county."""
    parts, state = reading
    has_state = state is not None
    # Some names contain a comma.
    if len(parts) > 1 and (cities := gazetteer.cities(" ".join(parts), state)):
        return _NameMatch(cities, has_state)
    for part in reversed(parts):
        cities = [] if names_county(part) else gazetteer.cities_like(part, state)
        if cities:
            return _NameMatch(cities, has_state, has_street=part != parts[0])
    for part in reversed(parts):
        for name in names_at_end(part, is_alone=not has_state and len(parts) == 1):
            if cities := gazetteer.cities(name, state):
                return _NameMatch(cities, has_state, has_street=True)
    for part in reversed(parts):
        # Counties without the word "County" come last: "Miami-Dade", "St. John, VI".
        if counties := gazetteer.counties(part, state):
            return _NameMatch(counties, has_state)
        if cities := gazetteer.cities_like(part, state):
            return _NameMatch(cities, has_state)
    return None


def start_of_city(city: City) -> Start:
    """Start from the middle of a city."""
    location = Location(city.name, city.state, city.zip, city.lat, city.lng)
    label = f"{city.name}, {city.state}"
    return Start(location, ecef_point(city.lat, city.lng), label=label)


def start_of_county(release: OpenRelease, county: County) -> Start:
    """Start from the middle of a county, named by the nearest ZIP code."""
    at = ecef_point(county.lat, county.lng)
    near = release.gazetteer.nearest_zip(at, _NAMING_METRES)
    location = Location(None, county.state, near.zip if near else None, county.lat, county.lng)
    note = (
        f"The search starts from the middle of {county.name}, {county.state}; a city or "
        "ZIP code starts it nearer to you."
    )
    return Start(location, at, note, county, f"{county.name}, {county.state}")


def _start_of_match(release: OpenRelease, match: _NameMatch) -> Start:
    place = match.places[0]
    start = start_of_county(release, place) if isinstance(place, County) else start_of_city(place)
    notes = [start.note] if start.note else []
    same = [] if isinstance(place, County) else release.gazetteer.namesakes(place)
    if same:
        notes.append(f"{place.state} has other places of this name: {', '.join(_labels(same))}.")
    if match.has_street:
        notes.append(f"{_from_middle(start.location)} A ZIP code starts it nearer to the address.")
    if not match.has_state and (note := _note_on_namesakes(match.places)):
        notes.append(note)
    return start._replace(note=" ".join(notes) or None)


def _from_middle(location: Location) -> str:
    return f"The search starts from the city of {location.city}, {location.state}."


def _note_on_namesakes(places: list[City] | list[County]) -> str | None:
    if len(places) == 1:
        return None
    first = places[0]
    others = ", ".join(f"{other.name}, {other.state}" for other in places[1 : 1 + _NAMESAKES])
    return (
        f"Searched from {first.name}, {first.state}, the largest of {len(places)} places "
        f"of this name. Others: {others}."
    )


# ---------------------------------------------------------------- unknown places


def _make_unknown_problem(gazetteer: Gazetteer, text: str, field: str) -> ServiceProblem:
    """Build the problem for a text that names no place, with suggestions."""
    state = state_by_words(text)
    if state:
        city = tables().places.codes_of_cities.get(fold_name(text))
        largest = (*([city] if city else []), *_labels(gazetteer.largest_cities(state)))[
            :_SUGGESTED
        ]
        detail = (
            f"{field}: {STATES[state].name} is a whole "
            f"{'territory' if STATES[state].kind == 'territory' else 'state'}; name a city "
            "in it, or a ZIP code"
        )
        return ServiceProblem(
            "place-too-wide",
            detail,
            {field: "a city, written like `Salem, OR`, or a ZIP code"},
            suggestions=largest,
        )
    if is_military(text):
        detail = (
            f"{field}: {text!r} is a military post office (APO, FPO or DPO) and no place "
            "on the map; search by city or by latitude and longitude"
        )
        return ServiceProblem("no-point", detail, {field: "a place on the map"})
    similar = _labels(_similar_cities(gazetteer, text))
    *others, last = similar or ("",)
    meant = f"{', '.join(others)} or {last}" if others else last
    question = f"; did you mean {meant}?" if similar else ""
    return ServiceProblem(
        "unknown-place",
        f"{field}: we cannot find a city named {text!r}{question}",
        {field: _HINT},
        suggestions=similar,
    )


def _similar_cities(gazetteer: Gazetteer, text: str) -> list[City]:
    """Return cities with the most similar names in the named state; a correct name in a wrong state
    precedes two errors in the right one. Without either, cities anywhere, then those with this
    beginning."""
    readings = [
        r for r in (after_comma(text), *last_words(text), without_state(text)) if r and r.parts
    ]
    for parts, state in readings:
        name = parts[-1]
        cities = gazetteer.cities_near(name, 1, state)
        cities = cities or (gazetteer.cities_like(name) if state else [])
        cities = cities or (gazetteer.cities_near(name, 2, state) if len(name) > 5 else [])
        if cities:
            return cities[:_SUGGESTED]
    name = readings[0].parts[-1] if readings else ""
    return gazetteer.cities_beginning(name)[:_SUGGESTED] if len(name) > 2 else []


def _labels(cities: list[City]) -> tuple[str, ...]:
    return tuple(f"{city.name}, {city.state}" for city in cities)
