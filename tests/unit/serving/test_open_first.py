"""The order of free food on pages: what is open first, old listings last; and the chips above."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from schemas.hours.opening import OPEN_STATUSES
from serving.search.find import Page, Query, find
from serving.search.rank import OLD_DAYS, are_old, opening_ranks
from serving.search.start import start_of_zip
from serving.site.choices import choices_of_address
from tests.support.pages import HTML, read_page
from warehouse.index.points import MODE_TYPES

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)


def _hits(release, now):
    query = Query(MODE_TYPES["free"], page=Page(500), order="open_first")
    return find(release, start_of_zip(release, "10002"), query, now).hits


@pytest.mark.parametrize("hours", range(0, 168, 7))
def test_open_places_are_first_and_equal_ones_by_distance(release, hours) -> None:
    now = NOW + timedelta(hours=hours)
    hits = _hits(release, now)
    rows = np.array([row for _, row in hits])
    ranks = opening_ranks(release, rows, now).tolist()
    assert ranks == sorted(ranks)
    assert hits == sorted(hits, key=lambda h: (ranks[hits.index(h)], *h))
    for rank, row in zip(ranks, rows.tolist(), strict=True):
        state = release.open_state(row, now)
        is_open = state is not None and state.status in OPEN_STATUSES
        if not release.is_confidential[row]:
            assert (rank == 0) == is_open
        if rank == 1:
            code = int(release.hours_codes[row])
            assert release.timetable_state(code, now).status in OPEN_STATUSES


def test_listings_of_which_nothing_was_heard_for_three_years_are_last(release) -> None:
    later = NOW + timedelta(days=OLD_DAYS + 400)
    rows = np.array([row for _, row in _hits(release, later)])
    is_old = are_old(release, rows, later)
    assert is_old.any()
    assert (np.diff(is_old.astype(int)) >= 0).all()
    assert not are_old(release, rows, NOW).all()


def _chips(answer):
    root = read_page(answer)
    (chips,) = [e for e in root.iter(f"{HTML}ul") if e.get("class") == "chips"]
    return {"".join(a.itertext()).strip(): a.get("href") for a in chips.iter(f"{HTML}a")}


def test_a_chip_makes_a_choice_that_finds_places_and_undoes_it(client) -> None:
    chips = _chips(client.get("/search?q=10002"))
    assert "Meals" in chips
    for label, href in chips.items():
        answer = client.get(href)
        assert answer.text.count('<article class="card place">'), label
        undone = next(link for text, link in _chips(answer).items() if text.endswith(label))
        assert choices_of_address(undone.partition("?")[2]).values == {}


def test_no_chip_promises_what_no_place_is_known_to_offer(client) -> None:
    # Of the stores near no attribute is known.
    assert 'class="chips"' not in client.get("/search?q=10002&mode=snap").text


def test_a_page_is_made_once_a_minute_and_every_search_is_counted(client, monkeypatch) -> None:
    made = []
    original = find
    monkeypatch.setattr("serving.site.site.find", lambda *args: made.append(1) or original(*args))
    first, second = (client.get("/search?q=10002&radius=7") for _ in range(2))
    assert first.content == second.content
    assert first.headers["etag"] == second.headers["etag"]
    assert len(made) <= 2, "twice only where the minute changed between them"
    etag = {"if-none-match": first.headers["etag"]}
    assert client.get("/search?q=10002&radius=7", headers=etag).status_code in {200, 304}
