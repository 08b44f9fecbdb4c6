"""`datapackage.json`: the Tabular Data Package descriptor of our HSDS files."""

from collections.abc import Mapping
from typing import Any

from schemas.hsds.collections import BY_TABLE, COLLECTIONS, HSDS_VERSION, Collection

# Licence id -> address of its text.
LICENSE_URLS: Mapping[str, tuple[str, str]] = {
    "CC-BY-4.0": (
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "CC0-1.0": (
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    "ODbL-1.0": (
        "Open Data Commons Open Database License 1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
}


def descriptor(
    license_id: str,
    *,
    is_synthetic: bool,
    version: str | None = None,
    paths: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the descriptor. `paths` maps collection names to a path or list
    of paths in place of `<name>.csv`.

    `version` names the build. Foreign keys are declared only to tables of the package.
    """
    name, url = LICENSE_URLS.get(license_id, (license_id, ""))
    entry = {"name": license_id, "title": name} | ({"path": url} if url else {})
    about = "Synthetic demonstration data, no real places. " if is_synthetic else ""
    return {
        "profile": "tabular-data-package",
        "name": "open-larder-hsds",
        "title": f"Open Larder: food assistance in the United States, HSDS {HSDS_VERSION}",
        "description": (
            f"{about}Organizations, services and locations of food assistance. Hours are local to "
            "the place and carry an offset and a time zone name."
        ),
        **({"version": version} if version else {}),
        "hsds_version": HSDS_VERSION,
        "is_synthetic": is_synthetic,
        "license": {"name": name, "type": license_id} | ({"url": url} if url else {}),
        "licenses": [entry],
        "resources": [resource(c, (paths or {}).get(c.name, c.csv_name)) for c in COLLECTIONS],
    }


def resource(collection: Collection, path: Any) -> dict[str, Any]:
    """Return one resource of the descriptor, named by the official table."""
    keys = [
        {"fields": c.name, "reference": {"resource": c.references, "fields": "id"}}
        for c in collection.columns
        if c.references in BY_TABLE
    ]
    return {
        "profile": "tabular-data-resource",
        "name": collection.table,
        "title": collection.title,
        "description": collection.description,
        "path": path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {
            "delimiter": ",",
            "lineTerminator": "\r\n",
            "quoteChar": '"',
            "doubleQuote": True,
            "header": True,
        },
        "schema": {
            "fields": [c.tabular() for c in collection.columns],
            "primaryKey": "id",
            **({"foreignKeys": keys} if keys else {}),
        },
    }
