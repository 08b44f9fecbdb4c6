"""The HSDS tables of small releases: published, withheld and stable members."""

from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.hsds.collections import COLLECTIONS, hsds_id
from schemas.tables.core import ORGANIZATIONS
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from schemas.vocab.resource_types import TYPE_IDS
from tests.support.releases import identity, resource, write_release
from warehouse.checks.declared import check_table
from warehouse.duckdb import connection
from warehouse.hsds.inputs import define_ids
from warehouse.hsds.soundness import check_schedules, check_whole

WEEKLY = '[{"opens_at":"09:00","closes_at":"12:00","freq":"WEEKLY","byday":"MO,WE"}]'
STREET = {"address": "1 Example Street", "city": "New York", "state": "NY", "zip": "10002"}


def build(folder: Path, *rows: dict[str, Any], **options: Any) -> Path:
    """Return the folder of the tables of a release of these rows."""
    write_release(folder, list(rows), hsds="tables", **options)
    return folder / "tables"


def rows_of(tables: Path, collection: str) -> list[dict[str, Any]]:
    """Return the rows with their known members."""
    table = pq.read_table(tables / f"out_hsds__{collection}.parquet")
    return [{k: v for k, v in row.items() if v is not None} for row in table.to_pylist()]


def test_the_macro_makes_the_ids_of_the_function() -> None:
    names = [f"service:some_source:{n}é'\"" for n in range(200)]
    with connection() as db:
        define_ids(db)
        db.register("names", pa.table({"name": names}))
        ids = [row[0] for row in db.sql("SELECT hsds_id(name) FROM names").fetchall()]
    assert ids == [hsds_id(name) for name in names]


def test_one_place_is_one_service_at_one_location_of_one_organization(tmp_path: Path) -> None:
    tables = build(
        tmp_path,
        resource(
            7,
            name="Corner Pantry",
            organization="Corner Church",
            phone="(212) 555-0101 ext. 12",
            phone_e164="+12125550101",
            website="https://example.org/",
            schedules_json=WEEKLY,
            languages=["en", "es"],
            requirements_text="Photo ID required",
            county_name="New York County",
            last_verified_date=date(2026, 9, 1),
            **STREET,
        ),
    )
    (service,) = rows_of(tables, "services")
    (location,) = rows_of(tables, "locations")
    (pair,) = rows_of(tables, "service_at_location")
    (organization,) = rows_of(tables, "organizations")
    assert service["id"] == hsds_id("service", "nyc_pantries_2023", "7")
    assert (pair["service_id"], pair["location_id"]) == (service["id"], location["id"])
    assert service["organization_id"] == location["organization_id"] == organization["id"]
    assert organization["name"] == "Corner Church"
    assert organization["description"] == "Food pantry in New York, NY."
    assert service["status"] == "active"
    assert service["fees_description"] == "Free"
    assert service["assured_date"] == date(2026, 9, 1)
    assert service["last_modified"] == "2026-10-01T00:00:00.000Z"
    assert service["is_synthetic"] is True
    assert location["external_identifier"] == "7"
    (phone,) = rows_of(tables, "phones")
    assert (phone["number"], phone["extension"], phone["type"]) == ("+12125550101", 12, "voice")
    (address,) = rows_of(tables, "addresses")
    assert address["address_1"], address["postal_code"] == ("1 Example Street", "10002")
    assert (address["region"], address["country"]) == ("New York County", "US")
    (schedule,) = rows_of(tables, "schedules")
    assert schedule["opens_at"] == "09:00:00-05:00"
    assert (schedule["timezone"], schedule["tzid"]) == (-5, "America/New_York")
    assert [r["name"] for r in sorted(rows_of(tables, "languages"), key=lambda r: r["code"])] == [
        "English",
        "Spanish",
    ]
    assert [r["document"] for r in rows_of(tables, "required_documents")] == [
        "Photo identification"
    ]
    (cost,) = rows_of(tables, "cost_options")
    assert (cost["amount"], cost["currency"]) == (0.0, "USD")
    (attribute,) = rows_of(tables, "attributes")
    terms = {t["id"]: t["code"] for t in rows_of(tables, "taxonomy_terms")}
    assert attribute["link_id"] == service["id"]
    assert terms[attribute["taxonomy_term_id"]] == "food-pantry"
    assert attribute["label"] == "Food pantries"
    assert len(rows_of(tables, "meta_table_descriptions")) == len(COLLECTIONS)


def test_every_area_served_is_a_row(tmp_path: Path) -> None:
    areas = ["zip:10002", "county:36061", "county:36005", "place:NY/far rockaway", "state:DC"]
    county = {"county_fips": "36061", "county_name": "New York County"}
    text = "Serves residents of several areas"
    tables = build(tmp_path, resource(1, service_area_text=text, service_areas=areas, **county))
    rows = {row["name"]: row for row in rows_of(tables, "service_areas")}
    assert {name: row["extent"] for name, row in rows.items()} == {
        "ZIP code 10002": "10002",
        "New York County": "New York County",
        "County 36005": "County 36005",  # no place of the release is in it
        "Far Rockaway, NY": "Far Rockaway, NY",
        "District of Columbia": "District of Columbia",
    }
    (service,) = rows_of(tables, "services")
    for row in rows.values():
        assert row["service_id"] == service["id"]
        assert (row["extent_type"], row["description"]) == ("text", text)


