"""A build fetches a living list again when it is due, and not before."""

from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest

from assets.sources import files
from assets.steps.workspace import Workspace
from tests.integration.fetch.publisher_server import Publisher, Reply
from tests.integration.fetch.support import CSV, NEW, SETTINGS, csv_source
from warehouse.fetch.errors import ServerBusyError
from warehouse.raw_store import utc_now


def test_a_living_list_is_fetched_when_it_is_due(
    publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "read_fetch_settings", lambda: SETTINGS)
    publisher.answers = {"/list.csv": [Reply(NEW, headers=CSV)]}
    source = msgspec.structs.replace(csv_source(publisher), fetch_days=7, is_living=True)

    def fetched_on(day: date) -> date:
        workspace = Workspace(data_dir=str(tmp_path), profile="live", as_of=str(day))
        (row,) = files.fetch_files(source, workspace, print).to_dict("records")
        listed: date = row["source_updated_date"]
        return listed

    today = fetched_on(utc_now().date())
    assert len(publisher.requests) == 1
    assert fetched_on(today + timedelta(days=6)) == today
    assert len(publisher.requests) == 1, "not due"
    fetched_on(today + timedelta(days=7))
    assert len(publisher.requests) == 2
    publisher.answers = {"/list.csv": [Reply(status=503)]}
    for _ in range(2):
        with pytest.raises(ServerBusyError):
            fetched_on(today + timedelta(days=7))
    assert len(publisher.requests) == 2 + 2 * SETTINGS.attempts, "due until it succeeds"
