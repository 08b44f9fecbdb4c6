"""Writes the demo: synthetic files in the publishers' own formats, with their quirks, from one
seed.

The ordinary pipeline reads them. No place in them is real; the pipeline marks every row made from
them as synthetic.
"""

from datetime import date
from pathlib import Path

import pandas as pd

from assets.demo.agencies import (
    write_declarations,
    write_health_centers,
    write_schools,
    write_stores,
    write_wic_offices,
)
from assets.demo.files import Writing
from assets.demo.pantries import (
    write_confirmations,
    write_food_banks,
    write_locator,
    write_scheduler,
    write_study_list,
)
from assets.demo.programs import PROGRAM_SOURCES, program_rows, write_programs
from assets.demo.sample import Sampler
from assets.demo.veterans import write_tracts, write_veterans, zip_codes

DEMO_SOURCES = (
    "usda_snap",
    "hrsa_health_centers",
    "wic_clinics",
    "nces_schools",
    "fema_declarations",
    "nyc_pantries_2023",
    "haarrrvest_2025",
    "feeding_america_2026",
    "va_facilities",
    *PROGRAM_SOURCES,
    "operations_edits",
)
DISASTERS = 240
# Share of pantries in a directory of national size, and in a small demo, where a search needs
# results.
_PANTRIES_NATIONAL, _PANTRIES_SMALL = 0.08, 0.35
_SMALL, _NATIONAL = 5_000, 100_000
_FEWEST_STORES = 20


def write_demo(
    folder: Path, rows: int, seed: int, zips: pd.DataFrame, cities: pd.DataFrame, as_of: date
) -> list[Path]:
    """Write about `rows` places and a few hundred disasters; returns the files.

    `zips` and `cities` are the reference geography. Equal arguments give equal bytes.
    """
    writing = Writing(folder, Sampler(zips, cities, seed), as_of)
    # The share of pantries falls to the national one from 5,000 to 100,000 rows.
    position = min(max((rows - _SMALL) / (_NATIONAL - _SMALL), 0), 1)
    pantries = round(rows * (_PANTRIES_SMALL + (_PANTRIES_NATIONAL - _PANTRIES_SMALL) * position))
    health, wic, schools = round(rows * 0.045), round(rows * 0.025), round(rows * 0.09)
    programs = program_rows(rows)
    others = pantries + health + wic + schools + sum(programs.values())
    stores = max(rows - others, _FEWEST_STORES)
    locator, scheduler = pantries // 5, pantries // 5
    study, pantry_list = write_study_list(writing, pantries - locator - scheduler)
    files = [
        *study,
        *write_locator(writing, locator),
        *write_scheduler(writing, scheduler, pantry_list),
        *write_stores(writing, stores),
        *write_health_centers(writing, health),
        *write_wic_offices(writing, wic),
        *write_schools(writing, schools),
        *write_declarations(writing, DISASTERS),
        *write_programs(writing, programs),
    ]
    # Last, so that the other files do not change.
    facilities = write_veterans(writing, rows)
    food_banks = write_food_banks(writing, zips)
    tracts = write_tracts(writing, zips, zip_codes(facilities))
    return [*files, *facilities, *food_banks, *tracts, *write_confirmations(writing, pantry_list)]
