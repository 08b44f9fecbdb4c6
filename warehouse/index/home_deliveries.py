"""A release's home delivery services, by service area."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

import pyarrow as pa

from schemas.tables.core import HOME_DELIVERIES
from warehouse.duckdb import Connection, table_names


class HomeDelivery(NamedTuple):
    """A row of `HOME_DELIVERIES`: the fields shown to readers."""

    source_id: str
    name: str
    organization: str | None
    phone: str | None
    website: str | None
    hours_text: str | None
    services_text: str | None
    requirements_text: str | None
    eligibility_text: str | None
    notes: str | None
    service_areas: list[str]
    service_area_text: str | None
    office_areas: list[str]
    listed_date: date | None
    license: str

    @property
    def areas(self) -> list[str]:
        """The areas that list it."""
        return self.service_areas or self.office_areas


class HomeDeliveries:
    """Lookup by areas."""

    def __init__(self, table: pa.Table) -> None:
        """`table`: the result of `select_home_deliveries`."""
        self._services = [HomeDelivery(**row) for row in table.to_pylist()]
        self._by_area: dict[str, list[int]] = defaultdict(list)
        for number, service in enumerate(self._services):
            for code in service.areas:
                self._by_area[code].append(number)

    def __len__(self) -> int:
        return len(self._services)

    def __getitem__(self, number: int) -> HomeDelivery:
        return self._services[number]

    def numbers_of(self, codes: Iterable[str]) -> list[int]:
        """Return the numbers of services listed under any of the areas: first those that declare to
        serve it, then those with an office there, each ordered by name."""
        numbers = {number for code in codes for number in self._by_area.get(code, ())}
        return sorted(numbers, key=self._order)

    def _order(self, number: int) -> tuple[bool, str, int]:
        service = self._services[number]
        return not service.service_areas, service.name.casefold(), number


def select_home_deliveries(db: Connection) -> pa.Table:
    """Select the services of a release in order; none if it lacks the table."""
    table = HOME_DELIVERIES.name
    if table not in table_names(db):
        return pa.table({name: [] for name in HomeDelivery._fields})
    columns = ", ".join(HomeDelivery._fields)
    return db.sql(
        f'SELECT {columns} FROM "{table}" ORDER BY source_id, source_key'
    ).to_arrow_table()
