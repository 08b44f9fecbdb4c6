"""The policy of licences: which use a release may make of a source, and errors that name the rule."""

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assets.sources.rights import permit_rows, without_descriptions
from schemas.sources.registry import sources
from schemas.sources.rights import Right, RightsPolicy, read_policy, right_of
from schemas.vocab.statuses import Use
from tests.support.cases import labelled

DAY = date(2026, 11, 23)
UNSTATED, LICENSED = "nova_got_food_2026", "usda_snap"
GRANT = "source: nova_got_food_2026, use: publish, granted_by: A director, granted_date: 2026-05-04, words: Please list us"


def _policy(tmp_path: Path, text: str) -> RightsPolicy:
    file = tmp_path / "licences.yaml"
    file.write_text(text.replace("GRANT", GRANT), encoding="utf-8")
    return read_policy(file)


@labelled("text, source, use, basis")
def test_use(tmp_path: Path, text: str, source: str, use: str, basis: str) -> None:
    right = right_of(sources()[source], _policy(tmp_path, text or "{}"), DAY)
    assert (right.use, right.basis) == (use, basis)


def test_the_shipped_policy_withholds_and_gives_the_reason() -> None:
    right = right_of(sources()[UNSTATED], read_policy(), DAY)
    assert right == Right("withhold", "rule", sources()[UNSTATED].license.name)


@labelled("text, member")
def test_a_wrong_policy_names_file_and_member(tmp_path: Path, text: str, member: str) -> None:
    with pytest.raises(ValueError, match=rf"licences\.yaml: .*{member}"):
        _policy(tmp_path, text)


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.yaml"):
        read_policy(tmp_path / "none.yaml")


def test_rows_of_a_list_by_right() -> None:
    facts = ["name", "address", "phone", "hours_text", "languages", "closure", "required_documents"]
    texts = ["services_text", "requirements_text", "eligibility_text", "notes"]
    texts += ["organization", "website", "visit_limit_text", "service_area_text", "closure_text"]
    columns = {name: ["a", "b"] for name in facts + texts}
    flags = {
        n: pd.array([True, None], "boolean") for n in ("accepts_walkins", "requires_appointment")
    }
    rows = pd.DataFrame({**columns, **flags, "is_public": pd.array([True, False], "boolean")})
    uses: tuple[Use, ...] = ("publish", "facts_only", "match_only", "withhold")
    rights = {use: Right(use, "rule", "x") for use in uses}
    remaining = {
        use: without_descriptions(permit_rows(rows, right), right) for use, right in rights.items()
    }
    pd.testing.assert_frame_equal(remaining["publish"], rows)
    bare = remaining["facts_only"]
    conditions = [*facts, *flags]
    pd.testing.assert_frame_equal(bare[conditions], rows[conditions])
    assert bare[texts].isna().all(axis=None)
    assert bare["is_public"].tolist() == [True, False]
    assert remaining["match_only"]["is_public"].tolist() == [False, False]
    assert remaining["match_only"].drop(columns="is_public").equals(rows.drop(columns="is_public"))
    assert remaining["withhold"].empty


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        ("Tue 9-12 (see the notes)", "Tue 9-12 (with exceptions)"),
        ("Tue 9-12. See notes below", "Tue 9-12. (with exceptions)"),
        ("Tue 9-12", "Tue 9-12"),
    ],
)
def test_no_reference_to_notes_that_are_left_out(hours: str, expected: str) -> None:
    rows = pd.DataFrame(
        {"hours_text": [hours, None], "notes": ["1st week only", None]}, dtype="str"
    )
    bare = without_descriptions(rows, Right("facts_only", "rule", "x"))
    assert bare["hours_text"].iloc[0] == expected
    assert bare["notes"].isna().all()
