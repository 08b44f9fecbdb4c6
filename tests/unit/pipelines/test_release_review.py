"""The review of two releases: which places came, went, split, moved or have other hours."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import main
from tests.support.releases import identity, resource, write_release
from warehouse.release.review import MAX_EXAMPLES, ReleaseReview, review_releases
from warehouse.release.store import ReleaseStore

OLD, NEW = "20261101T060000Z-0000000a", "20261102T060000Z-0000000b"
HOURS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"12:00"}]'
AT = {"lat": 40.7, "lng": -73.98}
BEFORE = [
    resource(1, **AT),
    resource(2, phone="(212) 555-0101", **AT),
    resource(3, resource_type="food_bank", **AT),
    resource(4, name="Moves | *away*", address="1 Old Street", **AT),
    resource(5, name="Only its point moves", **AT),
    resource(6, name="Old name", hours_text="Tue 9-12", schedules_json=HOURS, **AT),
    resource(7, name="Merges", **AT),
    resource(8, name="Shelter", is_confidential=True, **AT),
    resource(10, name="Other notes", notes="a", **AT),
]
AFTER = [
    resource(1, **AT),
    resource(2, source_key="2b", phone="(212) 555-0102", **AT),
    resource(4, name="Moves | *away*", address="2 New Street", **AT),
    resource(5, name="Only its point moves", lat=40.71, lng=-73.98),
    resource(6, name="New name", hours_text="Tue 10-12", **AT),
    resource(8, name="Shelter", is_confidential=True, phone="(212) 555-0109", **AT),
    resource(9, name="Was <b>part</b> of 2", source_key="2", **AT),
    resource(10, name="Other notes", notes="b", **AT),
    *(resource(n, state="NJ", **AT) for n in range(300, 315)),
]
MERGED = identity(7, "merged", 1, first=OLD)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("review")
    write_release(folder, BEFORE, release_id=OLD)
    write_release(folder, AFTER, release_id=NEW, identities=[MERGED])
    return folder


@pytest.fixture(scope="module")
def review(data: Path) -> ReleaseReview:
    store = ReleaseStore(data)
    return review_releases(store.folder(OLD), store.folder(NEW))


def test_every_change_of_a_place_has_its_kinds(review: ReleaseReview) -> None:
    assert review.counts == {
        "added": 15,
        "gone": 1,
        "merged": 1,
        "split": 1,
        "moved": 2,
        "hours": 1,
        "renamed": 1,
        "contact": 1,
        "other": 1,
    }
    assert (review.before, review.after) == (9, 23)


EXAMPLES = {
    "gone": (3, None, "not_in_sources"),
    "merged": (7, None, "into 1"),
    "split": (9, "part of 2", None),
    "hours": (6, "Tue 9-12", "Tue 10-12"),
    "renamed": (6, "Old name", "New name"),
    "contact": (2, "(212) 555-0101", "(212) 555-0102"),
    "other": (10, None, None),
}


@pytest.mark.parametrize(("kind", "expected"), EXAMPLES.items(), ids=EXAMPLES)
def test_examples_have_the_values_before_and_after(
    review: ReleaseReview, kind: str, expected: tuple[int, str | None, str | None]
) -> None:
    (example,) = (e for g in review.by_source for e in g.examples if e.kind == kind)
    assert (example.resource_id, example.before, example.after) == expected


def test_a_move_has_its_distance_where_points_are_apart(review: ReleaseReview) -> None:
    moves = {
        e.resource_id: e.after for g in review.by_source for e in g.examples if e.kind == "moved"
    }
    assert "2 New Street" in str(moves[4])
    assert "mile" not in str(moves[4])
    # 0.01 degrees of latitude are 0.69 miles.
    assert "(0.7 miles)" in str(moves[5])


def test_groups_have_few_examples_and_no_confidential_place(review: ReleaseReview) -> None:
    groups = {g.group: g for g in review.by_state}
    assert groups["NJ"].counts == {"added": 15}
    assert len(groups["NJ"].examples) == MAX_EXAMPLES
    examples = [e for g in review.by_state + review.by_source for e in g.examples]
    assert all(e.name != "Shelter" for e in examples)
    assert {e.kind for e in examples} == set(review.counts)


def run(data: Path, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["release", "diff", *arguments, "--data", str(data)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_prints_text_json_and_markdown(data: Path) -> None:
    text = run(data, OLD)
    assert "places listed" in text
    assert "hours 6 New name" in text
    document = json.loads(run(data, OLD, NEW, "--json"))
    assert document["counts"]["moved"] == 2
    comment = run(data, OLD, NEW, "--markdown")
    assert r"Moves \| \*away\*" in comment
    assert "<b>" not in comment


def test_releases_with_the_same_places_are_one_line(data: Path) -> None:
    line = f"{OLD} to {OLD}: 9 to 9 places listed; no place has changed\n"
    assert run(data, OLD, OLD) == line
    assert run(data, OLD, OLD, "--markdown") == f"### {line}"


def test_a_data_directory_means_its_served_release(data: Path, tmp_path: Path) -> None:
    write_release(tmp_path, BEFORE, release_id=OLD)
    assert json.loads(run(data, str(tmp_path), str(data), "--json"))["older"] == OLD
    empty = CliRunner().invoke(main, ["release", "diff", str(tmp_path / "x"), "--data", str(data)])
    assert empty.exit_code == 1
    assert "x" in empty.output
