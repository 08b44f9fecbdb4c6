"""Every stored member of the public record can be traced to a source record and its date."""

from assets.directory.places import FIELD_GROUPS
from schemas.api.record import DETAIL_FIELDS, RECORD_MEMBERS, RecordSource

# Facts about the record itself, worked out from its sources and not supplied by one of them.
ABOUT_THE_RECORD = {
    "resource_id",
    "verification_status",
    "verification_confidence",
    "verification_reasons",
    "last_verified_date",
    "source_updated_date",
    "retrieved_at",
    "data_source",
    "source_url",
    "license",
    "completeness_score",
    "completeness_missing",
    "is_active",
    "is_synthetic",
    "listed_date",
    "updated_date",
    "confirmed_date",
}


def test_every_member_has_a_source_and_a_date() -> None:
    supplied = {name for group in FIELD_GROUPS.values() for name in group} | {"services_offered"}
    members = {m.field for m in RECORD_MEMBERS} | set(DETAIL_FIELDS)
    assert members - ABOUT_THE_RECORD <= supplied
    assert not ABOUT_THE_RECORD & supplied
    dates = {"supplied_fields", "source_updated_date", "retrieved_at"}
    assert dates <= set(RecordSource.__struct_fields__)
