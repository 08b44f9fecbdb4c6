"""The tools that find places. They call the same functions as the other addresses."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import msgspec

from schemas.api import mcp as shapes
from schemas.api.area_help import AreaHelp, HomeDelivery
from schemas.api.lists import Location
from schemas.api.mcp import AskDetails, FindFood, FindOpen
from schemas.attributes import WISHES
from schemas.hours.opening import OPEN_STATUSES
from schemas.values.usual_hours import advice_for
from schemas.vocab.attributes import WHO_MAY_EAT
from schemas.vocab.constraints import TYPES_WITH
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.words import Words
from serving.mcp.arguments import Call
from serving.places.detail import address_line, build_detail
from serving.places.listings import make_unlisted_problem, row_or_successor
from serving.places.view import place_path
from serving.search.area_help import sentences
from serving.search.asked_time import when_words
from serving.search.constraints import Ranking, find_unpublished_wishes, time_of_wishes
from serving.search.filter import Filters
from serving.search.find import Page, Query, Types, choose_types, find
from serving.search.language.reply import wishes_in_words
from serving.search.language.wishes import Wish
from serving.search.plain_search import weigh_within
from serving.search.render import list_json
from serving.search.start import start_of_text
from serving.search.urgent import answer


async def find_food(call: Call, arguments: FindFood) -> shapes.FoundPlaces:
    """Return places around a ZIP code or city, nearest first.

    Without a radius: 10 miles, and wider when nothing is within. Raises ServiceProblem (400, 404).
    """
    now = datetime.now(UTC)
    asked = arguments.radius_miles if isinstance(arguments.radius_miles, float) else None
    radius = asked or shapes.DEFAULT_MILES
    # Looked up here already, so that a fault names the argument as the tool does.
    start_of_text(call.release, arguments.location, "location")
    wishes, is_widened, ranking = _wishes(arguments), False, None
    if wishes:
        response, ranking = await asyncio.to_thread(
            _search_by_wishes, call, arguments, wishes, radius, now
        )
        is_widened = response["search_radius_mi"] > radius
    else:
        response = _search(call, arguments, radius, now)
        is_widened = asked is None and not response["total_available"]
        if is_widened:
            response = _search(call, arguments, None, now)
    call.context.searches.add(
        now.date(), response["location"]["zip"] or "", "free", is_empty=not response["resources"]
    )
    places = [_place(call, record) for record in response["resources"]]
    area = _area(response)
    deliveries = len(response["home_delivery"])
    bring = "1 service brings" if deliveries == 1 else f"{deliveries} services bring"
    return shapes.FoundPlaces(
        summary=call.summary(
            *(sentences(area, "en") if area else ()),
            *_result_words(response, arguments, places),
            *_wish_words(ranking, wishes),
            f"{bring} food to homes there: see `home_delivery`, and ask them."
            if deliveries
            else None,
            response["message"],
        ),
        location=msgspec.convert(response["location"], Location),
        radius_miles=response["search_radius_mi"],
        is_expanded=response["expanded"] or is_widened,
        total_available=response["total_available"],
        constraint_counts=ranking.counts if ranking else [],
        places=places,
        home_delivery=msgspec.convert(response["home_delivery"], list[HomeDelivery]),
        message=response["message"],
        area_help=area,
        data=call.data,
    )


def _search(call: Call, arguments: FindFood, radius: float | None, now: datetime) -> dict[str, Any]:
    """Return the list answer of `/api/resources/search`."""
    page, kind = Page(arguments.limit), _kind(arguments)
    if kind == shapes.DELIVERED:
        query = Query(
            choose_types("free", None), radius, page, Filters(truths=frozenset({"delivery"}))
        )
    else:
        query = Query(_types(arguments), radius, page)
    start = start_of_text(call.release, arguments.location)
    matches = find(call.release, start, query, now)
    body = list_json(call.context, call.release, start, query, matches, now)
    return msgspec.json.decode(body, type=dict[str, Any])


def _types(arguments: FindFood) -> Types:
    kind = _kind(arguments)
    if kind and kind != shapes.DELIVERED:
        return choose_types(None, shapes.TYPE_ALIASES.get(kind, kind))
    types = choose_types("free", None)
    with_diapers = choose_types(None, ",".join(TYPES_WITH["item", "diapers"]))
    return types | with_diapers if types and with_diapers and "diapers" in arguments.item else types


def _wishes(arguments: FindFood) -> list[Wish]:
    """Return the constraints that were requested."""
    lists = ("diet", "papers", "audience", "language", "transport", "day", "appointment", "item")
    wishes = [Wish(kind, value) for kind in lists for value in getattr(arguments, kind)]
    truths = {kind for kind in WISHES if getattr(arguments, kind)}
    if wishes and _kind(arguments) == shapes.DELIVERED:
        truths.add("delivery")
    wishes += [Wish(kind, True) for kind in WISHES if kind in truths]
    wishes += [Wish("serves_zip", arguments.serves_zip)] if arguments.serves_zip else []
    if isinstance(arguments.time, str):
        wishes.append(Wish("time", arguments.time))
    return wishes


def _search_by_wishes(
    call: Call, arguments: FindFood, wishes: list[Wish], radius: float, now: datetime
) -> tuple[dict[str, Any], Ranking]:
    """Return the list, places that fit the wishes first, and counts of each. Safe for threads."""
    release, types = call.release, _types(arguments)
    start = start_of_text(release, arguments.location, "location")
    query = Query(types, radius, Page(arguments.limit), expands=False)
    matches = find(release, start, query)
    if not matches.total and not isinstance(arguments.radius_miles, float):
        matches = find(release, start, Query(types, page=Page(arguments.limit)))
    ranking = weigh_within(release, start, types, matches, wishes, time_of_wishes(wishes), now)
    matches = matches._replace(hits=ranking.places.hits(0, arguments.limit))
    home = Filters(serves_zip=arguments.serves_zip or None)
    query = msgspec.structs.replace(query, expands=True, filters=home)
    body = list_json(call.context, release, start, query, matches, now)
    return msgspec.json.decode(body, type=dict[str, Any]), ranking


def _area(response: dict[str, Any]) -> AreaHelp | None:
    return msgspec.convert(response["area_help"], AreaHelp | None)


def _kind(arguments: FindFood) -> str:
    """Return the type requested; empty for none."""
    return arguments.type if isinstance(arguments.type, str) else ""


def _result_words(
    response: dict[str, Any], arguments: FindFood, places: list[shapes.ToolPlace]
) -> list[str]:
    """Return a summary of the results: numbers and our own labels, never a record's text."""
    type_name = _kind(arguments)
    kind = RESOURCE_TYPES.get(shapes.TYPE_ALIASES.get(type_name, type_name))
    what = (
        f"of the type {kind.label}"
        if kind
        else "that bring food home"
        if type_name == shapes.DELIVERED
        else "with free food"
    )
    total, radius = response["total_available"], response["search_radius_mi"]
    if not total:
        return [
            f"No place {what} was found within {radius:g} miles of {_where(response)}.",
            "Try another type or a larger radius_miles.",
        ]
    are_open = sum(place.open_status in OPEN_STATUSES for place in places)
    unknown = sum(place.open_status == "unknown" for place in places)
    texts = [
        f"{total} {'place' if total == 1 else 'places'} {what} within {radius:g} miles "
        f"of {_where(response)}; the nearest {len(places)} are listed, {are_open} of "
        "them open now."
    ]
    if unknown:
        texts.append(
            f"For {unknown} it is not known whether they are open: see `usual_hours`, "
            "and call first, or 211 where no phone is listed."
        )
    return texts


