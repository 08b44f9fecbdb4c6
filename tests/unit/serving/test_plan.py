"""The plan for a week: certainty of visits, excluded places, and the page."""

import re
from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from schemas.api.plan import WeekPlan
from schemas.values.coordinates import ecef_point
from serving.places.week import week_of
from serving.search.filter import Filters
from serving.search.start import start_of_zip
from serving.site.plan_request import form_of_address
from serving.site.plan_shown import PlanWords, reason_of, say_once
from serving.site.plan_week import Question, plan_week
from tests.support.cases import cases
from tests.support.clients import read
from tests.support.releases import resource
from tests.support.town import ALWAYS, NEW_YORK, write_town
from warehouse.index.reader import MODE_TYPES, OpenRelease
from warehouse.release.store import ReleaseStore

# A Wednesday noon in New York; nothing on these seven days is a holiday.
NOW = datetime(2027, 3, 10, 17, tzinfo=UTC)
FRESH = NOW.date() - timedelta(days=10)
SURE = {"schedules_json": ALWAYS, "requires_documents": False, "source_updated_date": FRESH}
ID_ASKED = {"requires_documents": True, "required_documents": ["photo_id"]}
MONDAYS = '[{"freq":"WEEKLY","byday":"MO","opens_at":"10:00","closes_at":"12:00"}]'
TUESDAYS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"10:00","closes_at":"12:00"}]'
SOMETIMES = '[{"description":"by arrangement"}]'


def _place(number, **values):
    """Return a place, each a little farther north than the previous number."""
    point = {"lat": NEW_YORK[0] + number / 2000, "lng": NEW_YORK[1]}
    return resource(number, name=f"Place {number}", **{**SURE, **point, **values})


def _release(tmp_path, rows):
    write_town(tmp_path, resources=rows)
    store = ReleaseStore(tmp_path)
    return OpenRelease(store.folder(str(store.current())))


def _asked(release, **changes):
    start = start_of_zip(release, "10002")
    question = Question(
        start, MODE_TYPES["free"], 20.0, dict.fromkeys(range(7), (0, None)), max_visits=1
    )
    return question._replace(**changes)


DOUBTS = {
    "all is known": ({}, {}, []),
    "hours of years ago": ({"source_updated_date": date(2020, 1, 1)}, {}, ["hours_old"]),
    "hours that may be": ({"schedules_json": SOMETIMES}, {}, ["hours_unsure"]),
    "papers not known": ({"requires_documents": None}, {}, ["papers_unknown"]),
    "papers asked for": (ID_ASKED, {}, []),
    "by appointment": ({"requires_appointment": True}, {}, ["appointment"]),
    "appointment wanted": (
        {"requires_appointment": True},
        {"truths": frozenset({"appointment"})},
        [],
    ),
    "for older people": ({"audiences": ["seniors"]}, {}, ["only_some"]),
    "for everyone": ({"audiences": ["everyone"]}, {}, []),
    "from an age on": ({"minimum_age": 60}, {}, ["only_some"]),
    "of that age": ({"minimum_age": 60}, {"age": 70}, []),
    "age not known": ({}, {"age": 70}, ["not_known"]),
    "another area": (
        {"service_areas": ["zip:10003"], "is_service_area_exclusive": False},
        {},
        ["area"],
    ),
    "this area": ({"service_areas": ["zip:10002"], "is_service_area_exclusive": True}, {}, []),
    "wheelchair not known": ({}, {"truths": frozenset({"wheelchair"})}, ["not_known"]),
    "once a month": ({"visit_limit_text": "Customers can shop once per month"}, {}, ["limit"]),
    "known by its ZIP code": ({"location_precision": "zip"}, {}, ["rough_point"]),
}
ON_NO_DAY = {
    "closed on the days that suit": ({"schedules_json": MONDAYS}, {"windows": {1: (0, None)}}),
    "closed at the times": ({"schedules_json": MONDAYS}, {"windows": {0: (720, None)}}),
    "over today": (
        {"schedules_json": ALWAYS.replace("24:00", "11:00")},
        {"windows": {2: (0, None)}},
    ),
    "no hours": ({"schedules_json": None}, {}),
    "papers that are missing": (ID_ASKED, {"filters": Filters(truths=frozenset({"no_documents"}))}),
    "other papers": (
        ID_ASKED,
        {"filters": Filters(codes=(("documents", frozenset({"referral"})),))},
    ),
    "known for others": (
        {"audiences": ["seniors"]},
        {"filters": Filters(codes=(("audience", frozenset({"veterans"})),))},
    ),
    "too far": ({}, {"miles": 0.01}),
    "hidden": ({"is_confidential": True}, {}),
}
# The place of each of these cases stands alone: a degree (69 miles) north of the one before.
_NUMBERS = {name: number for number, name in enumerate([*DOUBTS, *ON_NO_DAY], 1)}


