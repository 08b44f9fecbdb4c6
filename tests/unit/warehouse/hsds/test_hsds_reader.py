"""The HSDS tables of a release: rows, ids, relations, nesting, filters; each against brute force."""

import gzip
import json
import math
import uuid
from collections import defaultdict
from contextlib import closing

import numpy as np
import pytest

from schemas.hsds.collections import BY_NAME, BY_TABLE, COLLECTIONS
from tests.support.hsds_town import write_feed
from tests.support.town import NEW_YORK
from warehouse.hsds.nesting import FULL_SERVICES, NESTED, nested_objects
from warehouse.hsds.reader import Filters, HsdsTables, Near
from warehouse.release.store import ReleaseStore
from warehouse.release.tables import open_tables

NAMES = [c.name for c in COLLECTIONS]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("feed")
    return HsdsTables(ReleaseStore(data_dir).folder(write_feed(data_dir)))


@pytest.fixture(scope="module")
def rows(tables):
    """Every row of every collection, read line by line."""
    return {
        name: [
            json.loads(line)
            for line in _decoded(tables.folder / f"{name}.ndjson").split(b"\n")[:-1]
        ]
        for name in NAMES
    }


def _decoded(path):
    return gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_read_by_range_and_by_number(tables, rows, name):
    count = tables.count(name)
    assert count == len(rows[name])
    chosen = list(range(0, count, 3))
    for numbers in (range(count), range(1, min(4, count)), chosen, np.array(chosen), range(0), []):
        expected = [rows[name][n] for n in numbers]
        assert [json.loads(text) for text in tables.json_objects(name, numbers)] == expected
        assert len(tables.csv_lines(name, numbers)) == len(expected)


@pytest.mark.parametrize("name", NAMES)
def test_every_id_is_found_and_no_other(tables, rows, name):
    ids = [row["id"] for row in rows[name]]
    assert [tables.row_of(name, uuid.UUID(i)) for i in ids] == list(range(len(ids)))
    for strange in (uuid.UUID(int=0), uuid.uuid5(uuid.NAMESPACE_DNS, "x")):
        assert tables.row_of(name, strange) is None


KEYS = [(c.name, k.name) for c in COLLECTIONS for k in c.columns if k.references in BY_TABLE]


@pytest.mark.parametrize(("name", "column"), KEYS)
def test_relations_are_the_foreign_keys(tables, rows, name, column):
    target = next(c.references for c in BY_NAME[name].columns if c.name == column)
    parents = rows[BY_TABLE[target].name]
    number = {row["id"]: n for n, row in enumerate(parents)}
    children = defaultdict(list)
    for n, row in enumerate(rows[name]):
        if column in row:
            children[number[row[column]]].append(n)
    relation = tables.relation(name, column)
    assert [relation.children_of(n) for n in range(len(parents))] == [
        children[n] for n in range(len(parents))
    ]
    expected = [[number[row[column]]] if column in row else [] for row in rows[name]]
    assert [relation.parents_of(n) for n in range(len(rows[name]))] == expected


# ---------------------------------------------------------------- nesting


def _hung(rows, row, members, holder):
    """Return the nested form, computed from the rows."""
    nested = dict(row)
    for member in members:
        related = rows[member.collection]
        if member.is_one:
            mine = [r for r in related if r["id"] == row.get(member.via)]
        else:
            mine = [r for r in related if r.get(member.via) == row["id"]]
        inner = [_hung(rows, r, member.members, member.collection) for r in mine]
        if inner:
            nested[member.name] = inner[0] if member.is_one else inner
    return nested


@pytest.mark.parametrize("name", NESTED)
def test_nested_objects_contain_related_rows(tables, rows, name):
    expected = [_hung(rows, row, NESTED[name], name) for row in rows[name]]
    together = nested_objects(tables, name, range(len(expected)), NESTED[name])
    assert [json.loads(text) for text in together] == expected
    for n in range(0, len(expected), 10):
        assert nested_objects(tables, name, [n], NESTED[name]) == [together[n]]


def test_full_services_of_an_organization(tables, rows):
    numbers = range(len(rows["organizations"]))
    texts = nested_objects(tables, "organizations", numbers, FULL_SERVICES)
    organizations = [json.loads(text) for text in texts]
    assert organizations == [
        _hung(rows, row, FULL_SERVICES, "organizations") for row in rows["organizations"]
    ]
    alliance = next(row for row in organizations if row["name"] == "Example Alliance")
    assert len(alliance["services"]) == len(alliance["locations"]) == 3
    assert all(service["service_at_locations"] for service in alliance["services"])


# ---------------------------------------------------------------- filters


def _metres(row, location):
    lat, lng = (math.radians(location[k]) for k in ("latitude", "longitude"))
    at_lat, at_lng = map(math.radians, NEW_YORK)
    cosine = math.sin(lat) * math.sin(at_lat) + math.cos(lat) * math.cos(at_lat) * math.cos(
        lng - at_lng
    )
    return 6_371_008.8 * math.acos(min(cosine, 1))


def _term_of(rows, service_id):
    return next(a["taxonomy_term_id"] for a in rows["attributes"] if a["link_id"] == service_id)


