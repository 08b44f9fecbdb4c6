"""Filters agree with testing every place, and state unknown values."""

import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from schemas.hours.opening import open_between, open_state
from schemas.hours.schedule import schedules_from_json
from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.vocab.attributes import AUDIENCE_CODES, DOCUMENT_CODES, FOOD_CODES
from serving.search.filter import NO_FILTERS, Filters
from serving.search.find import Page, Query, find
from serving.search.openings import coming, window_of
from serving.search.parameters import TRUTH_PARAMETERS
from serving.search.rank import relevance, standing
from serving.search.start import start_of_point
from tests.support.examples import examples
from tests.support.invented import CENTRE, ROWS
from warehouse.index.reader import OpenRelease

NOW = datetime(2026, 11, 24, 17, 30, tzinfo=UTC)  # a Tuesday


@pytest.fixture(scope="module")
def release(crowd):
    (folder,) = [p for p in (crowd / "releases").iterdir() if (p / "manifest.json").exists()]
    return OpenRelease(folder)


# ---------------------------------------------------------------- one place at a time


def conjunction(truth_values) -> bool | None:
    """Return the three-valued conjunction: any no is a no, else any unknown is unknown."""
    truths = list(truth_values)
    if False in truths:
        return False
    return None if None in truths else True


def hours_of(row) -> str | None:
    updated_date = row["source_updated_date"]
    if (
        updated_date is None
        or row["schedules_json"] is None
        or (NOW.date() - updated_date).days > 180
    ):
        return None
    return row["schedules_json"]


def open_at(row, at) -> bool | None:
    text = hours_of(row)
    if text is None:
        return None
    status = open_state(schedules_from_json(text), row["timezone"], at).status
    return {"unknown": None, "open": True, "closes_soon": True}.get(status, False)


def open_within(row, window) -> bool | None:
    text, zone = hours_of(row), ZoneInfo(row["timezone"])
    if text is None:
        return None
    midnight = datetime.combine(
        coming(window.weekday, NOW.astimezone(zone).date()), datetime.min.time()
    )
    start, end = ((midnight + timedelta(minutes=m)).replace(tzinfo=zone) for m in window[1:])
    return open_between(schedules_from_json(text), row["timezone"], start, end)


def opposite(value: bool | None) -> bool | None:
    return None if value is None else not value


def papers(row, documents) -> bool | None:
    if row["requires_documents"] is None:
        return None
    documents = documents | ({"identification"} if "photo_id" in documents else set())
    return set(row["required_documents"] or []) <= documents


def of_age(row, age) -> bool | None:
    low, high = row["minimum_age"], row["maximum_age"]
    if low is None and high is None and "everyone" not in (row["audiences"] or []):
        return None
    return (low is None or age >= low) and (high is None or age <= high)


def serves(row, groups) -> bool | None:
    audiences = set(row["audiences"] or [])
    return None if not audiences else bool(audiences & (groups | {"everyone"}))


def verdict(row, f: Filters) -> bool | None:
    """Return whether one place matches; None if unknown."""
    truth_values = []
    if f.verified_only:
        truth_values.append(row["verification_status"] != "unverified")
    if f.confirmed_within is not None:
        confirmed = row["confirmed_date"]
        age = (NOW.date() - confirmed).days if confirmed else None
        truth_values.append(age is not None and age <= f.confirmed_within)
    if f.hours_known:
        truth_values.append(hours_of(row) is not None)
    if f.open_now:
        truth_values.append(open_at(row, NOW))
    if f.open_at:
        truth_values.append(open_at(row, f.open_at.replace(tzinfo=ZoneInfo(row["timezone"]))))
    if f.windows:
        in_each = [open_within(row, window) for window in f.windows]
        truth_values.append(True if True in in_each else None if None in in_each else False)
    truths = {
        "walk_in": row["accepts_walkins"],
        "appointment": row["requires_appointment"],
        "no_documents": opposite(row["requires_documents"]),
        "no_id": opposite(row["requires_id"]),
        "delivery": row["offers_delivery"],
        "wheelchair": row["is_wheelchair_accessible"],
    }
    truth_values += [truths[name] for name in f.truths]
    codes = dict(f.codes)
    if "documents" in codes:
        truth_values.append(papers(row, codes["documents"]))
    if "food" in codes:
        truth_values.append(True if codes["food"] <= set(row["food_types"] or []) else None)
    if "language" in codes:
        truth_values.append(True if codes["language"] & set(row["languages"] or []) else None)
    if "audience" in codes:
        truth_values.append(serves(row, codes["audience"]))
    if f.age is not None:
        truth_values.append(of_age(row, f.age))
    return conjunction(truth_values)


