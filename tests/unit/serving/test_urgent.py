"""Free food now: exact against brute force, honest about doubt."""

import math
import random
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.api.lists import UrgentList
from schemas.hours.opening import open_state
from schemas.hours.schedule import schedules_from_json
from schemas.values.coordinates import chord_to_miles, ecef_point, miles_to_chord
from schemas.vocab.resource_types import TYPES_BY_MODE
from serving.search.start import start_of_point
from serving.search.urgent import answer
from serving.site.site import SitePlace, urgent_groups
from tests.support.examples import examples
from tests.support.releases import resource
from tests.support.street import FRESH, OLD, open_street, place, weekly
from tests.support.town import NEW_YORK

# A Tuesday, 10:30 in New York.
NOW = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
STREET = [
    place(1, 5, name="Open far", schedules_json=weekly("09:00", "17:00")),
    place(2, 1, name="Closes soon", schedules_json=weekly("09:00", "11:00")),
    place(3, 2, name="Opens soon", schedules_json=weekly("11:00", "13:00")),
    place(4, 3, name="Opens tomorrow", schedules_json=weekly("08:00", "09:00"), requires_appointment=True),
    place(5, 0.5, name="Opens this afternoon", schedules_json=weekly("13:00", "14:00")),
    place(6, 0.4, name="Opens on Friday", schedules_json=weekly("13:00", "14:00", "FR")),
    place(7, 0.1, name="No hours, no telephone"),
    place(8, 8, name="No hours", phone="(212) 555-0108"),
    place(9, 4, name="Old hours", phone="(212) 555-0109", schedules_json=weekly("09:00", "17:00"), source_updated_date=OLD),
    place(10, 0.2, name="Shelter", phone="(212) 555-0110", schedules_json=weekly("09:00", "17:00"), is_confidential=True, location_precision="city"),
    place(11, 0.2, name="By appointment", schedules_json=weekly("09:00", "12:00"), requires_appointment=True),
    place(12, 0.1, name="Shop", resource_type="snap_retailer", schedules_json=weekly("09:00", "17:00")),
    place(13, 0.1, name="School", resource_type="school_meal", schedules_json=weekly("09:00", "17:00")),
    place(14, 0.1, name="Head Start", resource_type="head_start", schedules_json=weekly("09:00", "17:00")),
    place(15, 0.1, name="Summer meals", resource_type="summer_meal", schedules_json=weekly("09:00", "17:00")),
    place(16, 0.2, name="Summer meals later", resource_type="summer_meal", schedules_json=weekly("13:00", "17:00")),
    place(17, 0.1, name="Clinic", resource_type="health_center", schedules_json=weekly("09:00", "17:00")),
]  # fmt: skip


@pytest.fixture(scope="module")
def street(tmp_path_factory):
    return open_street(tmp_path_factory.mktemp("street"), STREET)


def asked(service, at=NEW_YORK, radius=None, limit=20, now=NOW) -> UrgentList:
    context, release, _ = service
    body = answer(context, release, start_of_point(release, *at), radius, limit, now).body
    return msgspec.json.decode(body, type=UrgentList)


def names(records) -> list[str]:
    return [record.name for record in records]


def test_every_place_is_in_its_list(street):
    lists = asked(street)
    assert names(lists.resources) == ["By appointment", "Closes soon", "Open far"]
    assert names(lists.opening_soon) == ["Opens soon"]
    assert names(lists.usually_open) == ["Old hours"]
    assert names(lists.opening_later) == ["Opens this afternoon", "Opens tomorrow"]
    assert names(lists.call_first) == ["Shelter", "No hours", "No hours, no telephone"]
    assert names(lists.for_children) == ["Summer meals"]
    assert (
        lists.total_open_now,
        lists.total_opening_soon,
        lists.total_usually_open,
        lists.total_available,
    ) == (3, 1, 1, 3)
    assert (lists.total_opening_later, lists.total_call_first) == (2, 3)
    assert lists.hours_known_share == round(7 / 11, 3)