def _cases(rows):
    """Return name, collection, filters, and a condition for each row."""
    by_id = {name: {row["id"]: row for row in rows[name]} for name in NAMES}
    alliance = next(o["id"] for o in rows["organizations"] if o["name"] == "Example Alliance")
    pantry = next(t["id"] for t in rows["taxonomy_terms"] if t["code"] == "food-pantry")
    taxonomy = rows["taxonomies"][0]["id"]
    nowhere = str(uuid.UUID(int=7))
    near = Near(*NEW_YORK, 5_000)
    in_zip = {a["location_id"] for a in rows["addresses"] if a["postal_code"] == "10002"}
    service_ids = {a["service_id"] for a in rows["service_areas"] if a["extent"] == "10002"}
    assert in_zip, "the town has an address in 10002"
    assert service_ids, "the town has a place for residents of 10002"

    def within(row, location_id):
        location = by_id["locations"][location_id]
        return "latitude" in location and _metres(row, location) <= 5_000

    def owned(row):
        return by_id["services"][row["service_id"]]["organization_id"] == alliance

    return [
        ("words", "services", Filters(search="senora  DESPENSA"), lambda r: "Señora" in r["name"]),
        (
            "a quote in a word",
            "services",
            Filters(search='"quote"'),
            lambda r: '"quote"' in json.dumps(r, ensure_ascii=False).replace('\\"', '"'),
        ),
        ("a percent sign", "services", Filters(search="%"), lambda r: "%" in json.dumps(r)),
        ("blanks only", "services", Filters(search="  "), lambda r: True),
        (
            "organization",
            "services",
            Filters(organization_id=alliance),
            lambda r: r["organization_id"] == alliance,
        ),
        ("organization of a pair", "service_at_location", Filters(organization_id=alliance), owned),
        (
            "organization of a place",
            "locations",
            Filters(organization_id=alliance),
            lambda r: r.get("organization_id") == alliance,
        ),
        ("nobody", "services", Filters(organization_id=nowhere), lambda r: False),
        (
            "term",
            "services",
            Filters(taxonomy_term_id=pantry),
            lambda r: _term_of(rows, r["id"]) == pantry,
        ),
        (
            "term of a pair",
            "service_at_location",
            Filters(taxonomy_term_id=pantry),
            lambda r: _term_of(rows, r["service_id"]) == pantry,
        ),
        (
            "term of an organization",
            "organizations",
            Filters(taxonomy_term_id=pantry),
            lambda r: any(
                s["organization_id"] == r["id"] and _term_of(rows, s["id"]) == pantry
                for s in rows["services"]
            ),
        ),
        ("taxonomy", "services", Filters(taxonomy_id=taxonomy), lambda r: True),
        ("another taxonomy", "services", Filters(taxonomy_id=nowhere), lambda r: False),
        (
            "terms of a taxonomy",
            "taxonomy_terms",
            Filters(taxonomy_id=taxonomy),
            lambda r: r["taxonomy_id"] == taxonomy,
        ),
        ("top terms", "taxonomy_terms", Filters(top_only=True), lambda r: "parent_id" not in r),
        (
            "below a term",
            "taxonomy_terms",
            Filters(parent_id=pantry),
            lambda r: r.get("parent_id") == pantry,
        ),
        ("near", "service_at_location", Filters(near=near), lambda r: within(r, r["location_id"])),
        ("near places", "locations", Filters(near=near), lambda r: within(r, r["id"])),
        (
            "ZIP code",
            "service_at_location",
            Filters(postcode="10002"),
            lambda r: r["location_id"] in in_zip or r["service_id"] in service_ids,
        ),
        (
            "places in a ZIP code",
            "locations",
            Filters(postcode="10002"),
            lambda r: r["id"] in in_zip,
        ),
        (
            "all at once",
            "service_at_location",
            Filters(near=near, taxonomy_term_id=pantry, organization_id=alliance, modified_after=0),
            lambda r: (
                owned(r)
                and within(r, r["location_id"])
                and _term_of(rows, r["service_id"]) == pantry
            ),
        ),
    ]


def test_filters_against_brute_force(tables, rows):
    for label, name, query, fulfils in _cases(rows):
        row_numbers = tables.matching_rows(name, query)
        expected = [n for n, row in enumerate(rows[name]) if fulfils(row)]
        assert row_numbers.tolist() == expected, label
        assert row_numbers is tables.matching_rows(name, query), f"{label}: not kept"


@pytest.mark.parametrize("name", NAMES)
def test_modified_after_includes_rows_without_a_date(tables, rows, name):
    stamps = sorted({row["last_modified"] for row in rows[name] if "last_modified" in row})
    for stamp in [*stamps, "2030-01-01T00:00:00.000Z"]:
        moment = int(np.datetime64(stamp[:-1], "ms").astype(int))
        expected = [n for n, row in enumerate(rows[name]) if row.get("last_modified", "9") >= stamp]
        assert tables.matching_rows(name, Filters(modified_after=moment)).tolist() == expected


# ---------------------------------------------------------------- ids that are gone


def test_merged_ids_have_a_successor_and_retired_ones_none(tables, rows):
    with closing(open_tables(tables.folder.parent)) as db:
        retired = db.sql(
            "SELECT collection, old_id, successor_id FROM out_hsds__retired_ids"
        ).fetchall()
    assert {name for name, _, successor in retired if successor} >= {
        "services",
        "locations",
        "service_at_location",
    }
    for name, old, successor in retired:
        assert tables.successor(name, uuid.UUID(old)) == (True, successor)
        assert tables.row_of(name, uuid.UUID(old)) is None
    assert tables.successor("services", uuid.UUID(int=1)) == (False, None)


def test_a_release_without_the_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="hsds"):
        HsdsTables(tmp_path)