def brute_force(at, types, radius, f: Filters):
    """Return matching ids, nearest first, and the number of unknown places in the radius."""
    centre, limit = ecef_point(*at), miles_to_chord(radius)
    near = sorted(
        (round(math.dist(centre, ecef_point(row["lat"], row["lng"])), 6), row["resource_id"], row)
        for row in ROWS
        if row["resource_type"] in types
        and math.dist(centre, ecef_point(row["lat"], row["lng"])) <= limit
    )
    verdicts = [(resource_id, verdict(row, f)) for _, resource_id, row in near]
    if f.include_unknown:
        return [i for i, v in verdicts if v is not False], 0
    return [i for i, v in verdicts if v is True], sum(v is None for _, v in verdicts)


TYPES = {
    None: ("food_pantry", "soup_kitchen", "wic_office"),
    "wic": ("wic_office",),
    "free": ("food_pantry", "soup_kitchen"),
}
flag = st.sampled_from([False, False, False, True])
clock = st.one_of(st.none(), st.sampled_from([0, 600, 990, 1320, 1439]))
windows = st.builds(window_of, st.one_of(st.none(), st.integers(0, 6)), clock, clock)


def subsets(codes, least=0):
    return st.sets(st.sampled_from(codes), min_size=least, max_size=2).map(frozenset)


any_filters = st.builds(
    Filters,
    open_now=flag,
    open_at=st.one_of(
        st.none(), st.none(), st.datetimes(datetime(2026, 11, 20), datetime(2027, 12, 31))
    ),
    windows=st.lists(windows, max_size=2, unique=True).map(tuple),
    truths=st.sets(st.sampled_from(TRUTH_PARAMETERS), max_size=2).map(frozenset),
    codes=st.fixed_dictionaries(
        {},
        optional={
            "documents": subsets(DOCUMENT_CODES),
            "language": subsets(("en", "es", "zh"), least=1),
            "food": subsets(FOOD_CODES[:4], least=1),
            "audience": subsets(AUDIENCE_CODES, least=1),
        },
    ).map(lambda requested: tuple(requested.items())),
    age=st.one_of(st.none(), st.none(), st.sampled_from([0, 18, 19, 60, 71])),
    verified_only=flag,
    confirmed_within=st.one_of(st.none(), st.none(), st.sampled_from([1, 30, 90, 365, 3650])),
    hours_known=flag,
    include_unknown=flag,
)
one_filter = st.sampled_from(
    [
        Filters(open_now=True),
        Filters(open_at=datetime(2026, 11, 24, 12)),
        Filters(windows=(window_of(5, 540, 600),)),
        Filters(windows=(window_of(None, 1320, 60),)),
        Filters(windows=(window_of(0, None, 600), window_of(3, 900, None))),
        *(Filters(truths=frozenset({name})) for name in TRUTH_PARAMETERS),
        Filters(codes=(("documents", frozenset()),)),
        Filters(codes=(("documents", frozenset({"photo_id"})),)),
        Filters(codes=(("language", frozenset({"es"})),)),
        Filters(codes=(("food", frozenset({"groceries"})),)),
        Filters(age=70),
        Filters(codes=(("audience", frozenset({"women"})),)),
        Filters(verified_only=True),
        Filters(confirmed_within=30),
        Filters(confirmed_within=365),
        Filters(hours_known=True),
    ]
)
points = st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(
    lambda d: (CENTRE[0] + d[0], CENTRE[1] + d[1])
)