def _wish_words(ranking: Ranking | None, wishes: list[Wish]) -> list[str]:
    """Return the results for each wish, in our own words."""
    if not ranking:
        return []
    time = time_of_wishes(wishes)
    when = when_words(time, "en") if time else ""
    return wishes_in_words(ranking.tallies, find_unpublished_wishes(ranking), when, "en")


def _where(response: dict[str, Any]) -> str:
    place = response["location"]
    town = ", ".join(part for part in (place["city"], place["state"]) if part)
    return " ".join(part for part in (town, place["zip"]) if part) or "the requested point"


async def find_open(call: Call, arguments: FindOpen) -> shapes.OpenPlaces:
    """Return free food now, as `/api/resources/urgent` does. Raises ServiceProblem (400, 404)."""
    now, context = datetime.now(UTC), call.context
    asked = arguments.radius_miles if isinstance(arguments.radius_miles, float) else None
    radius = asked or shapes.DEFAULT_MILES
    response = await _urgent(call, arguments, radius, now)
    is_widened = asked is None and not any(
        response[name]
        for name in ("resources", "opening_soon", "usually_open", "opening_later", "call_first")
    )
    if is_widened:
        response = await _urgent(call, arguments, None, now)
    context.searches.add(
        now.date(), response["location"]["zip"] or "", "free", is_empty=not response["resources"]
    )
    records = {
        "open_now": response["resources"],
        "opening_soon": response["opening_soon"],
        "usually_open_now": response["usually_open"],
        **{name: response[name] for name in ("opening_later", "call_first", "for_children")},
    }
    lists = {name: [_place(call, one) for one in records[name]] for name in records}
    area = _area(response)
    return shapes.OpenPlaces(
        summary=call.summary(
            *(sentences(area, "en") if area else ()), _open_words(response), response["message"]
        ),
        location=msgspec.convert(response["location"], Location),
        radius_miles=response["search_radius_mi"],
        is_expanded=response["expanded"] or is_widened,
        **lists,
        total_open_now=response["total_open_now"],
        total_call_first=response["total_call_first"],
        message=response["message"],
        area_help=area,
        data=call.data,
    )


