"""County FIPS codes by state and county name, with the spellings that publishers use."""

import re
from importlib.resources import files

import pandas as pd

from assets.geography.points import fold_names
from schemas.values.names import fold_name

# Classes of county equivalents, before the name ("Municipality of Anchorage") or after it.
_CLASS = re.compile(
    r"^(city and borough of|municipality of|city of|county of|parish of) "
    r"| (county|parish|municipio|municipality|city and borough|borough|census area|island|district"
    r"|city)$"
)
# States that are one county equivalent: no county name needed.
_ONLY_COUNTY = {"DC": "11001", "GU": "66010"}
# Island areas: the ZIP's place name identifies the island; the sources have no county.
_BY_PLACE = {
    ("VI", "st thomas"): "78030",
    ("VI", "st john"): "78020",
    ("VI", "christiansted"): "78010",
    ("VI", "frederiksted"): "78010",
    ("VI", "kingshill"): "78010",
    ("MP", "saipan"): "69110",
    ("MP", "rota"): "69100",
    ("MP", "tinian"): "69120",
}
# Names written as one word in the county list, or no longer in use.
_RENAMED = {
    ("IN", "la porte"): "laporte",
    ("IL", "la salle"): "lasalle",
    ("TX", "de witt"): "dewitt",
    ("NM", "dona ana"): "dona ana",
    ("SD", "shannon"): "oglala lakota",
    ("AK", "wade hampton"): "kusilvak",
    ("AK", "prince of wales outer ketchikan"): "prince of wales hyder",
    ("AK", "wrangell petersburg"): "",
    ("AK", "valdez cordova"): "",
}


def county_base(folded_name: str) -> str:
    """Return a folded county name without its class."""
    return _CLASS.sub("", folded_name)


def counties() -> pd.DataFrame:
    """Read the county equivalents: `county_fips`, `county_name`, `state`.

    Connecticut has its eight counties, Alaska those since 2019; Puerto Rico and the island areas
    are included.
    """
    return read_packaged_table("counties")


def read_packaged_table(name: str) -> pd.DataFrame:
    """Read a table of the folder `tables` as text; an empty cell is an empty text."""
    path = files("assets.geography").joinpath("tables", f"{name}.tsv.gz")
    with path.open("rb") as file:
        return pd.read_csv(
            file, sep="\t", compression="gzip", dtype="str", keep_default_na=False, quoting=3
        )


def county_fips_by_name(state: pd.Series, county_name: pd.Series) -> pd.Series:
    """Return county FIPS of state and county name; missing unless exactly one county has the name.

    The full name decides first (Virginia has a Roanoke city and a Roanoke County); the bare name
    only if one county of the state has it.
    """
    table = counties()
    table["full"] = fold_names(table["county_name"])
    table["base"] = table["full"].map(county_base)
    once = table[~table.duplicated(["state", "base"], keep=False)]
    full = table.set_index(["state", "full"])["county_fips"].to_dict()
    base = once.set_index(["state", "base"])["county_fips"].to_dict()
    pairs = pd.DataFrame({"state": state, "name": county_name.fillna("")}).fillna("")
    pairs = pairs.astype(object)
    unique = pairs.drop_duplicates()
    codes = {
        (s, n): _resolve(s, fold_name(n), full, base)
        for s, n in zip(unique["state"], unique["name"], strict=True)
    }
    fips = [codes[pair] for pair in zip(pairs["state"], pairs["name"], strict=True)]
    return pd.Series(fips, index=state.index, dtype="str")


def _resolve(
    state: str, name: str, full: dict[tuple[str, str], str], base: dict[tuple[str, str], str]
) -> str | None:
    if state in _ONLY_COUNTY:
        return _ONLY_COUNTY[state]
    if not name:
        return None
    bare = county_base(name)
    bare = _RENAMED.get((state, bare), bare)
    return full.get((state, name)) or base.get((state, bare))


def county_fips_by_place(state: pd.Series, place_name: pd.Series) -> pd.Series:
    """Return county FIPS for the island areas and states with one county equivalent."""
    states, names = state.fillna("").astype(object), fold_names(place_name).astype(object)
    keys = zip(states, names, strict=True)
    fips = [_ONLY_COUNTY.get(key[0]) or _BY_PLACE.get(key) for key in keys]
    return pd.Series(fips, index=state.index, dtype="str")