@pytest.mark.slow
@examples(150)
@given(
    f=st.one_of(one_filter, any_filters),
    at=st.one_of(st.just(CENTRE), points),
    mode=st.sampled_from(list(TYPES)),
    radius=st.integers(0, 500),
    limit=st.integers(1, 100),
    number=st.integers(1, 3),
)
def test_filters_agree_with_brute_force(release, f, at, mode, radius, limit, number):
    from serving.search.find import choose_types

    page = Page(limit, number)
    query = Query(choose_types(mode, None), float(radius), page, f, expands=False)
    expected, unknown = brute_force(at, TYPES[mode], radius, f)
    results = find(release, start_of_point(release, *at), query, NOW)
    assert results.total == len(expected)
    assert results.unknown == (0 if f == NO_FILTERS else unknown)
    ids = [release.id_of(row) for _, row in results.hits]
    assert ids == expected[limit * (number - 1) : limit * number]


@examples(60)
@given(at=points, radius=st.one_of(st.none(), st.integers(0, 200)), expands=st.booleans())
def test_the_index_agrees_with_measured_distances(release, at, radius, expands):
    start, limit = start_of_point(release, *at), None if radius is None else float(radius)
    query = Query(None, limit, Page(20), expands=expands)
    plain = find(release, start, query)
    by_rows = release.spatial.select(None).within(start.at, miles_to_chord(plain.radius))
    assert [row for _, row in plain.hits] == by_rows.rows[:20].tolist()
    assert plain.total == len(by_rows.rows)


@examples(60)
@given(at=points, f=one_filter, radius=st.one_of(st.none(), st.integers(0, 120)))
def test_expansion_counts_matches_only(release, at, f, radius):
    query = Query(None, None if radius is None else float(radius), Page(5), f)
    results = find(release, start_of_point(release, *at), query, NOW)
    first = 25 if radius is None else radius
    has = lambda miles: bool(brute_force(at, TYPES[None], miles, f)[0])  # noqa: E731 - read at a glance
    if has(first) or (radius is not None and has(max(radius, 50))):
        expected = (first, False)
    else:
        steps = [s for s in (50, 75, 100, 150, 250, 500) if s > first and has(s)]
        expected = (steps[0] if steps else 500, True)
    assert (results.radius, results.is_expanded) == expected
    assert results.unknown == brute_force(at, TYPES[None], results.radius, f)[1]


@examples(60)
@given(at=points, f=st.one_of(st.just(NO_FILTERS), one_filter), radius=st.integers(1, 300))
def test_order_of_relevance(release, at, f, radius):
    start = start_of_point(release, *at)
    query = Query(None, float(radius), Page(100), f, "relevance", expands=False)
    results = find(release, start, query, NOW)
    by_distance = structs.replace(query, order="distance", page=Page(len(ROWS)))
    scored = [
        (-relevance(standing(release)[row], miles_of(square), release.moment(row, NOW)), row)
        for square, row in find(release, start, by_distance, NOW).hits
    ]
    assert [row for _, row in results.hits] == [row for _, row in sorted(scored)][:100]


@examples(60)
@given(at=points, f=st.one_of(one_filter, any_filters), radius=st.integers(1, 300))
def test_matches_come_before_unknown_places(release, at, f, radius):
    f = f._replace(include_unknown=True)
    query = Query(None, float(radius), Page(1000), f, "likely", expands=False)
    results = find(release, start_of_point(release, *at), query, NOW)
    ids = [release.id_of(row) for _, row in results.hits]
    assert sorted(ids) == sorted(brute_force(at, TYPES[None], radius, f)[0])
    by_id = {row["resource_id"]: row for row in ROWS}
    verdicts = [verdict(by_id[one], f) for one in ids]
    assert verdicts == sorted(verdicts, key=lambda v: v is None)


def miles_of(square):
    from schemas.values.coordinates import chord_to_miles

    return chord_to_miles(math.sqrt(square))
