"""An invented directory for the HSDS feed: two releases, with a merger and a closure between."""

from datetime import date
from pathlib import Path
from typing import Any

from tests.support.releases import identity, resource, write_release
from tests.support.sharing import copy_folder, share
from tests.support.town import NEW_YORK, zips
from warehouse.release.store import ReleaseStore

MERGED_ID, SUCCESSOR_ID, RETIRED_ID = 190, 110, 191
_WEEKLY = '[{"freq":"WEEKLY","byday":"TU,TH","opens_at":"09:00","closes_at":"12:00"},{"freq":"WEEKLY","byday":"SA","opens_at":"10:00","closes_at":"14:00"}]'
_MONTHLY = '[{"freq":"MONTHLY","byday":"2TU","opens_at":"16:00","closes_at":"18:00"}]'
_ALLIANCE = {"organization": "Example Alliance", "website": "https://alliance.example.org/"}


def _at(north: float) -> dict[str, float]:
    return {"lat": NEW_YORK[0] + north, "lng": NEW_YORK[1]}


def _removed_places() -> list[dict[str, Any]]:
    return [
        resource(MERGED_ID, name="Twin of the Pantry", **_at(0.01), address="10 Example Street"),
        resource(RETIRED_ID, name="Closed Kitchen", resource_type="soup_kitchen", **_at(0.02)),
    ]


def _lasting_places() -> list[dict[str, Any]]:
    names = [
        resource(
            SUCCESSOR_ID,
            name='Despensa "Señora" & Söhne, Inc.',
            **_at(0.01),
            **_ALLIANCE,
            address="10 Example Street, Floor 2",
            phone="(212) 555-0110 ext. 7",
            phone_e164="+12125550110",
            schedules_json=_WEEKLY,
            hours_text="Tue, Thu 9-12, Sat 10-2",
            languages=["en", "es", "zh"],
            requirements_text="Please bring photo ID and proof of address.",
            last_verified_date=date(2026, 10, 20),
        ),
        resource(
            111,
            name="Alliance Kitchen",
            resource_type="soup_kitchen",
            **_at(0.02),
            **_ALLIANCE,
            schedules_json=_MONTHLY,
            hours_text="2nd Tuesday 4-6",
            phone="(212) 555-0111",
            phone_e164="+12125550111",
            languages=["es"],
        ),
        resource(
            112,
            name="Alliance Truck",
            resource_type="mobile_pantry",
            **_at(0.03),
            **_ALLIANCE,
            notes='Two lines,\nwith a "quote" and a comma',
            hours_text="ask by phone",
        ),
        resource(
            113,
            name="=HYPERLINK Market",
            resource_type="snap_retailer",
            **_at(0.5),
            address="1 Far Road",
        ),
        resource(
            114,
            name="Example WIC",
            resource_type="wic_office",
            zip="10003",
            **_at(0.2),
            location_precision="zip",
            location_method="zip_centroid",
        ),
        resource(
            115,
            name="Shelter",
            is_confidential=True,
            **_at(0.1),
            location_precision="city",
            location_method="city_centroid",
        ),
        resource(
            116,
            name="Summer Site",
            resource_type="summer_meal",
            **_at(0.04),
            requirements_text="Serves only residents of ZIP codes 10002 and 10003.",
            service_area_text="Serves only residents of ZIP codes 10002 and 10003",
            service_areas=["zip:10002", "zip:10003"],
        ),
        resource(117, name="No longer listed", is_active=False, **_at(0.05)),
    ]
    many = [resource(300 + n, name=f"Pantry {n:03}", **_at(0.3 + n / 1000)) for n in range(37)]
    return names + many


def write_feed(data_dir: Path) -> str:
    """Write both releases, promote the second and return its id; they are built once a session."""
    copy_folder(share("feed", _write_feed), data_dir)
    return ReleaseStore(data_dir).current() or ""


def _write_feed(data_dir: Path) -> None:
    write_release(
        data_dir,
        [*_lasting_places(), *_removed_places()],
        zips=zips(),
        hsds=True,
        release_id="20261001T060000Z-00000001",
    )
    identities = [identity(MERGED_ID, "merged", SUCCESSOR_ID), identity(RETIRED_ID, "retired")]
    write_release(data_dir, _lasting_places(), zips=zips(), identities=identities, hsds=True)