def _alone(number: int) -> float:
    return NEW_YORK[0] + number


@pytest.fixture(scope="module")
def places_alone(tmp_path_factory):
    rows = [
        _place(_NUMBERS[name], lat=_alone(_NUMBERS[name]), **values)
        for name, (values, *_) in (DOUBTS | ON_NO_DAY).items()
    ]
    return _release(tmp_path_factory.mktemp("alone"), rows)


def _asked_there(release, name, **changes):
    """Ask from a few steps south of the place of a case, for somebody who lives in 10002."""
    question = _asked(release, **changes)
    at = ecef_point(_alone(_NUMBERS[name]) - 1 / 2000, NEW_YORK[1])
    return question._replace(start=question.start._replace(at=at))


@pytest.mark.parametrize("name", DOUBTS)
def test_doubts(places_alone, name) -> None:
    _, filters, doubts = DOUBTS[name]
    question = _asked_there(places_alone, name, filters=Filters(**filters))
    week = plan_week(places_alone, question, NOW)
    (stop,) = week.stops
    plan = week.candidates[_NUMBERS[name]].doubts_on(stop.visit.day)
    assert [one.code for one in plan] == doubts
    assert stop.visit.is_certain is (doubts == [])
    assert stop.fall_back is None


@pytest.mark.parametrize("name", ON_NO_DAY)
def test_places_that_are_on_no_day(places_alone, name) -> None:
    _, changes = ON_NO_DAY[name]
    question = _asked_there(places_alone, name, **changes)
    week = plan_week(places_alone, question, NOW)
    assert week.stops == []


def test_certain_places_come_first_and_uncertain_ones_have_a_fall_back(tmp_path) -> None:
    old = {"source_updated_date": date(2020, 1, 1)}
    rows = [
        _place(1, **old),
        _place(2, requires_documents=None),
        _place(3),
        _place(4, schedules_json=TUESDAYS),
        _place(5),
    ]
    release = _release(tmp_path, rows)
    week = plan_week(
        release, _asked(release, max_visits=4, windows={0: (0, None), 1: (0, None)}), NOW
    )
    assert [(s.visit.place, s.visit.is_certain) for s in week.stops] == [(3, True), (4, True)]
    assert [day.isoformat() for day in week.idle] == []
    one_day = _asked(release, max_visits=1, windows={0: (0, None)}, picked=(1, 2))
    (stop,) = plan_week(release, one_day, NOW).stops
    assert (stop.visit.place, stop.fall_back and stop.fall_back.place) == (2, 3)


@cases(
    "picked, reason",
    {
        "unknown id": (99, "not_listed"),
        "no hours": (2, "no_hours"),
        "closed": (3, "not_open"),
        "known to miss a filter": (4, "does_not_match"),
        "hidden": (5, "hidden"),
        "more than visits": (6, "not_needed"),
    },
)
def test_unused_picked_places_have_a_reason(tmp_path, picked, reason) -> None:
    rows = [
        _place(1),
        _place(2, schedules_json=None),
        _place(3, schedules_json=TUESDAYS),
        _place(4, **ID_ASKED),
        _place(5, is_confidential=True),
        _place(6),
    ]
    release = _release(tmp_path, rows)
    question = _asked(
        release,
        windows={0: (0, None)},
        filters=Filters(truths=frozenset({"no_documents"})),
        picked=(1, picked),
    )
    week = plan_week(release, question, NOW)
    assert [stop.visit.place for stop in week.stops] == [1]
    assert [(one.resource_id, one.reason) for one in week.unused] == [(picked, reason)]


