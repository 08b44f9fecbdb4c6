"""Counts the pairs that each row of assets/matching/rules.yaml decides on the records of a build.

    DIRECTORY_DATA_DIR=data python bench/matching_rules.py

Prints the rows with the number of pairs, with the types of the lists and without. Copy them to
rules.yaml with the date and the number of records.
"""

import os
from pathlib import Path

import pandas as pd

from assets.matching.matching import LOCATED_COLUMNS, cluster
from schemas.tables.core import LOCATED
from warehouse.parquet import read_frame


def main() -> None:
    folder = Path(os.environ.get("DIRECTORY_DATA_DIR", "data"))
    located = read_frame(folder / "tables" / f"{LOCATED.name}.parquet", LOCATED_COLUMNS)
    without_types = located.assign(resource_type=pd.Series(None, located.index, dtype="str"))
    typed, untyped = (cluster(rows).pairs_by_rule for rows in (located, without_types))
    print(f"{len(located):,} records")
    for name, pairs in typed.items():
        print(f"{name:45} pairs: [{pairs}, {untyped[name]}]")


if __name__ == "__main__":
    main()
