"""Names of towns as people write them: by city, by ZIP code, and alternatives of the Postal
Service.

People use "Queens" and "Jamaica", "Manhattan" and "New York", "W Hollywood" and "Los Angeles"
interchangeably. The names of each ZIP code, including discouraged ones, come from the package
`zipcodes`.
"""

from functools import cache
from typing import Any

import zipcodes

from schemas.values.names import fold_name

# Prefixes of New York City's ZIP codes: lists write "New York" for Queens as well.
_NEW_YORK = ("100", "101", "102", "103", "104", "111", "112", "113", "114", "116")
# Prefixes of Queens and its border, where "37-14" is one house.
QUEENS = ("110", "111", "113", "114", "116")
_OTHER_NAMES = ("acceptable_cities", "unacceptable_cities")


@cache
def records_by_zip() -> dict[str, Any]:
    """Return the record of each ZIP code in the package `zipcodes`."""
    records = zipcodes.list_all()  # type: ignore[no-untyped-call]
    return {record["zip_code"]: record for record in records}


@cache
def _names_of_zip(zip_code: str) -> frozenset[str]:
    """Return the folded names of a ZIP code."""
    record = records_by_zip().get(zip_code)
    if record is None:
        return frozenset()
    others = (name for key in _OTHER_NAMES for name in record[key])
    return frozenset(map(fold_name, [record["city"], *others]))


def town_names(zip_code: str | None, city: str | None) -> frozenset[str]:
    """Return the folded names of a ZIP code and a folded city; either may be missing."""
    names = _names_of_zip(zip_code) if zip_code else frozenset()
    if zip_code and zip_code.startswith(_NEW_YORK):
        names |= {"new york"}
    # "New York City" is New York.
    return names | {city, city.removesuffix(" city")} if city else names
