"""Names the platforms that publish lists of places, for fetching and for reading."""

from enum import StrEnum


class Platform(StrEnum):
    """Server or program that wrote a file; it determines the paging and the location of records.

    `TABLE` is any plain file (CSV, XLSX, HTML or PDF table): one download, one row per record.
    """

    ARCGIS = "arcgis"
    SOCRATA = "socrata"
    CKAN = "ckan"
    OPENFEMA = "openfema"
    JSON_API = "json_api"
    FINDTREATMENT = "findtreatment"
    HSDS_API = "hsds_api"
    GOOGLE_MY_MAPS = "google_my_maps"
    GOOGLE_SHEETS = "google_sheets"
    WP_STORE_LOCATOR = "wp_store_locator"
    WP_GOOGLE_MAPS = "wp_google_maps"
    STOREPOINT = "storepoint"
    STOREROCKET = "storerocket"
    FRESHTRAK = "freshtrak"
    VIVERY = "vivery"
    ICAROL = "icarol"
    WELLSKY = "wellsky"
    AIRTABLE_CSV = "airtable_csv"
    OVERPASS = "overpass"
    OSM_EXTRACT = "osm_extract"
    JSONLD_PAGES = "jsonld_pages"
    ICALENDAR = "icalendar"
    TABLE = "table"


# Their lists leave the program only as exports that a person saves.
FILES_ONLY = frozenset({Platform.ICAROL, Platform.WELLSKY})