WHEN = {
    "Closes soon": ("Open until 11 a.m.", "Abierto hasta las 11 a. m."),
    "Open far": ("Open until 5 p.m.", "Abierto hasta las 5 p. m."),
    "By appointment": (
        "Open until noon. By appointment: no phone is listed, so call 211 first.",
        "Abierto hasta mediodía. Con cita: no hay teléfono en la lista; llame antes al 211.",
    ),
    "Opens soon": ("Opens today at 11 a.m.", "Abre hoy a las 11 a. m."),
    "Opens this afternoon": ("Opens today at 1 p.m.", "Abre hoy a la 1 p. m."),
    "Opens tomorrow": (
        "Opens tomorrow at 8 a.m. By appointment: no phone is listed, so call 211 first.",
        "Abre mañana a las 8 a. m. Con cita: no hay teléfono en la lista; llame antes al 211.",
    ),
    "No hours": ("Hours not known: call first.", "Horario desconocido: llame antes de ir."),
    "No hours, no telephone": (
        "Hours not known: no phone is listed, so call 211 first.",
        "Horario desconocido: no hay teléfono en la lista; llame antes al 211.",
    ),
    "Old hours": (
        "Usually open now, until 5 p.m., according to a check of November 2025. Call first.",
        "Normalmente abierto a esta hora, hasta las 5 p. m., según una consulta de noviembre de 2025. Llame antes de ir.",
    ),
    "Shelter": (
        "The address is not published, for the safety of those who live there: call first.",
        "La dirección no se publica, por la seguridad de quienes viven allí: llame antes de ir.",
    ),
    "Summer meals": ("Open until 5 p.m.", "Abierto hasta las 5 p. m."),
}


def test_every_place_has_a_time_to_go(street):
    response = asked(street)
    lists = (
        response.resources,
        response.opening_soon,
        response.usually_open,
        response.opening_later,
        response.call_first,
        response.for_children,
    )
    records = {record.name: record for records in lists for record in records}
    texts = {name: (r.when.en, r.when.es.replace("\u00a0", " ")) for name, r in records.items()}
    assert texts == WHEN
    assert records["Opens soon"].opens_at == "2026-11-17T11:00:00-05:00"
    assert records["Closes soon"].closes_at == "2026-11-17T11:00:00-05:00"
    assert records["Shelter"].opens_at is records["Shelter"].closes_at is None
    assert "18 and under" in records["Summer meals"].who_may_eat.en
    assert {r.name for r in records.values() if r.who_may_eat} == {"Summer meals"}


def test_the_page_shows_every_group(street):
    place = SitePlace(start_of_point(street.release, *NEW_YORK), "New York")
    groups = urgent_groups(street.release, place, NOW, "en").groups
    assert {name: [view.name for view in views] for name, views in groups.items()} == {
        "open": ["By appointment", "Closes soon", "Open far", "Opens soon"],
        "usual": ["Old hours"],
        "opening_later": ["Opens this afternoon", "Opens tomorrow"],
        "call_first": ["Shelter", "No hours", "No hours, no telephone"],
        "for_children": ["Summer meals"],
    }


def test_a_meal_site_whose_season_is_over_is_left_out(tmp_path):
    season = {"closure": "season", "closure_until_date": date(2027, 5, 31)}
    site = {"resource_type": "summer_meal", "schedules_json": weekly("09:00", "17:00")}
    rows = [place(1, 1, name="Open", **site), place(2, 1, name="Closed", **site, **season)]
    assert names(asked(open_street(tmp_path, rows)).for_children) == ["Open"]


def test_at_night_no_place_is_certain_to_be_open(street):
    lists = asked(street, now=datetime(2026, 11, 17, 7, 0, tzinfo=UTC))
    assert (lists.resources, lists.total_available) == ([], 0)
    assert "No place within 25 miles is known to be open now." in (lists.message or "")
    assert "opening_later" in (lists.message or "")
    assert names(lists.opening_later)[0] == "Opens tomorrow", "it opens first, at 8"


