"""Test every declared feed against a server that answers as its platform documents, with invented
places: its columns are read, types are known, hours are read, no personal data is used."""

from urllib.parse import urlsplit

import msgspec
import pytest

from assets.hours.columns import with_hours
from assets.sources.assemble import assemble
from assets.sources.contract import RawFile
from schemas.sources.registry import Source, feeds
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATES
from tests.integration.fetch.feed_servers import EMAIL, PERSON, places_of, server_of
from tests.integration.fetch.publisher_server import Publisher
from tests.integration.fetch.support import fetch
from warehouse.raw_store import RawStore

# Their answers have no hours, or the columns with hours are not known before the first answer.
_WITHOUT_HOURS = {"freshtrak", "arcgis", "web_page", "table", "vivery"}


def at_server(source: Source, publisher: Publisher) -> Source:
    """Return a feed at the same path of a local server."""
    (feed,) = source.live
    parts = urlsplit(feed.url)
    publisher.answers = server_of(source, feed, parts.path or "/")
    url = publisher.url(parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return msgspec.structs.replace(source, live=[msgspec.structs.replace(feed, url=url)])


@pytest.mark.parametrize("feed_id", feeds())
def test_a_feed_is_read(publisher: Publisher, store: RawStore, feed_id: str) -> None:
    source = at_server(feeds()[feed_id], publisher)
    stored, _ = fetch(source, store)
    layout = source.layout_of(stored[0].file_name)
    assert layout is not None
    file = RawFile(
        source_id=source.id,
        name=stored[0].file_name,
        path=stored[0].path,
        sha256=stored[0].sha256,
        layout=layout.layout,
        retrieved_at=stored[0].retrieved_at,
        vintage=stored[0].retrieved_at.date(),
        is_synthetic=True,
    )
    rows = assemble(source, [file])
    places = places_of(source)
    accepted = rows.accepted
    assert rows.rejects.empty, rows.rejects[["reject_reason", "reject_detail"]].to_dict("records")
    assert accepted["name"].str.contains("Acorn|Birch|Cedar").all()
    assert len(accepted) == len(places)
    assert set(accepted["resource_type"]) <= set(TYPE_IDS)
    assert set(accepted["state"]) == {places[0].state}
    if source.id != "feed_maine_meal_sites":
        assert accepted["city"].str.casefold().eq(places[0].city.casefold()).all()
    everything = accepted.astype(str).to_csv()
    assert PERSON not in everything
    assert EMAIL not in everything
    if source.live[0].platform not in _WITHOUT_HOURS:
        assert with_hours(accepted)["schedules_json"].notna().all()


def test_feeds_cover_forty_states() -> None:
    states = {state for feed in feeds().values() for state in feed.states}
    assert len(states & set(STATES)) >= 40
    assert len(feeds()) >= 80
