"""How many listings like a place's were still right: in its record, in explained lists, on its page."""

from datetime import UTC, datetime, timedelta

import pytest

from schemas.vocab.still_true import PStillTrue, likelihood
from serving.places.still_true import still_true_words
from tests.support.clients import open_client
from tests.support.releases import resource, write_release
from tests.support.town import NEW_YORK, zips

HOURS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"12:00"}]'
DAYS = 700
LISTED = datetime.now(UTC).date() - timedelta(days=DAYS)
AT = {"lat": NEW_YORK[0], "lng": NEW_YORK[1], "zip": "10002"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("aging")
    dated = {"source_updated_date": LISTED, "confirmed_date": LISTED, "listed_date": LISTED}
    rows = [
        resource(
            1, schedules_json=HOURS, hours_text="Tue 9-12", phone="(212) 555-0101", **dated, **AT
        ),
        resource(2, resource_type="wic_office", **dated, **AT),
        resource(3, resource_type="snap_retailer", **dated, **AT),
    ]
    write_release(folder, rows, zips=zips())
    with open_client(folder) as client:
        yield client


def shares(client, resource_id: int):
    return client.get(f"/api/resources/{resource_id}").json()["p_still_true"]


def test_a_record_has_the_shares_of_its_type_and_age(client) -> None:
    shares_of_record = shares(client, 1)
    assert shares_of_record["exists"] is None  # no lists of pantries cover their area in full
    for fact in ("phone", "hours"):
        expected = likelihood(fact, "food_pantry", DAYS)
        assert expected is not None
        assert shares_of_record[fact]["p"] == expected.p
        assert shares_of_record[fact]["age_days"] == DAYS
        assert shares_of_record[fact]["listings"] == expected.listings
    assert shares(client, 3)["exists"]["p"] < 0.99


def test_no_evidence_is_stated(client) -> None:
    assert shares(client, 2) == {"exists": None, "phone": None, "hours": None}


def test_lists_have_them_where_they_explain(client) -> None:
    path = "/api/resources/search?zip=10002"
    assert "p_still_true" not in client.get(path).json()["resources"][0]
    records = client.get(f"{path}&explain=true").json()["resources"]
    assert {r["id"]: r["p_still_true"] for r in records} == {
        n: shares(client, n) for n in (1, 2, 3)
    }


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (
            "/place/1",
            "About 2 in 10 listings like this one had the same hours on another list, where",
        ),
        (
            "/es/place/1",
            "Unos 2 de cada 10 datos como este tenían el mismo horario en otra lista, donde",
        ),
    ],
)
def test_pages_show_shares_in_words(client, path, sentence) -> None:
    assert sentence in client.get(path).text


def test_words_name_the_facts_that_were_measured() -> None:
    nothing = PStillTrue(None, None, None)
    assert still_true_words(nothing, "en") == ()
    store = PStillTrue(likelihood("exists", "snap_retailer", 30), None, None)
    assert still_true_words(store, "en") == (
        "Nearly all listings like this one were still there on a later list.",
    )
