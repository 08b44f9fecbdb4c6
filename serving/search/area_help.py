"""Help besides places: contacts where nothing is listed nearby (the food bank of the ZIP code, 211,
SNAP, WIC), and services that deliver food to homes, a separate group in every answer.

Every surface that lists places calls `help_where_far` and shows its result before distant places.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from schemas.api.area_help import AreaContact, AreaHelp, HomeDelivery, ServedArea
from schemas.hours.clock_words import list_words
from schemas.sources.registry import sources
from schemas.values.coordinates import chord_to_miles, miles_to_chord, round_miles
from schemas.values.names import fold_name
from schemas.vocab.resource_types import MODES
from schemas.vocab.states import STATE_CODES, STATES
from schemas.words import message, say
from serving.http.caching import per_release
from serving.places.detail import area_name, read_record
from serving.reference.organization import facts
from serving.render.formats import day
from serving.render.words import Language, words
from serving.search.start import Start
from warehouse.index.areas import FoodBank, codes_of
from warehouse.index.points import MODE_TYPES, TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

# Beyond this distance no place counts as near: the answer first names who serves the area.
FAR_MILES = 50.0
# Farther than any ZIP code is from its state's point, in northern Alaska too.
REMOTE_MILES = 300.0
_FREE = MODE_TYPES["free"]
_OFFICES: dict[str, frozenset[int]] = {
    "snap_office": frozenset({TYPE_CODES["snap_office"]}),
    "wic": frozenset({TYPE_CODES["wic_office"]}),
}
_NATION = ServedArea("nation", "US")
# Many food banks are called "Second Harvest"; the name alone does not identify one.
_MAX_NAMED = 3
_NETWORK = "feeding_america_2026"


def help_where_far(
    release: OpenRelease, start: Start, types: frozenset[int] | None, hits: Sequence[Hit] = ()
) -> AreaHelp | None:
    """Return contacts if no place of the requested types is within 50 miles; None otherwise.

    If the types include free food, or are all types, only free food counts: a shop nearby is no
    help without money. `hits`, nearest first, save counting. Safe for threads.
    """
    relevant = _FREE if types is None else (types & _FREE or types)
    chord = miles_to_chord(FAR_MILES)
    for square, row in hits:
        if square <= chord * chord and release.type_of(row) in relevant:
            return None
    if not relevant or release.spatial.select(relevant).count(start.at, chord):
        return None
    kind = next((mode for mode in MODES if relevant <= MODE_TYPES[mode]), "other")
    code, state = _zip_and_state(release, start)
    has_list = state in _states_with_free_food(release)
    return AreaHelp(
        zip=code,
        state=state,
        has_free_food_list=has_list,
        message=say(lambda language: _message(start, state, language, kind, has_list)),
        contacts=contacts_for(release, start, kind),
    )


def contacts_for(release: OpenRelease, start: Start, kind: str = "free") -> list[AreaContact]:
    """Return the contacts for any place, even where food is near: everyone gets the same answer.

    `kind` is the mode that was requested, or "other".
    """
    code, state = _zip_and_state(release, start)
    banks = release.food_banks.of_zip(code) if code and kind != "wic" else []
    served = ServedArea("zip", code or "")
    return [
        *(food_bank(bank, served, start.label or code or "") for bank in banks),
        *_help_line(),
        *_program(state),
        *_nearest_office(release, start, "snap_office"),
        *(_nearest_office(release, start, "wic") or ([] if kind == "wic" else [_wic()])),
    ]


def _zip_and_state(release: OpenRelease, start: Start) -> tuple[str | None, str | None]:
    """Return ZIP code and state of a start, or of the ZIP code nearest to it."""
    code, state, gazetteer = start.location.zip, start.location.state, release.gazetteer
    if not code and (near := gazetteer.nearest_zip(start.at, miles_to_chord(FAR_MILES))):
        code = near.zip
    if state is None and (near := gazetteer.nearest_zip(start.at, miles_to_chord(REMOTE_MILES))):
        state = near.state
    return code, state


def contacts_of_state(state: str) -> list[AreaContact]:
    """Return the contacts that serve a whole state."""
    return [*_help_line(), *_program(state), _wic()]


def sentences(area: AreaHelp, language: Language) -> list[str]:
    """Return the help in words: the kinds without a listing, then contacts, the food bank first."""
    return [
        area.message[language],
        *(contact_words(contact, language) for contact in area.contacts),
    ]


def contact_words(contact: AreaContact, language: Language) -> str:
    """Return one contact as a sentence, with the date of its facts."""
    w, name = words("area_help", language), contact.name
    text = contact.text[language]
    way = way_words(contact, language) if name != contact.phone else ""
    if not way:
        return str(w.contact_short.format(name=name, text=text))
    date = w.date.format(date=day(contact.as_of, language)) if contact.as_of else ""
    return str(w.contact.format(name=name, text=text, way=way, date=date))


def way_words(contact: AreaContact, language: Language) -> str:
    """Return how to reach a contact; empty if unknown."""
    w, phone, url = words("area_help", language), contact.phone, contact.url
    if phone and url:
        return str(w.call_or_see.format(phone=phone, url=url))
    return str(w.call.format(phone=phone) if phone else w.see.format(url=url) if url else "")


def _message(start: Start, state: str | None, language: Language, kind: str, has_list: bool) -> str:
    """Return what is not listed near the place, by its name as it was asked for, and where else to
    look for this kind."""
    w, place = words("area_help", language), start.location
    town = ", ".join(part for part in (place.city, place.state) if part)
    name = start.label or place.zip or town or w.here
    notes = [w.none[kind].format(miles=f"{FAR_MILES:g}", place=name)]
    if kind == "free" and not has_list and state in STATES:
        notes.append(w.no_list.format(state=STATES[state].names[language]))
    return " ".join([*notes, w.elsewhere[kind]])


@per_release
def _states_with_free_food(release: OpenRelease) -> frozenset[str]:
    is_free = np.isin(release.type_codes, list(_FREE))
    return frozenset(STATE_CODES[code] for code in np.unique(release.state_codes[is_free]))


# ---------------------------------------------------------------- contacts


def food_banks_named(
    release: OpenRelease, name: str, start: Start | None = None
) -> list[AreaContact]:
    """Return food banks with this name as contacts; near a start only those that serve it; none for
    a name that many share."""
    banks = release.food_banks.find_named(name)
    if start is not None and start.location.zip:
        serving = {one.id for one in release.food_banks.of_zip(start.location.zip)}
        banks = [bank for bank in banks if bank.id in serving]
    return [food_bank(bank) for bank in banks] if len(banks) <= _MAX_NAMED else []


def food_bank(bank: FoodBank, area: ServedArea | None = None, area_name: str = "") -> AreaContact:
    """Return a food bank as a contact: of an area it serves, or by its name."""
    key = "food_bank" if area else "food_bank_named"
    fact = facts().food_banks.get(bank.id)
    days = [date for date in (bank.as_of, fact and fact.as_of) if date]
    return AreaContact(
        kind="food_bank",
        name=bank.name,
        text=say(lambda language: words("area_help", language)[key].format(area=area_name)),
        phone=fact.number if fact else bank.phone,
        url=bank.url,
        as_of=min(days).isoformat() if days else None,
        source=sources()[_NETWORK].license.attribution,
        serves=area,
    )


def _help_line() -> list[AreaContact]:
    """Return the local help line while a current fact confirms that it answers."""
    line = facts().local
    if line is None:
        return []
    text = say(lambda language: words("area_help", language).help_line)
    since = line.as_of.isoformat()
    return [
        AreaContact("help_line", line.number, text, line.number, None, since, line.source, _NATION)
    ]


def _program(state: str | None) -> list[AreaContact]:
    """Return SNAP, or the territory's program, if current facts give its application page."""
    program = facts().programs.get(state or "")
    if program is None or state is None:
        return []
    portal, phone = program.portal, program.phone
    dated_facts = [fact for fact in (portal, phone) if fact is not None]

    def text(language: Language) -> str:
        w = words("area_help", language)
        name = STATES[state].names[language]
        return str(
            w.snap.format(state=name)
            if program.is_snap
            else w.own_program.format(program=program.program, state=name)
        )

    return [
        AreaContact(
            kind="food_program",
            name=program.agency or program.program,
            text=say(text),
            phone=phone.number if phone else None,
            url=portal.url if portal else program.website,
            as_of=min(fact.as_of for fact in dated_facts).isoformat() if dated_facts else None,
            source=dated_facts[0].source if dated_facts else None,
            serves=ServedArea("state", state),
        )
    ]