def test_there_is_one_service_and_one_attribute_for_each_active_resource(tmp_path: Path) -> None:
    """Services that come to homes are no places of the catalog."""
    tables = build(
        tmp_path,
        resource(1, name="Corner Pantry"),
        home_deliveries=[{"source_key": "9", "name": "Meals on Wheels", "state": "MD"}],
    )
    assert [row["name"] for row in rows_of(tables, "services")] == ["Corner Pantry"]
    assert len(rows_of(tables, "attributes")) == 1
    assert _broken(tables) == []


def test_a_confidential_place_hides_street_point_and_key(tmp_path: Path) -> None:
    tables = build(
        tmp_path,
        resource(
            1,
            is_confidential=True,
            address="9 Hidden Way",
            notes="Serves residents of this ZIP code",
        ),
    )
    assert not rows_of(tables, "addresses")
    assert not rows_of(tables, "service_areas")
    (location,) = rows_of(tables, "locations")
    assert "external_identifier" not in location
    assert not {"latitude", "longitude"} & location.keys()
    assert "not published" in location["description"]


def test_an_address_needs_all_its_parts(tmp_path: Path) -> None:
    incomplete = [
        resource(n, **{**STREET, name: None})
        for n, name in enumerate(("address", "city", "zip"), 1)
    ]
    tables = build(tmp_path, *incomplete, resource(9, **STREET))
    assert [row["address_1"] for row in rows_of(tables, "addresses")] == ["1 Example Street"]
    assert len(rows_of(tables, "locations")) == 4


PHONES = [
    (
        "(815) 802-3700 ext. 08001",
        "+18158023700",
        {"number": "+18158023700", "description": "Extension 08001"},
    ),
    ("(815) 802-3701 ext. 12", "+18158023701", {"number": "+18158023701", "extension": 12}),
    ("(815) 802-3702", "+18158023702", {"number": "+18158023702"}),
    ("211", None, {"number": "211"}),
]


def test_phones(tmp_path: Path) -> None:
    places = [resource(n, phone=p, phone_e164=e) for n, (p, e, _) in enumerate(PHONES, 1)]
    actual = {
        row["number"]: {k: v for k, v in row.items() if k in {"number", "extension", "description"}}
        for row in rows_of(build(tmp_path, *places), "phones")
    }
    assert actual == {expected["number"]: expected for *_, expected in PHONES}


def test_unreadable_hours_are_the_text_of_the_source(tmp_path: Path) -> None:
    (row,) = rows_of(build(tmp_path, resource(1, hours_text="ask at the desk")), "schedules")
    assert row["description"] == "ask at the desk"
    assert not {"freq", "opens_at", "closes_at", "timezone"} & row.keys()


FREE = [
    ({"resource_type": "soup_kitchen"}, True),
    ({"resource_type": "snap_retailer"}, False),
    ({"resource_type": "health_center"}, False),
    ({"resource_type": "food_pantry", "notes": "$3 handling fee"}, False),
    ({"resource_type": "food_pantry", "notes": "Food donations accepted"}, True),
]


def test_free_only_by_definition_and_without_a_word_of_money(tmp_path: Path) -> None:
    tables = build(tmp_path, *(resource(n, **values) for n, (values, _) in enumerate(FREE, 1)))
    services = {row["id"]: row for row in rows_of(tables, "services")}
    actual = {row["resource_id"]: "fees_description" in row for row in services.values()}
    assert actual == {n: is_free for n, (_, is_free) in enumerate(FREE, 1)}
    priced = {services[row["service_id"]]["resource_id"] for row in rows_of(tables, "cost_options")}
    assert priced == {n for n, (_, is_free) in enumerate(FREE, 1) if is_free}


def test_inactive_places_are_retired_and_merged_ids_have_a_successor(tmp_path: Path) -> None:
    identities = [identity(99, "merged", 1, source_id="usda_snap")]
    tables = build(tmp_path, resource(1), resource(2, is_active=False), identities=identities)
    assert [s["resource_id"] for s in rows_of(tables, "services")] == [1]
    retired = pq.read_table(tables / f"{RETIRED_IDS.name}.parquet").to_pylist()
    services = {r["old_id"]: r["successor_id"] for r in retired if r["collection"] == "services"}
    assert services == {
        hsds_id("service", "usda_snap", "99"): hsds_id("service", "nyc_pantries_2023", "1"),
        hsds_id("service", "nyc_pantries_2023", "2"): None,
    }