def test_no_place_near_widens_as_the_search_does(street):
    far = (NEW_YORK[0] + 1.5, NEW_YORK[1])
    lists = asked(street, at=far)
    assert (lists.expanded, lists.search_radius_mi) == (True, 100)
    assert "widened to 100 miles" in (lists.message or "")
    assert asked(street, at=far, radius=120).expanded is False


def test_no_place_anywhere_is_an_empty_answer(street):
    lists = asked(street, at=(13.44, 144.79))
    assert (lists.resources, lists.call_first, lists.hours_known_share) == ([], [], None)
    assert lists.message == "No place with free food within 500 miles."


# ---------------------------------------------------------------- over HTTP

REFUSED = {
    "nothing": ("", ["zip", "lat", "lng"]),
    "half a point": ("?lat=40.7", ["lng"]),
    "the other half": ("?lng=-73.9", ["lat"]),
}


@pytest.mark.parametrize(("query", "fields"), REFUSED.values(), ids=REFUSED)
def test_refuses(client, query, fields):
    reply = client.get(f"/api/resources/urgent{query}")
    assert reply.status_code == 400
    assert [fault["field"] for fault in reply.json()["errors"]] == fields


@pytest.mark.parametrize(
    "query",
    [
        "zip=10002",
        "zip=New York, NY",
        f"lat={NEW_YORK[0]}&lng={NEW_YORK[1]}&radius=10",
        "zip=10002&lat=13.4757&lng=144.7489",
        "zip=10002&lat=13.4757",
    ],
)
def test_answers(client, query):
    reply = client.get(f"/api/resources/urgent?{query}")
    lists = msgspec.json.decode(reply.content, type=UrgentList)
    assert [(record.id, record.hours_status) for record in lists.resources] == [(101, "open")]
    [usual] = lists.usually_open
    assert (usual.id, usual.hours_status, usual.usual_hours.status) == (102, "unknown", "open")
    assert lists.location.zip == "10002"
    # What was sent in vain is named.
    is_ignored = "zip=" in query and "lat=" in query
    assert ("`lat` and `lng` were not" in (lists.message or "")) is is_ignored
    assert client.get(f"/api/resources/urgent?{query}").content == reply.content


# ---------------------------------------------------------------- against brute force

_random = random.Random(7)
TIMETABLES = [
    weekly(f"{start:02d}:00", f"{start + length:02d}:{minute}", days)
    for start, length, minute, days in [
        (0, 24, "00", "MO,TU,WE,TH,FR,SA,SU"),
        (9, 3, "00", "TU"),
        (10, 2, "30", "MO,TU"),
        (11, 1, "00", "TU,WE"),
        (8, 1, "00", "WE,FR"),
        (17, 3, "15", "MO,TU,WE,TH,FR"),
        (22, 2, "00", "TU,SA"),
    ]
] + [
    '[{"freq":"WEEKLY","byday":"TU,WE"}]',
    '[{"freq":"WEEKLY","byday":"TU","opens_at":"10:00","closes_at":"12:00","interval":2}]',
    '[{"description":"by appointment"}]',
    None,
    None,
]
TYPES = [
    "food_pantry",
    "soup_kitchen",
    "mobile_pantry",
    "food_bank",
    "snap_retailer",
    "summer_meal",
    "school_meal",
    "diaper_bank",
]


def _crowd():
    for number in range(1, 241):
        point = {
            "lat": NEW_YORK[0] + _random.choice([0, 0.01, _random.uniform(-1.5, 1.5)]),
            "lng": NEW_YORK[1] + _random.choice([0, 0.01, _random.uniform(-1.5, 1.5)]),
        }
        yield resource(
            number,
            resource_type=_random.choice(TYPES),
            schedules_json=_random.choice(TIMETABLES),
            timezone=_random.choice(["America/New_York", "America/Chicago"]),
            source_updated_date=_random.choice([FRESH, FRESH, date(2026, 5, 21), OLD, None]),
            phone=_random.choice([None, "(212) 555-0100"]),
            is_confidential=_random.random() < 0.1,
            **point,
        )


