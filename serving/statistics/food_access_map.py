"""The map of states as a page: each state a square with its share, its colour, its hatching; then
the same as a table.

Squares on a grid of our own, not shapes: no boundaries are needed, small states are as readable as
large ones.
"""

from typing import Any

from schemas.vocab.food_access import ACCESS_CLASSES, NATION, NOTHING_LISTED, class_of
from schemas.vocab.states import STATES, sort_by_name
from serving.http.per_release import per_release
from serving.render.words import Language, words
from serving.statistics.food_access import (
    access_of,
    has_county_map,
    is_population_known,
    map_share,
)
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import AccessFigures, Row

# Rows of the grid from north to south; a dot is an empty square.
_GRID = """
AK .  .  .  .  .  .  .  .  .  .  ME
.  .  .  .  .  .  .  .  .  .  VT NH
.  WA ID MT ND MN WI MI .  NY MA RI
.  OR NV WY SD IA IL IN OH PA NJ CT
.  CA UT CO NE MO KY WV VA MD DE .
.  .  AZ NM KS AR TN NC SC DC .  .
.  .  .  .  OK LA MS AL GA .  .  .
.  HI .  .  TX .  .  .  .  FL .  .
.  AS GU MP .  .  .  .  .  .  PR VI
"""
TILES: dict[str, tuple[int, int]] = {
    code: (column, row)
    for row, line in enumerate(_GRID.strip().splitlines())
    for column, code in enumerate(line.split())
    if code != "."
}
STEP, SIZE = 64, 60
assert set(TILES) == set(STATES), "every state and territory has a square"


@per_release
def map_values(release: OpenRelease, language: Language) -> dict[str, Any]:
    """Return the context of `coverage_map.html`. Reads the database the first time: call it in a
    thread."""
    figures = access_of(release)
    by_name = sort_by_name(STATES, language)
    return {
        "is_population_known": is_population_known(figures),
        "sources": figures.population_sources,
        "classes": [(c, _label(c, language)) for c in ACCESS_CLASSES],
        "tiles": [_tile(figures, code, language) for code in TILES],
        "rows": [_line(figures, code, language) for code in [NATION, *by_name]],
        "columns": max(x for x, _ in TILES.values()) + 1,
        "height": max(y for _, y in TILES.values()) + 1,
        "step": STEP,
        "size": SIZE,
        "has_county_map": has_county_map(release),
        "counties": figures.counties,
        "counties_without": figures.counties_without_free_food,
    }


def _name(code: str, language: Language) -> str:
    if code == NATION:
        return str(words("coverage_map", language).nation)
    return STATES[code].names[language]


def _label(kind: Any, language: Language) -> str:
    label: str = kind.label_es if language == "es" else kind.label
    return label


def _tile(figures: AccessFigures, code: str, language: Language) -> dict[str, Any]:
    row = figures.areas[code]
    share = map_share(figures, row)
    kind = class_of(share, row["free_food_count"])
    text = "" if kind.minimum is None or share is None else f"{share:.0%}"
    column, line = TILES[code]
    label = f"{_name(code, language)}: {text or _label(kind, language)}"
    # The darkest squares carry white letters (WCAG 2.2, 1.4.3).
    ink = "#fff" if kind.id == "most" else "#1a1a1a"
    return {
        "code": code,
        "x": column * STEP,
        "y": line * STEP,
        "kind": kind.id,
        "shown": text,
        "label": label,
        "fill": kind.colour,
        "ink": ink,
    }


def _line(figures: AccessFigures, code: str, language: Language) -> dict[str, Any]:
    """Return a row of the table. Distances of a state in which nothing is listed are left out:
    they are another state's."""
    row: Row = figures.areas[code]
    kind = class_of(map_share(figures, row), row["free_food_count"])
    is_measured = kind is not NOTHING_LISTED
    names = [
        "people_share_within_1_mile",
        "people_share_within_5_miles",
        "people_share_within_10_miles",
        "people_share_known_hours_within_5_miles",
        "zip_share_within_5_miles",
    ]
    return {
        "code": code,
        "name": _name(code, language),
        "free": f"{row['free_food_count']:,}",
        "hours": _percent(row["hours_known_share"]),
        "exact": _percent(row["exact_share"]),
        "people": "–" if row["zip_population"] is None else f"{row['zip_population']:,}",
        "median": f"{row['median_free_miles']:.1f}"
        if is_measured and row["median_free_miles"] is not None
        else "–",
        "shares": [_percent(row[name] if is_measured else None) for name in names],
        "label": _label(kind, language),
    }


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