async def _urgent(
    call: Call, arguments: FindOpen, radius: float | None, now: datetime
) -> dict[str, Any]:
    start = start_of_text(call.release, arguments.location, "location")
    search_answer = await asyncio.to_thread(
        answer, call.context, call.release, start, radius, arguments.limit, now
    )
    return msgspec.json.decode(search_answer.body, type=dict[str, Any])


def _open_words(response: dict[str, Any]) -> str | None:
    """Return the number of open places; None if no place is open, which the message says."""
    if not response["total_open_now"]:
        return None
    are = (
        "place with free food is"
        if response["total_open_now"] == 1
        else "places with free food are"
    )
    return (
        f"{response['total_open_now']} {are} known to be open now within "
        f"{response['search_radius_mi']:g} miles of {_where(response)}; "
        f"{response['total_opening_soon']} open within the hour, "
        f"{response['total_opening_later']} within three days."
    )


async def get_details(call: Call, arguments: AskDetails) -> shapes.PlaceDetails:
    """Return one place with its sources; the id of a merged place gives its successor.

    Raises ServiceProblem (404, 410).
    """
    body, moved_from = await record_json(call, arguments.resource_id, datetime.now(UTC))
    record = msgspec.json.decode(body)
    fresh = record["freshness"]
    details = {name: record.get(name) for name in shapes.PlaceDetails.__struct_fields__}
    details["place"] = msgspec.to_builtins(_place(call, record))
    details["freshness"] = msgspec.to_builtins(Words(fresh["en"], fresh["es"]))
    details["summary"] = call.summary(*_detail_words(record, moved_from))
    details["moved_from"] = moved_from
    details["sources"] = [
        {name: source.get(name) for name in shapes.ToolSource.__struct_fields__}
        for source in record["sources"]
    ]
    details["data"] = msgspec.to_builtins(call.data)
    return msgspec.convert(details, shapes.PlaceDetails)


async def record_json(call: Call, resource_id: int, now: datetime) -> tuple[bytes, int | None]:
    """Return the single record as JSON, and the requested id if it was merged into another place.

    Raises ServiceProblem (404, 410).
    """
    release = call.release
    row = row_or_successor(release, resource_id)
    if row is None:
        raise make_unlisted_problem(release, resource_id)
    moved_from = None if release.id_of(row) == resource_id else resource_id
    return await build_detail(call.context, release, row, now), moved_from


def _detail_words(record: dict[str, Any], moved_from: int | None) -> list[str]:
    texts = [f"Resource {moved_from} was merged into {record['id']}."] if moved_from else []
    status = record["hours_status"]
    now = {
        "open": "open now",
        "closes_soon": "open now and closes within the hour",
        "opens_soon": "closed and opens within the hour",
        "closed": "closed now",
    }
    if status == "unknown":
        usual = record["usual_hours"]
        advice = advice_for(has_phone=bool(record["phone"]), has_website=bool(record["website"]))
        texts.append(
            "It is not known whether the place is open. "
            f"{usual['summary']['en'] if usual else advice.sentence.en}"
        )
    else:
        texts.append(f"By its hours the place is {now[status]}.")
    if record["doubt"]:
        texts.append(record["doubt"]["en"])
    texts.append(f"{record['freshness']['en']}; {record['verification_status'].replace('_', ' ')}.")
    return texts


def _place(call: Call, record: dict[str, Any]) -> shapes.ToolPlace:
    """Return a record of the service as a tool gives it."""
    short = {name: record.get(name) for name in shapes.ToolPlace.__struct_fields__}
    short["type"] = record["resource_type"]
    short["address"] = address_line(record)
    short["open_status"] = record["hours_status"]
    who = WHO_MAY_EAT.get(record["resource_type"])
    short["who_may_eat"] = msgspec.to_builtins(who) if who else None
    base = call.context.settings.url
    short["url"] = base + place_path(record["id"])
    short["json_url"] = f"{base}/api/resources/{record['id']}"
    return msgspec.convert(short, shapes.ToolPlace)
