"""Services that deliver food to homes around a place: a separate group in every answer."""

from schemas.api.area_help import HomeDelivery
from schemas.hours.clock_words import list_words
from schemas.sources.registry import sources
from schemas.values.coordinates import miles_to_chord
from schemas.values.names import fold_name
from schemas.words import message, say
from serving.http.caching import per_release
from serving.places.detail import area_name
from serving.render.words import Language, words
from serving.search.start import Start
from warehouse.index.areas import codes_of
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease

_FREE = MODE_TYPES["free"]
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