def _wic() -> AreaContact:
    """Return the help line for WIC, which finds offices that this directory does not list."""
    text = say(lambda language: words("area_help", language).wic)
    line = facts().local
    return AreaContact("wic", "WIC", text, line.number if line else None, None, None, None, _NATION)


def _nearest_office(
    release: OpenRelease, start: Start, kind: Literal["snap_office", "wic"]
) -> list[AreaContact]:
    """Return the nearest listed office within 50 miles, if there is one."""
    offices = release.spatial.select(_OFFICES[kind]).inside(start.at, miles_to_chord(FAR_MILES))
    is_published = release.is_confidential.take(offices.rows) == 0
    nearest = offices.take(is_published.nonzero()[0]).nearest_hit()
    if nearest is None:
        return []
    square, row = nearest
    record = read_record(release, row)
    miles = round_miles(chord_to_miles(math.sqrt(square)), release.precision_of(row))
    address = ", ".join(part for part in (record["address"], record["city"]) if part)

    def text_of(language: Language) -> str:
        w = words("area_help", language)
        sentence = str(w.offices[kind].format(miles=f"{miles:g}"))
        return sentence + str(w.at.format(address=address) if address else "")

    return [
        AreaContact(
            kind=kind,
            name=record["name"],
            text=say(text_of),
            phone=record["phone"],
            url=record["website"],
            as_of=record["source_updated_date"],
            source=None,
            serves=None,
        )
    ]