CROWD = list(_crowd())


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    return open_street(tmp_path_factory.mktemp("crowd"), CROWD)


def _is_old(day, now):
    return day is None or (now.date() - day).days > 180


def by_brute_force(at, radius, now, mode):
    """Return ids of the groups, computed row by row from the declarations of the answer."""
    centre, limit = ecef_point(*at), miles_to_chord(radius)
    lists = {"open": [], "soon": [], "usual": [], "later": [], "unknown": []}
    for row in CROWD:
        chord = math.dist(centre, ecef_point(row["lat"], row["lng"]))
        if row["resource_type"] not in TYPES_BY_MODE[mode] or chord > limit:
            continue
        key = (round(chord, 6), row["resource_id"])
        schedules = schedules_from_json(row["schedules_json"])
        state = open_state(schedules, row["timezone"], now)
        is_old = _is_old(row["source_updated_date"], now)
        if is_old and not row["is_confidential"] and state.status in ("open", "closes_soon"):
            lists["usual"].append(key)
        elif is_old or row["is_confidential"] or state.status == "unknown":
            lists["unknown"].append((row["phone"] is None, *key))
        elif state.status in ("open", "closes_soon"):
            lists["open"].append(key)
        elif state.status == "opens_soon":
            lists["soon"].append(key)
        elif state.opens_at is not None and state.opens_at - now <= timedelta(hours=72):
            miles = chord_to_miles(chord)
            minutes = (state.opens_at - now).total_seconds() / 60 + 6 * miles
            lists["later"].append((round(minutes, 4), *key))
        else:
            lists.setdefault("closed", []).append(key)
    return {name: [key[-1] for key in sorted(keys)] for name, keys in lists.items()}


minutes = st.integers(0, 7 * 24 * 60)
points = st.tuples(st.floats(-0.7, 0.7), st.floats(-0.7, 0.7)).map(
    lambda d: (NEW_YORK[0] + d[0], NEW_YORK[1] + d[1])
)


@pytest.mark.slow
@examples(100)
@given(
    at=st.one_of(points, st.just(NEW_YORK)),
    radius=st.integers(1, 120),
    limit=st.integers(1, 100),
    later=minutes,
)
def test_agrees_with_brute_force(crowd, at, radius, limit, later):
    now = NOW + timedelta(minutes=later)
    lists = asked(crowd, at, float(radius), limit, now)
    free, summer = (
        by_brute_force(at, lists.search_radius_mi, now, mode) for mode in ("free", "summer")
    )
    parts = {
        "open": lists.resources,
        "soon": lists.opening_soon,
        "usual": lists.usually_open,
        "later": lists.opening_later,
        "unknown": lists.call_first,
    }
    for name, part in parts.items():
        assert [record.id for record in part] == free[name][:limit], name
    assert lists.total_available == len(free["open"])
    total = sum(len(part) for part in free.values())
    share = round(1 - len(free["unknown"] + free["usual"]) / total, 3) if total else None
    assert lists.hours_known_share == pytest.approx(share, abs=0.0011)
    children = {r.id for r in lists.for_children}
    assert len(children) == min(limit, len(summer["open"]) + len(summer["soon"]))
    assert children <= {*summer["open"], *summer["soon"]}
    assert {r.hours_status for r in lists.resources} <= {"open", "closes_soon"}


def test_a_near_opening_comes_before_a_far_one_that_is_a_little_sooner(tmp_path):
    """Ten more minutes of waiting are less than an hour and a half on the way."""
    rows = [
        place(1, 15, name="Far at one", schedules_json=weekly("13:00", "14:00")),
        place(2, 0.5, name="Near at ten past", schedules_json=weekly("13:10", "14:00")),
    ]
    assert names(asked(open_street(tmp_path, rows)).opening_later) == [
        "Near at ten past",
        "Far at one",
    ]