def test_only_changed_rows_are_modified_and_retired_ids_remain(tmp_path: Path) -> None:
    rows = [
        resource(
            n,
            name=f"Pantry {n}",
            phone="(212) 555-0101",
            phone_e164=f"+1212555010{n}",
            schedules_json=WEEKLY,
        )
        for n in (1, 2, 3)
    ]
    build(tmp_path, *rows)
    first = {
        c: {r["id"]: r for r in rows_of(tmp_path / "tables", c)}
        for c in ("services", "phones", "schedules")
    }
    rows[0] |= {"schedules_json": WEEKLY.replace("09:00", "10:00")}
    rows[1] |= {"phone": None, "phone_e164": None}
    build(tmp_path, *rows, release_id="20261102T070000Z-00000002")
    now, old = "2026-11-02T07:00:00.000Z", "2026-10-01T00:00:00.000Z"
    stamps = {
        r["resource_id"]: r["last_modified"] for r in rows_of(tmp_path / "tables", "services")
    }
    assert stamps == {1: now, 2: now, 3: old}
    assert sorted(r["last_modified"] for r in rows_of(tmp_path / "tables", "schedules")) == [
        old,
        old,
        now,
    ]
    retired = pq.read_table(tmp_path / "tables" / f"{RETIRED_IDS.name}.parquet").to_pylist()
    dates = {
        r["id"]
        for c in ("phones", "schedules", "services")
        for r in rows_of(tmp_path / "tables", c)
    }
    before = {i for ids in first.values() for i in ids}
    assert {r["old_id"] for r in retired} == before - dates
    assert all(r["successor_id"] is None for r in retired)


def test_a_collection_of_the_same_rows_has_the_bytes_of_the_last_release(tmp_path: Path) -> None:
    rows = [
        resource(n, name=f"Pantry {n}", phone_e164=f"+1212555010{n}", schedules_json=WEEKLY)
        for n in (1, 2)
    ]
    build(tmp_path, *rows)
    before = {
        c.name: (tmp_path / "tables" / f"{c.table_name}.parquet").read_bytes() for c in COLLECTIONS
    }
    rows[0] |= {"phone_e164": "+12125550199"}
    build(tmp_path, *rows, release_id="20261102T070000Z-00000002")
    after = {
        c.name: (tmp_path / "tables" / f"{c.table_name}.parquet").read_bytes() for c in COLLECTIONS
    }
    rewritten = {name for name in before if before[name] != after[name]}
    # The service with the phone has changed with it.
    assert rewritten == {"phones", "services"}
    stamps = {
        r["resource_id"]: r["last_modified"] for r in rows_of(tmp_path / "tables", "services")
    }
    assert stamps == {1: "2026-11-02T07:00:00.000Z", 2: "2026-10-01T00:00:00.000Z"}


TEXTS = (
    None,
    "Corner Church",
    "Riverside Unified",
    " padded ",
    " ",
    'a "quoted", line\nbreak',
    "Ünïcode 食べ物",
)
HOURS = (
    None,
    WEEKLY,
    '[{"freq":"MONTHLY","byday":"5WE","is_closed":true},{"description":"ask"},{"description":"call"}]',
    '[{"opens_at":"22:00","closes_at":"02:00","freq":"WEEKLY","byday":"FR","valid_from":"11-01","valid_to":"03-31"}]',
    '[{"opens_at":"10:00","closes_at":"13:00","valid_from":"2026-11-08","valid_to":"2026-11-08"}]',
)
ZONES = ("America/New_York", "Pacific/Guam", "America/Adak")
STREETS = (None, "1 Example Street", " ")


def _places() -> list[dict[str, Any]]:
    """Every organization with every timetable; types, zones and streets in turn."""
    return [
        resource(
            1000 + n,
            name=f"Place {n}",
            organization=organization,
            notes=organization,
            hours_text=organization,
            schedules_json=hours,
            resource_type=TYPE_IDS[n % len(TYPE_IDS)],
            timezone=ZONES[n % 3],
            address=STREETS[n % len(STREETS)],
            city=STREETS[(n // 3) % 3],
        )
        for n, (organization, hours) in enumerate(product(TEXTS, HOURS))
    ]


def test_tables_match_their_declaration_and_ids_are_stable(tmp_path: Path) -> None:
    rows = _places()
    tables = build(tmp_path, *rows)
    assert _broken(tables) == []
    before = _ids(tables)
    # Their keys sort before, between and after the others'.
    new = [
        resource(n, name=f"New {n}", organization=TEXTS[n % len(TEXTS)])
        for n in (5, 9, 101, 10101, 99999)
    ]
    tables = build(tmp_path, *rows, *new, release_id="20261102T060000Z-00000002")
    assert _broken(tables) == []
    after = _ids(tables)
    assert all(before[name] <= after[name] for name in before)


def _broken(tables: Path) -> list[str]:
    paths = {
        t.name: tables / f"{t.name}.parquet" for t in (*HSDS_TABLES, RETIRED_IDS, ORGANIZATIONS)
    }
    faults = [
        f
        for t in (*HSDS_TABLES, RETIRED_IDS, ORGANIZATIONS)
        for f in check_table(t, paths[t.name], paths)
    ]
    faults += check_schedules(tables)
    faults += check_whole(tables, tables / "core_directory__resources.parquet")
    return list(map(str, faults))


def _ids(tables: Path) -> dict[str, set[str]]:
    return {c.name: {row["id"] for row in rows_of(tables, c.name)} for c in COLLECTIONS}
