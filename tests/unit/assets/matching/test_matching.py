"""Groups of records: no chains, no dependence on order or threads, reasons, reviewers' decisions."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.matching.evidence import Comparer
from assets.matching.matching import Matching, cluster
from assets.matching.profiles import profiles_of
from assets.matching.rules import Verdict, judge
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS
from tests.support.cases import labelled
from tests.support.examples import examples
from tests.unit.assets.matching.places import groups, located, record_of

BASE = {"city": "Alderton", "zip": "97001", "address": "100 Main St"}


@labelled("count, records")
def test_records_fall_into_groups(count: int, records: list[dict[str, Any]]) -> None:
    rows = []
    for facts in records:
        point = {"lng": -122.1, "location_precision": "street"} if "lat" in facts else {}
        rows.append(record_of({"resource_type": "food_pantry", **point, **facts}))
    assert len(groups(cluster(located(*rows)))) == count


def test_a_main_address_joins_neither_of_two_rooms_of_its_name() -> None:
    frame = located(
        {**BASE, "name": "Alder College", "address": "100 Main St, Room 5166"},
        {**BASE, "name": "Alder College"},
        {**BASE, "name": "Alder College", "address": "100 Main St, Room 4170"},
    )
    matching = cluster(frame)
    assert len(groups(matching)) == 3
    assert len(matching.doubtful) == 3


def test_three_sources_of_one_place_are_one_group_with_reasons() -> None:
    frame = located(
        {**BASE, "name": "St. Alda Food Pantry", "phone_e164": "+15035550142"},
        {**BASE, "name": "SAINT ALDA FOOD PANTRY", "address": "100 MAIN STREET"},
        {**BASE, "name": "St Aldas Food Pantry", "address": None, "phone_e164": "+15035550142"},
        {**BASE, "name": "Birch Pantry"},
    )
    matching = cluster(frame)
    assert groups(matching) == {
        frozenset({"list_1:1", "list_2:2", "list_3:3"}),
        frozenset({"list_4:4"}),
    }
    assert matching.clusters["cluster_id"].tolist() == ["list_1:1"] * 3 + ["list_4:4"]
    assert matching.clusters["match_reason"].tolist() == [
        "same street address, same name",
        "same street address, same name",
        "same phone, same name, same town, no other street address to compare",
        "only record",
    ]


def test_a_reason_tells_likeness_and_distance() -> None:
    point = {"location_precision": "rooftop", "lng": -122.1, "phone_e164": "+15035550142"}
    frame = located(
        {**BASE, "name": "Fishes Cooprative Ministries", "lat": 45.1, **point},
        {**BASE, "name": "Fishes Cooperative Ministries", "lat": 45.1002, **point},
    )
    assert cluster(frame).clusters["match_reason"].unique().tolist() == [
        "same street address, same phone, name 0.98 alike, 0.01 miles apart"
    ]


@pytest.mark.parametrize("swapped", [False, True], ids=["pantry first", "kitchen first"])
def test_pantry_and_kitchen_of_two_lists_are_assigned_one_to_one(swapped: bool) -> None:
    """Under one name and address, each finds the record of its own kind in the other list."""
    kinds = ["food_pantry", "soup_kitchen"]
    frame = located(
        *({**BASE, "name": "House of Alda", "source_id": "a", "resource_type": t} for t in kinds),
        *(
            {**BASE, "name": "House of Alda", "source_id": "b", "resource_type": t}
            for t in (kinds[::-1] if swapped else kinds)
        ),
    )
    matching = cluster(frame)
    types = frame.groupby(matching.clusters["cluster_id"].to_numpy())["resource_type"]
    assert types.nunique().tolist() == [1, 1]
    assert matching.doubtful.empty


def test_rooms_behind_one_switchboard_find_their_own_names() -> None:
    """A shared telephone joins other names only where neither record has a closer partner."""
    phone = {"phone_e164": "+15035550142"}
    names = [
        "Alda Hotel Cafe",
        "Cafe Alda Hotel",
        "Alda Hotel Birch Dining Room",
        "Dining Room Birch, Alda Hotel",
    ]
    frame = located(*({**BASE, **phone, "name": name} for name in names))
    assert groups(cluster(frame)) == {
        frozenset({"list_1:1", "list_2:2"}),
        frozenset({"list_3:3", "list_4:4"}),
    }


def decision(one: str, other: str, answer: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "source_id": [one.split(":", maxsplit=1)[0]],
            "source_key": [one.split(":")[1]],
            "other_source_id": [other.split(":", maxsplit=1)[0]],
            "other_source_key": [other.split(":")[1]],
            "decision": [answer],
        }
    )


def test_a_reviewer_who_says_same_is_believed() -> None:
    frame = located(
        {**BASE, "name": "St. Alda Food Pantry"}, {**BASE, "name": "St. Alda Soup Kitchen"}
    )
    assert len(cluster(frame).doubtful) == 1
    matching = cluster(frame, decision("list_2:2", "list_1:1", "same"))
    assert groups(matching) == {frozenset({"list_1:1", "list_2:2"})}
    assert matching.doubtful.empty
    assert matching.clusters["match_reason"].unique().tolist() == ["a reviewer found them the same"]


def test_a_reviewer_who_says_different_is_believed_even_in_a_group_of_three() -> None:
    frame = located(*[{**BASE, "name": "Alda Food Pantry"}] * 3)
    matching = cluster(frame, decision("list_1:1", "list_3:3", "different"))
    assert not any({"list_1:1", "list_3:3"} <= group for group in groups(matching))


def test_decisions_about_records_that_are_gone_are_passed_over() -> None:
    frame = located({**BASE, "name": "Alda Food Pantry"})
    assert len(groups(cluster(frame, decision("list_1:1", "gone:1", "same")))) == 1


def test_an_unknown_answer_is_an_error() -> None:
    frame = located({**BASE, "name": "Alda"}, {**BASE, "name": "Birch"})
    with pytest.raises(ValueError, match="maybe"):
        cluster(frame, decision("list_1:1", "list_2:2", "maybe"))


def test_one_key_twice_is_an_error() -> None:
    frame = located(*[{**BASE, "name": "Alda", "source_id": "a", "source_key": "1"}] * 2)
    with pytest.raises(ValueError, match="a:1"):
        cluster(frame)


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_records_to_match(rows: int) -> None:
    frame = located(*[{**BASE, "name": "Alda"}] * 1).head(rows)
    matching = cluster(frame)
    assert matching.clusters.columns.tolist() == CLUSTERS.field_names
    assert matching.doubtful.columns.tolist() == DOUBTFUL_PAIRS.field_names
    assert len(matching.clusters) == rows


def test_a_hot_line_of_hundreds_costs_nothing_and_joins_nobody() -> None:
    offices = [
        {
            **BASE,
            "name": f"Office of Town {n}",
            "address": f"{n} Main St",
            "city": f"Town {n}",
            "zip": f"{97000 + n}",
            "phone_e164": "+15035550142",
        }
        for n in range(1, 400)
    ]
    matching = cluster(located(*offices))
    assert len(groups(matching)) == 399
    assert matching.doubtful.empty


def test_a_shopping_centre_keeps_its_shops_and_their_twins() -> None:
    names = [f"{a}{b}" for a in ("Al", "Bor", "Cu", "Dem", "Eg") for b in ("da", "mund", "xon")]
    shops = [{**BASE, "name": f"{one} {other}"} for one in names for other in names if one != other]
    twins = [{**shop, "name": shop["name"].upper()} for shop in shops]
    found = groups(cluster(located(*shops, *twins)))
    assert len(found) == len(shops)


def test_a_place_by_its_letters_around_a_corner_of_a_shopping_street() -> None:
    """Records at one point are compared, however many others are within 200 metres."""
    here = {**BASE, "resource_type": "food_pantry", "lat": 45.1011, "location_precision": "street"}
    pantries = [
        {**here, "name": "Vole Center of Birch County", "address": "89 Oak St", "lng": -122.1017},
        {**here, "name": "VCBC", "address": "161 Main St", "lng": -122.10165},
    ]
    names = ["Alda", "Bormund", "Cuxon", "Demda", "Egmund", "Fexon"]
    streets = ["Elm St", "Oak St", "Fir St"]
    shops = [
        {
            **here,
            "resource_type": "snap_retailer",
            "name": f"{name} {street}",
            "address": f"{7 * n} {street}",
            "lat": 45.1012 + 0.0001 * n,
            "lng": -122.1021,
        }
        for n, name in enumerate(names)
        for street in streets
    ]
    matching = cluster(located(*pantries, *shops))
    assert frozenset({"list_1:1", "list_2:2"}) in groups(matching)


NAMES = [
    "St. Alda Food Pantry",
    "Saint Alda Pantry",
    "St. Alda Soup Kitchen",
    "Alda",
    "Giant Bear 24",
    "Giant Bear",
    "Giant Bear #0024",
    "Giant Bear 31",
    "Lopez Elementary",
    "Lopez Elementary School",
    "Lopez Middle School",
    "Mobile Pantry",
    None,
]
ADDRESSES = [
    "100 Main St",
    "100 MAIN STREET",
    "100 Main St, Suite 4",
    "100 Main St #5",
    "120 Main St",
    "100 Main Ave",
    "PO Box 9",
    None,
]
record = st.fixed_dictionaries(
    {
        "name": st.sampled_from(NAMES),
        "address": st.sampled_from(ADDRESSES),
        "city": st.sampled_from(["Alderton", "Birchton", None]),
        "zip": st.sampled_from(["97001", "97401", None]),
        "phone_e164": st.sampled_from(["+15035550142", "+15035550143", None]),
        "website": st.sampled_from(["https://alda.example/", None]),
        "resource_type": st.sampled_from(["food_pantry", "soup_kitchen", "school_meal", None]),
        "lat": st.sampled_from([45.1, 45.1004, 45.3, None]),
        "lng": st.just(-122.1),
        "location_precision": st.sampled_from(["street", "zip"]),
        "source_id": st.sampled_from(["a", "b"]),
    }
)
records = st.lists(record, min_size=2, max_size=14)


@pytest.mark.slow
@given(records, st.randoms(use_true_random=False))
@examples(25)
def test_groups_agree_whatever_the_order_of_the_rows(
    rows: list[dict[str, Any]], random: Any
) -> None:
    frame = located(*rows)
    order = list(range(len(rows)))
    random.shuffle(order)
    straight, shuffled = cluster(frame), cluster(frame.iloc[order])
    keys = ["source_id", "source_key"]
    pd.testing.assert_frame_equal(
        straight.clusters.sort_values(keys, ignore_index=True),
        shuffled.clusters.sort_values(keys, ignore_index=True),
    )
    pd.testing.assert_frame_equal(straight.doubtful, shuffled.doubtful)
    _assert_no_group_holds_records_that_contradict_each_other(frame, straight)
    _assert_no_pair_is_merged_and_doubtful(straight)


def _assert_no_group_holds_records_that_contradict_each_other(
    frame: pd.DataFrame, matching: Matching
) -> None:
    profiles = profiles_of(frame)
    comparer = Comparer(profiles)
    row_of = {member: row for row, member in enumerate(profiles.member)}
    for group in groups(matching):
        for one, other in combinations(sorted(row_of[member] for member in group), 2):
            pair = np.array([one], np.int32), np.array([other], np.int32)
            assert judge(comparer.compare(*pair))[0][0] != Verdict.DIFFERENT


def _assert_no_pair_is_merged_and_doubtful(matching: Matching) -> None:
    group_of = dict(
        zip(
            matching.clusters["source_id"] + ":" + matching.clusters["source_key"],
            matching.clusters["cluster_id"],
            strict=True,
        )
    )
    pairs = matching.doubtful
    one = (pairs["source_id"] + ":" + pairs["source_key"]).map(group_of)
    other = (pairs["other_source_id"] + ":" + pairs["other_source_key"]).map(group_of)
    assert (one != other).all()
    assert (
        pairs["source_id"] + pairs["source_key"]
        < pairs["other_source_id"] + pairs["other_source_key"]
    ).all()


def test_the_number_of_threads_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = located(
        *(
            {**BASE, "name": name, "address": address, "phone_e164": "+15035550142"}
            for name in NAMES
            for address in ADDRESSES
        )
    )
    monkeypatch.setenv("LARDER_DUCKDB_THREADS", "1")
    alone = cluster(frame)
    monkeypatch.setenv("LARDER_DUCKDB_THREADS", "4")
    together = cluster(frame)
    pd.testing.assert_frame_equal(alone.clusters, together.clusters)
    pd.testing.assert_frame_equal(alone.doubtful, together.doubtful)
