"""Small tables of a release for the service agree with its database."""

from datetime import date

import pytest

from tests.support.releases import identity, resource, write_release
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

_CHANGE = {
    "resource_id": 103,
    "rule_id": "no_contact",
    "observed_on": date(2026, 10, 1),
    "release_id": "20261001T060000Z-00000001",
    "changed_field": "is_active",
    "new_value": "false",
    "evidence": "no phone",
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenRelease:
    data = tmp_path_factory.mktemp("lookups")
    write_release(
        data,
        [
            resource(101),
            resource(102, service_areas=["zip:10002", "state:NY"], is_service_area_exclusive=True),
            resource(103, is_active=False, service_areas=["zip:10003"]),
            resource(104, service_areas=["zip:10004"]),
            resource(105, is_active=False),
        ],
        identities=[
            identity(90, "merged", 101),
            identity(91, "merged", 90),
            identity(92, "merged", 103),
            identity(93, "merged", 94),
            identity(94, "merged", 93),
            identity(95, "retired"),
        ],
        changes=[
            {**_CHANGE, "evidence": "no website", "observed_on": date(2026, 9, 1)},
            _CHANGE,
            {**_CHANGE, "resource_id": 101},
        ],
        home_deliveries=[
            {"name": "Wheels", "service_areas": ["zip:10002"], "listed_date": date(2026, 5, 1)},
            {"name": "A Kind Meal", "office_areas": ["zip:10002"]},
        ],
    )
    folder = ReleaseStore(data).folder(str(ReleaseStore(data).current()))
    return OpenRelease(folder)


def test_areas_are_those_of_listed_places(opened: OpenRelease) -> None:
    areas = [opened.service_areas.area(row) for row in range(len(opened))]
    assert opened.ids.tolist() == [101, 102, 104]
    assert areas == [None, (("zip:10002", "state:NY"), True), (("zip:10004",), False)]


def test_home_deliveries_by_area(opened: OpenRelease) -> None:
    services = [opened.home_deliveries[n] for n in opened.home_deliveries.numbers_of(["zip:10002"])]
    assert [(one.name, one.listed_date) for one in services] == [
        ("Wheels", date(2026, 5, 1)),
        ("A Kind Meal", None),
    ]


@pytest.mark.parametrize(
    ("resource_id", "expected", "reason"),
    {
        "listed": (101, (False, None), None),
        "never published": (96, (False, None), None),
        "merged": (90, (True, 101), None),
        "merged twice": (91, (True, 101), None),
        "merged into one that is inactive": (92, (True, None), None),
        "merged in a circle": (93, (True, None), None),
        "retired": (95, (True, None), None),
        "inactive, with the newest reason": (103, (True, None), "no phone"),
        "inactive, without a reason": (105, (True, None), None),
        "beyond the last": (106, (False, None), None),
    }.values(),
)
def test_merged_and_retired_ids(
    opened: OpenRelease, resource_id: int, expected: tuple[bool, int | None], reason: str | None
) -> None:
    assert (opened.find_gone(resource_id), opened.find_gone_reason(resource_id)) == (
        expected,
        reason,
    )
