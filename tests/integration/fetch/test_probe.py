"""Test the first contact with living lists: `larder source fetch --probe` and `larder source allow`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines import source_commands
from pipelines.cli import main
from pipelines.source_probe import probe_feeds
from schemas.sources.registry import feeds
from schemas.sources.rights import read_policy, right_of, waits_for
from tests.integration.fetch.platform_servers import as_json
from tests.integration.fetch.publisher_server import Publisher, Reply
from tests.integration.fetch.support import PAGE, SETTINGS
from tests.integration.fetch.test_feeds import at_server
from warehouse.raw_store import utc_now

LIST, WAITING = "feed_good_shepherd_me", "feed_vivery_network"
STORES = "/wp-admin/admin-ajax.php"
ALLOW = ["--by", "Ann Example, director", "--on", "2026-11-02"]


def test_a_list_that_answers_is_counted(publisher: Publisher) -> None:
    (probe,) = probe_feeds([at_server(feeds()[LIST], publisher)], SETTINGS)
    assert (probe.failure, probe.rows, probe.used, probe.with_hours) == ("", 3, 3, 3)
    assert probe.unread == ()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(PAGE), "a web page instead of application/json. Open the address in a browser"),
        (Reply(status=429), "status 429 Too Many Requests. Try again later"),
        (Reply(b'[{"id": 1, "store": "Half', length=-1), "the JSON has no end"),
        (as_json([]), "no record came"),
    ],
)
def test_a_failure_names_the_remedy_and_stops_nothing(
    publisher: Publisher, reply: Reply, message: str
) -> None:
    good = at_server(feeds()["feed_feeding_san_diego"], publisher)
    answers = publisher.answers
    bad = at_server(feeds()[LIST], publisher)
    publisher.answers = {**answers, STORES: [reply]}
    failed, answered = probe_feeds([bad, good], SETTINGS)
    assert message in failed.failure
    assert (answered.failure, answered.used) == ("", 3)


def test_a_changed_schema_is_shown_as_a_difference(publisher: Publisher) -> None:
    source = at_server(feeds()["feed_idaho"], publisher)
    publisher.answers[STORES] = [as_json([{"id": "1", "shop": "Acorn", "road": "1 Main St"}])]
    (probe,) = probe_feeds([source], SETTINGS)
    assert "columns ['title'] are missing" in probe.failure
    assert "New columns: road, shop. Map them in `layout` of the feed." in probe.failure


def test_the_command_prints_a_table_and_what_waits(
    publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = {LIST: at_server(feeds()[LIST], publisher), WAITING: feeds()[WAITING]}
    monkeypatch.setattr(source_commands, "feeds", lambda: local)
    monkeypatch.setattr(source_commands, "read_fetch_settings", lambda: SETTINGS)
    run = CliRunner().invoke(main, ["source", "fetch", "--probe", "--data", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert next(line.split()[:6] for line in run.stdout.splitlines() if LIST in line) == [
        "ME",
        LIST,
        "answers",
        "3",
        "3",
        "100%",
    ]
    assert f"{WAITING} needs the publisher's permission" in run.stdout


def test_a_permission_is_recorded_once_and_named(tmp_path: Path) -> None:
    source, today = feeds()[WAITING], utc_now().date()
    assert "larder source allow" in waits_for(source, read_policy(recorded=tmp_path), today)
    command = ["source", "allow", WAITING, "--data", str(tmp_path), *ALLOW]
    assert "--words" in CliRunner().invoke(main, command).output
    run = CliRunner().invoke(main, [*command, "--words", "Please do."])
    assert run.exit_code == 0, run.output
    policy = read_policy(recorded=tmp_path)
    assert waits_for(source, policy, today) == ""
    right = right_of(source, policy, today)
    assert (right.use, right.basis) == ("facts_only", "permission")
    assert right.reason == "Permission of Ann Example, director, 2026-11-02: Please do."


def test_one_decision_covers_lists_without_stated_terms(tmp_path: Path) -> None:
    source, today = feeds()[LIST], utc_now().date()
    assert right_of(source, read_policy(recorded=tmp_path), today).use == "withhold"
    command = ["source", "allow", "--terms-not-stated", "--data", str(tmp_path), *ALLOW]
    run = CliRunner().invoke(main, command)
    assert run.exit_code == 0, run.output
    policy = read_policy(recorded=tmp_path)
    assert right_of(source, policy, today).use == "facts_only"
    assert policy.decided_by == "Ann Example, director"
    # A list that needs its own permission still waits.
    assert waits_for(feeds()[WAITING], policy, today)


def test_a_withdrawn_permission_ends(tmp_path: Path) -> None:
    source = feeds()[WAITING]
    command = ["source", "allow", WAITING, "--data", str(tmp_path), *ALLOW, "--words", "Yes."]
    assert CliRunner().invoke(main, command).exit_code == 0
    record = tmp_path / "permissions.yaml"
    text = record.read_text(encoding="utf-8")
    assert "withdrawn_date: null" in text
    record.write_text(text.replace("withdrawn_date: null", "withdrawn_date: 2026-11-03"), "utf-8")
    assert waits_for(source, read_policy(recorded=tmp_path), utc_now().date())
