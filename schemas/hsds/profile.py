"""Our HSDS profile: JSON Merge Patches on the official schemas, and the schemas that result for
flat rows.

The profile adds documented members and requires some that HSDS leaves optional; it renames nothing.
The merge patches are complete in themselves, since RFC 7386 replaces arrays such as `required`
whole.
"""

from typing import Any

from schemas.hsds.collections import Version
from schemas.hsds.model import Collection

PROFILE_VERSION = "1.2.0"


def merge_patch(collection: Collection, version: Version) -> dict[str, Any] | None:
    """Return the patch for `<table>.json` of a version; None if our rows are the official ones."""
    extras = collection.extras(version.number)
    if not extras and not any(c.profile_required for c in collection.columns):
        return None
    required = [c.name for c in collection.columns if c.need == "R" or c.profile_required]
    patch: dict[str, Any] = {"required": required}
    if extras:
        patch["properties"] = {c.name: c.json_schema() for c in extras}
    return patch


def row_schema(collection: Collection) -> dict[str, Any]:
    """Return JSON Schema 2020-12 of one flat row as we publish it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": collection.table,
        "description": collection.description,
        "type": "object",
        "properties": {c.name: c.json_schema() for c in collection.columns},
        "required": [c.name for c in collection.columns if c.is_required],
        "additionalProperties": False,
    }


def profile_index(version: Version) -> dict[str, Any]:
    """Return `profile/index.json`: the changes that the profile makes."""
    patched = [c for c in version.collections if merge_patch(c, version) is not None]
    return {
        "name": "Open Larder profile of HSDS",
        "version": PROFILE_VERSION,
        "hsds_version": version.number,
        "patches": [f"{c.table}.json" for c in patched],
        "schemas": [f"schema/{c.table}.json" for c in version.collections],
        "rules": [
            (
                "The taxonomy has eleven terms; every service has exactly one attribute of "
                "link_type taxonomy."
            ),
            (
                "phones and schedules belong to a service at a location, languages to a service, "
                "phones of a service that comes to people's homes to that service: one parent each."
            ),
            (
                "A service that comes to people's homes has service areas where its list names "
                "them, and no location."
            ),
            (
                "Times of day carry the UTC offset in force on the day of the build; tzid names "
                "the zone."
            ),
            "A closing time at or before the opening time is on the next day. Round the clock is "
            "00:00 to 23:59.",
            "Members that are unknown are left out; nothing is null.",
        ],
    }