_MAX_ZIP_MILES = 50.0


def home_deliveries(
    release: OpenRelease, start: Start, types: frozenset[int] | None = None
) -> list[HomeDelivery]:
    """Return the services listed for the ZIP code, town, county or state of a place.

    None for a search without any type of free food.
    """
    if not len(release.home_deliveries) or not (types is None or types & _FREE):
        return []
    place, gazetteer = start.location, release.gazetteer
    near = gazetteer.zip(place.zip) if place.zip else None
    near = near or gazetteer.nearest_zip(start.at, miles_to_chord(_MAX_ZIP_MILES))
    codes = set(codes_of(near)) if near else set()
    if place.city and place.state:
        codes.add(f"place:{place.state}/{fold_name(place.city)}")
    return [_answer(release, number) for number in release.home_deliveries.numbers_of(codes)]


@per_release
def _answer(release: OpenRelease, number: int) -> HomeDelivery:
    service = release.home_deliveries[number]
    source = sources()[service.source_id]
    serves = bool(service.service_areas)

    def text(language: Language) -> str:
        w = words("home_delivery", language)
        areas = list_words(_names(release, service.areas, language), language)
        return str((w.serves if serves else w.ask).format(areas=areas))

    return HomeDelivery(
        name=service.name,
        organization=service.organization,
        kind=message("home_delivery", "kind"),
        serves="yes" if serves else "not_known",
        areas=_names(release, service.areas, "en"),
        text=say(text),
        phone=service.phone,
        website=service.website,
        hours_text=service.hours_text,
        services_text=service.services_text,
        eligibility_text=service.eligibility_text,
        requirements_text=service.requirements_text,
        notes=service.notes,
        listed_date=service.listed_date.isoformat() if service.listed_date else None,
        source=source.license.attribution or source.publisher,
        source_url=source.homepage,
        license=service.license,
    )


def _names(release: OpenRelease, codes: list[str], language: Language) -> list[str]:
    return [area_name(release, code, language) for code in codes]


def count_in_words(services: list[HomeDelivery], language: Language) -> list[str]:
    """Return the number of delivery services as a sentence with the names of the first three."""
    if not services:
        return []
    w, names = words("home_delivery", language), [service.name for service in services[:3]]
    sentence = w.some if len(services) == 1 else w.many
    return [str(sentence.format(count=len(services), names=list_words(names, language)))]
