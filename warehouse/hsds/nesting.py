"""Builds nested HSDS objects as JSON: a row with the rows that refer to it.

The shape is that of the official API (compiled/service.json, organization.json,
service_at_location.json); locations, which it does not serve on their own, look as they do inside a
service. Members without rows are left out. Nothing is parsed: members are added to a row's JSON
before its last brace.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from warehouse.hsds.reader import HsdsTables, Rows


@dataclass(frozen=True)
class Member:
    """A member with rows of `collection`.

    `via` is the foreign key: a column of that collection (many rows refer to this one), or, with
    `is_one`, a column of the row itself.
    """

    name: str
    collection: str
    via: str
    members: tuple[Member, ...] = ()
    is_one: bool = False


_TERM = Member(
    "taxonomy_term",
    "taxonomy_terms",
    "taxonomy_term_id",
    (Member("taxonomy_detail", "taxonomies", "taxonomy_id", is_one=True),),
    is_one=True,
)
_SPOKEN = (Member("languages", "languages", "phone_id"),)
_LOCATION = (
    Member("languages", "languages", "location_id"),
    Member("addresses", "addresses", "location_id"),
    Member("phones", "phones", "location_id", _SPOKEN),
    Member("schedules", "schedules", "location_id"),
)
_AT_LOCATION = (
    Member("phones", "phones", "service_at_location_id", _SPOKEN),
    Member("schedules", "schedules", "service_at_location_id"),
    Member("location", "locations", "location_id", _LOCATION, is_one=True),
)
_OF_ORGANIZATION = (
    Member("phones", "phones", "organization_id", _SPOKEN),
    Member("organization_identifiers", "organization_identifiers", "organization_id"),
)
_OF_SERVICE = (
    Member("phones", "phones", "service_id", _SPOKEN),
    Member("schedules", "schedules", "service_id"),
    Member("service_areas", "service_areas", "service_id"),
    Member("languages", "languages", "service_id"),
    Member("cost_options", "cost_options", "service_id"),
    Member("required_documents", "required_documents", "service_id"),
    Member("attributes", "attributes", "link_id", (_TERM,)),
    Member("metadata", "metadata", "resource_id"),
)
_PLACES = Member("service_at_locations", "service_at_location", "service_id", _AT_LOCATION)
_OWNER = Member("organization", "organizations", "organization_id", _OF_ORGANIZATION, is_one=True)
_SERVICES = Member("services", "services", "organization_id")

# Members of a collection's nested form; other collections have none.
NESTED: dict[str, tuple[Member, ...]] = {
    "services": (*_OF_SERVICE, _PLACES, _OWNER),
    "organizations": (
        *_OF_ORGANIZATION,
        Member("locations", "locations", "organization_id", _LOCATION),
        _SERVICES,
    ),
    "service_at_location": (
        *_AT_LOCATION,
        Member("service", "services", "service_id", (*_OF_SERVICE, _OWNER), is_one=True),
    ),
    "locations": _LOCATION,
    "taxonomy_terms": _TERM.members,
}
# Here each service of an organization includes its own nested rows.
FULL_SERVICES = (*NESTED["organizations"][:-1], replace(_SERVICES, members=(*_OF_SERVICE, _PLACES)))


def nested_objects(
    tables: HsdsTables, name: str, rows: Rows, members: tuple[Member, ...]
) -> list[str]:
    """Return rows of a collection as JSON objects with their members.

    Each level is one query for all rows. The first call reads the foreign keys.
    """
    parts = [[text[:-1]] for text in tables.json_objects(name, rows)]
    for member in members:
        if member.is_one:
            owners = tables.relation(name, member.via)
            linked = [owners.parents_of(int(row)) for row in rows]
        else:
            children = tables.relation(member.collection, member.via)
            linked = [children.children_of(int(row)) for row in rows]
        wanted = sorted(set(chain.from_iterable(linked)))
        if not wanted:
            continue
        texts = nested_objects(tables, member.collection, wanted, member.members)
        shown = dict(zip(wanted, texts, strict=True))
        for part, found in zip(parts, linked, strict=True):
            if found:
                inside = ",".join([shown[row] for row in found])
                part.append(f',"{member.name}":{inside if member.is_one else f"[{inside}]"}')
    return ["".join(part) + "}" for part in parts]
