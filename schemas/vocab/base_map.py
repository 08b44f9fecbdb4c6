"""Files of the base map: a GeoJSON file for the nation and one for each state."""

# Folder of the product in a release.
BASE_MAP_FOLDER = "map"
# States' borders and the largest cities; the codes of states name the other files.
BASE_MAP_NATION = "US"


def base_map_file(code: str) -> str:
    """Return the name of the file of a state or of `BASE_MAP_NATION`."""
    return f"{code}.geojson"