def test_the_walk_to_a_rough_point_follows_the_shown_distance(tmp_path) -> None:
    release = _release(tmp_path, [_place(1, location_precision="zip"), _place(2)])
    week = plan_week(release, _asked(release, max_visits=7), NOW)
    words = PlanWords(release, week, 3.0, NOW)
    minutes = {i: words.walk_minutes(one) for i, one in week.candidates.items()}
    # "1 mile away" of a ZIP code's middle, and a door nearby.
    assert minutes[1] == 20
    assert minutes[2] < 10


def test_a_way_of_hours_on_foot_is_not_counted_in_minutes(tmp_path) -> None:
    release = _release(tmp_path, [_place(1)])
    week = plan_week(release, _asked(release), NOW)
    (stop,) = week.stops
    one, near, far = (
        PlanWords(release, week, mph, NOW).visit(stop.visit, "en").walk for mph in (3.0, 0.3, 0.001)
    )
    assert one == "about 1 minute on foot"
    assert near is not None
    assert near.endswith("minutes on foot")
    assert far is None


@cases(
    "values, texts",
    {
        "a telephone": ({"phone": "(212) 555-0101"}, "We do not know its hours. Call first."),
        "none": ({}, "We do not know its hours. No phone is listed, so call 211 first."),
        "a website": (
            {"website": "https://pantry.example.org"},
            "We do not know its hours. No phone is listed, so check its website or call 211 first.",
        ),
    },
)
def test_no_call_to_a_place_without_a_telephone(tmp_path, values, texts) -> None:
    release = _release(tmp_path, [_place(1, schedules_json=None, **values)])
    (one,) = plan_week(release, _asked(release), NOW).call_first
    assert reason_of(release, one, "en") == texts


# ---------------------------------------------------------------- over HTTP


def _plan(client, query) -> WeekPlan:
    return read(client, f"/api/resources/plan?zip=10002&{query}", WeekPlan)


def test_the_answer_relies_on_nothing_that_it_does_not_name(client, town) -> None:
    doubts, now = _plan(client, "visits=7&radius=25"), datetime.now(UTC)
    store = ReleaseStore(town)
    release = OpenRelease(store.folder(str(store.current())))
    assert doubts.visits_planned == len(doubts.stops) > 0
    assert len({stop.date for stop in doubts.stops}) == len(doubts.stops)
    assert len({stop.visit.resource_id for stop in doubts.stops}) == len(doubts.stops)
    for stop in doubts.stops:
        for visit in filter(None, (stop.visit, stop.fall_back)):
            record = client.get(f"/api/resources/{visit.resource_id}").json()
            assert visit.is_certain is (visit.doubts == [])
            assert (record["requires_documents"] is None) is (visit.required_documents is None)
            week = week_of(release, release.row_of(visit.resource_id), now, "en")
            hours = {
                day.hours.capitalize()
                for day in week
                if day.name.endswith(f" {int(stop.date[-2:])}")
            }
            assert not visit.hours or hours == {visit.hours_text.en.capitalize()}
        assert not (stop.visit.is_certain and stop.fall_back)


@cases(
    "query, status, field",
    {
        "no start": ("", 400, "zip"),
        "unknown start": ("zip=00000", 404, None),
        "no weekday": ("zip=10002&days=someday", 400, "days"),
        "no time": ("zip=10002&days=monday+25:00-", 400, "days"),
        "no clock": ("zip=10002&after=5", 400, "after"),
        "eight visits": ("zip=10002&visits=8", 400, "visits"),
        "too far": ("zip=10002&radius=101", 400, "radius"),
        "not a number": ("zip=10002&radius=nan", 400, "radius"),
        "on the run": ("zip=10002&walk_minutes=10&walk_mph=9", 400, "walk_mph"),
        "no ids": ("zip=10002&place=pantry", 400, "place"),
        "no such paper": ("zip=10002&documents=letter", 400, "documents"),
    },
)
def test_invalid_input_is_named(client, query, status, field) -> None:
    answer = client.get(f"/api/resources/plan?{query}")
    assert answer.status_code == status
    assert field is None or field in str(answer.json()["errors"])


def test_time_on_foot_is_a_distance_in_a_straight_line(client) -> None:
    assert _plan(client, "walk_minutes=30&walk_mph=2").max_miles == 1
    near = _plan(client, "walk_minutes=30&walk_mph=2&visits=7").stops
    assert all(stop.visit.distance_miles <= 1 for stop in near)


