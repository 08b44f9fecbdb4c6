"""From candidates to rows: ids that stay, points that do not pretend, scores that add up."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from assets.directory.identity import issue_id
from assets.probes.assets import no_probes
from assets.veterans.candidates import of_rejects
from assets.veterans.records import Veterans
from schemas.sources.registry import sources
from schemas.tables.core import REJECTS
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_IDENTITIES, VETERAN_RESOURCES
from tests.support.cases import labelled, table_of
from tests.support.veterans import build, candidates, facilities, frame, geography
from warehouse.parquet import as_arrow

LATER, MUCH_LATER = "20261201T060000Z-00000002", "20270101T060000Z-00000003"


def row(data: Veterans, name: str) -> dict[str, Any]:
    matches = data.resources[data.resources["name"] == name]
    assert len(matches) == 1, name
    record = matches.to_dict("records")[0]
    return {k: None if pd.isna(v) else v for k, v in record.items()}


def one(**facility: Any) -> dict[str, Any]:
    return row(build(candidates(facilities(facility))), facility.get("name", "Heron VA Clinic"))


def check(test: str, make: Callable[[Any], dict[str, Any]], column: str) -> None:
    """Build the facilities of a table in one run, and compare a column with what is expected."""
    table = table_of(__file__, test)
    rows = [{**make(value), "name": name} for name, (value, _) in table.items()]
    data = build(candidates(facilities(*rows)))
    facts = {name: row(data, name)[column] for name in table}
    assert facts == {name: expected for name, (_, expected) in table.items()}


# ---------------------------------------------------------------- columns


def test_types() -> None:
    check("test_types", dict, "resource_type")


def test_the_subtype_is_that_of_the_facility() -> None:
    assert one(facility_subtype="Outbased")["resource_subtype"] == "Outbased"


def test_websites() -> None:
    check("test_websites", lambda url: {"website": url}, "website")


def test_a_probe_may_prove_https_and_confirm() -> None:
    probes = pd.DataFrame(
        [
            {
                "website": "http://heron.example/",
                "probe_result": "moved",
                "final_url": "https://heron.example/",
                "http_status": 200,
                "probe_detail": None,
                "probed_at": pd.Timestamp("2026-10-30T02:00Z"),
                "failures_in_row": 0,
                "last_success_at": pd.Timestamp("2026-10-30T02:00Z"),
            }
        ]
    )
    probes = probes.astype(no_probes().dtypes.to_dict())
    record = row(
        build(candidates(facilities({"website": "http://heron.example/"})), probes=probes),
        "Heron VA Clinic",
    )
    assert record["website"] == "https://heron.example/"
    assert record["verified_date"] == "2026-10-30"


def test_fips_codes_are_cut_where_the_columns_are() -> None:
    record = one()
    assert (record["fips_state"], record["fips_county"], record["fips_tract"]) == (
        "23",
        "005",
        None,
    )


def test_a_unit_that_moves_has_a_town_and_no_point() -> None:
    record = one(name="Mobile", address=None, zip=None, location_precision="city")
    assert (record["lat"], record["lng"], record["address"], record["zip"]) == (
        None,
        None,
        None,
        None,
    )
    # Without polygons and without a ZIP code nothing proves the county.
    assert (record["city"], record["fips_state"], record["fips_county"]) == ("Portland", "23", None)


def test_a_facility_without_a_point_has_that_of_its_zip_code() -> None:
    data = build(candidates(facilities({"lat": None, "lng": None, "location_precision": None})))
    assert row(data, "Heron VA Clinic")["lat"] == pytest.approx(43.66)
    assert data.details["location_precision"].tolist() == ["zip"]
    assert data.details["location_method"].tolist() == ["zip_centroid"]


def test_phones_follow_the_numbering_plan() -> None:
    table = "test_phones_follow_the_numbering_plan"
    check(table, lambda number: {"phone_e164": number}, "phone_verified")


def test_scores() -> None:
    check("test_scores", dict, "completeness_score")


# ---------------------------------------------------------------- what is listed


def test_cemeteries_are_left_out_with_a_reason() -> None:
    considered = candidates(
        facilities(
            {},
            {
                "source_key": "nca_9",
                "facility_subtype": "National Cemetery",
                "facility_type": "other",
            },
        )
    )
    assert considered.rejects[["source_key", "reject_reason"]].values.tolist() == [
        ["nca_9", "cemetery"]
    ]
    assert len(considered.records) == 1


def test_a_point_outside_its_state_is_left_out_with_a_reason() -> None:
    considered = candidates(
        facilities({}, {"name": "Lost", "lat": 45.5, "lng": -122.69, "zip": None})
    )
    assert considered.rejects["reject_reason"].tolist() == ["point_outside_state"]


@labelled("place, reason")
def test_places_that_cannot_be_given_away(place: dict[str, Any], reason: str) -> None:
    considered = candidates(facilities({}), place)
    assert considered.rejects["reject_reason"].tolist() == [reason]
    assert len(considered.records) == 1


@pytest.mark.parametrize(
    "place", [{"name": "Larkspur Pantry"}, {"is_active": False}, {"resource_type": "snap_retailer"}]
)
def test_other_places_are_not_considered(place: dict[str, Any]) -> None:
    considered = candidates(facilities({}), place)
    assert len(considered.records) == 1
    assert considered.rejects.empty


def test_help_without_food_comes_from_the_rejects() -> None:
    base = {
        "source_id": "florida_legal_hsds",
        "file_name": "locations.csv",
        "source_row": 1,
        "reject_reason": "not_food_assistance",
    }
    reachable = '{"source_id":"florida_legal_hsds","source_key":"a","source_row":1,"file_name":"locations.csv","name":"Veterans Legal Clinic","address":"1 Elm St","city":"Portland","state":"ME","zip":"04101","source_updated_date":"2020-01-01","is_confidential":false,"is_public":true,"is_synthetic":false}'
    nowhere = reachable.replace('"address":"1 Elm St",', "").replace('"key":"a"', '"key":"b"')
    unlicensed = {**base, "source_id": "miami211_hsds_2019"}
    rejects = frame(
        REJECTS,
        [
            {**base, "row_json": reachable},
            {**base, "row_json": nowhere},
            {**unlicensed, "row_json": reachable},
        ],
    )
    came = pd.Timestamp("2026-11-02 07:00", tz="UTC")
    files = pd.DataFrame(
        {
            "source_id": base["source_id"],
            "file_name": ["locations.csv", "b.csv"],
            "retrieved_at": came,
        }
    )
    resources = of_rejects(rejects, files, geography(), sources())
    assert resources.records["retrieved_at"].tolist() == [came], "the row's own text does not tell"
    assert resources.records["name"].tolist() == ["Veterans Legal Clinic"]
    assert resources.records["resource_type"].tolist() == ["other"]
    assert resources.rejects["reject_reason"].tolist() == ["no_way_to_reach"]
    as_arrow(build(resources).resources, VETERAN_RESOURCES)


# ---------------------------------------------------------------- ids and times

CENTER = {
    "name": "Heron Vet Center",
    "facility_type": "vet_center",
    "facility_subtype": "VTCR",
    "address": "7 Elm Street, Suite 2",
    "hours_text": None,
}
REPEATED = {
    "name": "Vet Center for Readjustment - Heron Vet Center",
    "resource_type": "mental_health_facility",
    "website": "https://www.va.gov/heron",
    "address": "7 Elm St",
    "hours_text": "Mo 9-12",
    "records": [("samhsa_mental_health", "s1")],
}


def test_a_record_of_the_register_adds_no_row() -> None:
    data = build(candidates(facilities(CENTER), REPEATED))
    assert data.resources["name"].tolist() == ["Heron Vet Center"]
    assert data.resources["id"].tolist() == [issue_id("va_facilities", "vha_0")]
    assert data.details["other_records"].tolist() == [["samhsa_mental_health:s1"]]
    assert data.details["hours_text"].tolist() == ["Mo 9-12"], "a gap is filled"


def test_treatment_in_a_hospital_is_a_resource_of_its_own() -> None:
    data = build(
        candidates(facilities({}), {**REPEATED, "name": "Heron VAMC", "address": "163 Heron Rd"})
    )
    assert sorted(data.resources["resource_type"]) == ["mental_health", "va_clinic"]


def test_two_entries_of_the_register_are_two_rows() -> None:
    assert len(build(candidates(facilities({}, {}))).resources) == 2


def test_ids_depend_on_nothing_but_their_record() -> None:
    few = build(candidates(facilities({})))
    many = build(
        candidates(facilities({}, {"name": "B"}, {"name": "C"}), {}, {"name": "VFW Post 1"})
    )
    assert set(few.resources["id"]) <= set(many.resources["id"])
    assert build(candidates(facilities({}))).resources.equals(few.resources)


def test_a_community_record_has_the_id_of_its_leading_record() -> None:
    data = build(candidates(facilities({}), {"records": [("haarrrvest_2025", "a")]}))
    assert row(data, "Veterans Food Pantry")["id"] == issue_id("haarrrvest_2025", "a")


def test_an_id_outlives_a_change_of_the_leading_record() -> None:
    one, two = ("haarrrvest_2025", "a"), ("nyc_pantries_2023", "b")
    first = build(candidates(facilities({}), {"records": [one]}))
    second = build(candidates(facilities({}), {"records": [two, one]}), first, LATER)
    assert row(first, "Veterans Food Pantry")["id"] == row(second, "Veterans Food Pantry")["id"]


def test_merged_and_retired_ids_are_remembered() -> None:
    first = build(candidates(facilities(CENTER), {**REPEATED, "address": "9 Far St"}))
    assert len(first.resources) == 2
    second = build(candidates(facilities(CENTER), REPEATED), first, LATER)
    status = second.identities.set_index("source_id")
    assert status.loc["samhsa_mental_health", "id_status"] == "merged"
    assert status.loc["samhsa_mental_health", "successor_id"] == second.resources["id"].iloc[0]
    third = build(candidates(facilities({**CENTER, "source_key": "new"})), second, MUCH_LATER)
    assert set(third.identities["id_status"]) == {"active", "retired"}


def test_rows_have_times_of_creation_and_change() -> None:
    first = build(candidates(facilities({}, {"name": "B"})))
    second = build(
        candidates(facilities({}, {"name": "B", "phone": "(207) 555-0199"}, {"name": "C"})),
        first,
        LATER,
    )
    third = build(
        candidates(facilities({}, {"name": "B", "phone": "(207) 555-0199"}, {"name": "C"})),
        second,
        MUCH_LATER,
    )
    times = {
        n: (row(third, n)["created_at"], row(third, n)["updated_at"])
        for n in ("Heron VA Clinic", "B", "C")
    }
    then, later = "2026-11-01T06:00:00Z", "2026-12-01T06:00:00Z"
    assert times == {"Heron VA Clinic": (then, then), "B": (then, later), "C": (later, later)}


def test_tables_match_their_declaration() -> None:
    data = build(candidates(facilities({}, CENTER), REPEATED, {}))
    tables = [
        (data.resources, VETERAN_RESOURCES),
        (data.details, VETERAN_DETAILS),
        (data.identities, VETERAN_IDENTITIES),
    ]
    assert all(as_arrow(rows, table).num_rows == len(rows) > 0 for rows, table in tables)