@pytest.mark.parametrize("prefix", ["", "/es"])
def test_the_address_of_the_page_contains_the_plan(client, prefix) -> None:
    form = "q=10002&days=monday&days=thursday&after=10:00&before=&after_thursday=15:00&before_thursday=18:00&radius=25&walk_minutes=&visits=2&mode=free&place=101&place=102"
    redirect = client.get(f"{prefix}/plan?{form}", follow_redirects=False)
    assert redirect.status_code == 303
    # What is as in an empty form is not in the address.
    address = "q=10002&days=monday%2Cthursday+15%3A00-18%3A00&after=10%3A00&visits=2&radius=25&mode=free&place=101%2C102"
    assert redirect.headers["location"] == f"{prefix}/plan?{address}"
    answer = client.get(redirect.headers["location"])
    assert answer.status_code == 200
    data = re.search(r'href="/api/resources/plan\?([^"]+)"', answer.text)
    assert data is not None
    query = {k: v[-1] for k, v in parse_qs(data[1].replace("&amp;", "&")).items()}
    assert query == {
        "zip": "10002",
        "days": "monday,thursday 15:00-18:00",
        "after": "10:00",
        "radius": "25",
        "visits": "2",
        "mode": "free",
        "place": "101,102",
    }
    document = msgspec.convert(
        client.get(f"/api/resources/plan?{data[1].replace('&amp;', '&')}").json(), WeekPlan
    )
    ids = re.findall(r"<h3>[^<]*<a href=\"(?:/es)?/place/(\d+)\"", answer.text)
    assert [int(i) for i in ids] == [stop.visit.resource_id for stop in document.stops]
    again = form_of_address(urlsplit(f"?{form_of_address(form).address()}").query)
    assert again == form_of_address(form)


@cases(
    "query, status, text",
    {
        "empty": ("", 200, "Plan my week"),
        "unknown place": ("q=Nowhere,+ZZ", 404, "problem"),
        "days that are none": ("q=10002&days=someday", 400, "Choose days"),
        "far": ("q=10002&radius=9999", 400, "from 0.1 to 100"),
        "letters": ("q=10002&visits=many", 400, "1 to 7"),
        "hostile": ("q=10002&place=%3Cb%3E", 400, "by their numbers"),
        "none near": ("q=10002&radius=0.1&visits=2", 200, "Look within 0.5 miles"),
        "none within a mile": ("q=82401&radius=1&visits=2", 200, "no place within 1 mile that"),
        "to print": ("q=10002&radius=25&print=1", 200, "Print this page"),
    },
)
def test_the_page_answers_any_input(client, query, status, text) -> None:
    answer = client.get(f"/plan?{query}")
    assert answer.status_code == status
    assert text in answer.text


def test_advice_for_every_place_of_a_plan_is_given_once(tmp_path) -> None:
    old = [_place(n, source_updated_date=date(2020, 1, 1)) for n in (1, 2, 3)]
    release = _release(tmp_path, old)
    week = plan_week(
        release, _asked(release, max_visits=2, windows={0: (0, None), 4: (0, None)}), NOW
    )
    before = PlanWords(release, week, 3.0, NOW).stops("en")
    shared, after = say_once(before)
    assert shared
    for one, remaining in zip(before, after, strict=True):
        assert [set(v.doubts) for v in one.visits] == [
            {*shared, *v.doubts} for v in remaining.visits
        ]
        assert not any(set(shared) & set(v.doubts) for v in remaining.visits)
    assert say_once(before[:0]) == ([], [])


def test_a_plan_is_two_steps_from_the_front_page(client) -> None:
    assert 'href="/plan"' in client.get("/").text
    assert 'href="/plan?q=10002' in client.get("/search?q=10002").text
    assert re.search(r'href="/plan\?q=\d+&amp;place=101"', client.get("/place/101").text)
    assert "/plan?q=10002" in client.get("/zip/10002").text


def test_a_week_without_enough_places_names_the_days_left(tmp_path) -> None:
    release = _release(tmp_path, [_place(1), _place(2, schedules_json=None)])
    week = plan_week(
        release, _asked(release, max_visits=2, windows={0: (0, None), 4: (0, None)}), NOW
    )
    assert [week.date_of(stop.visit) for stop in week.stops] == [date(2027, 3, 12)]
    assert week.idle == [date(2027, 3, 15)]
    assert [one.resource_id for one in week.call_first] == [2]
