"""The report at the end of a build."""

from pathlib import Path

import pandas as pd

from assets.steps.workspace import Workspace
from pipelines.progress import step_line
from pipelines.report import (
    ZIP_GAP_COLUMNS,
    accounts,
    build_report,
    costs,
    explain_withheld,
    kinds,
    list_failures,
    places,
    reject_reasons,
    states_to_ask,
    table,
    zips_to_ask,
)
from pipelines.run import Outcome, StepOutcome
from schemas.tables.core import FOOD_BANKS
from schemas.vocab.states import STATES
from tests.support.cases import cases
from warehouse.parquet import write_table
from warehouse.release.manifest import Manifest, SourceEntry


def manifest(*entries: SourceEntry) -> Manifest:
    return Manifest(
        "20261101T060000Z-00000000",
        "2026-11-01T06:00:00+00:00",
        1,
        "0.1.0",
        None,
        True,
        "2026-11-01",
        "CC-BY-4.0",
        "",
        [],
        [],
        list(entries),
        [],
    )


ONE = SourceEntry("one", 1200, 1000, 100, 90, 10, {"no_name": 80, "closed": 10}, "2026-10-01", None)
EMPTY = SourceEntry("empty", 0, 0, 0, 0, 0, {}, None, None)
TWO = SourceEntry("two", 7, 0, 0, 0, 7, {}, None, None)


def outcome(*steps: StepOutcome, failures: tuple[str, ...] = ()) -> Outcome:
    return Outcome(not failures, None, 12.34, 567.8, list(steps), list(failures))


def step(name: str, seconds: float, rows: int | None = 5) -> StepOutcome:
    return StepOutcome(name, name, rows, seconds)


def test_tables_are_aligned_with_numbers_to_the_right() -> None:
    assert table(["source", "rows"], [("one", 1200), ("twelve", 7)]).splitlines() == [
        "source  rows",
        "------  -----",
        "one     1,200",
        "twelve      7",
    ]


def test_a_table_of_nothing_is_its_heading() -> None:
    assert table(["a", "b"], []).splitlines() == ["a  b", "-  -"]


def test_the_account_names_every_source_and_the_total() -> None:
    text, _, below = accounts(manifest(ONE, EMPTY, TWO)).partition("\n\n")
    assert below == "Without rows: empty"
    lines = [line.split() for line in text.splitlines()[2:]]
    assert lines == [
        ["one", "1,200", "1,000", "100", "90", "10", "2026-10-01"],
        ["two", "7", "0", "0", "0", "7"],
        ["total", "1,207", "1,000", "100", "90", "17"],
    ]


def test_reasons_come_with_the_commonest_first() -> None:
    lines = [line.split() for line in reject_reasons(manifest(TWO, ONE)).splitlines()[2:]]
    assert lines == [["no_name", "one", "80"], ["closed", "one", "10"]]


@cases(
    "steps, expected",
    {
        "dearest first": (
            [step("cheap", 1.0), step("dear", 2.0, rows=1234)],
            [["dear", "1,234", "2.00"], ["cheap", "5", "1.00"]],
        ),
        "the cheapest are one line": (
            [
                *(step(str(n), 16.0 - n) for n in range(15)),
                step("a", 0.04),
                step("b", 0.03, rows=None),
            ],
            [
                *([str(n), "5", f"{16 - n:.2f}"] for n in range(15)),
                ["2", "others", "5", "0.07"],
            ],
        ),
        "tables of one step are one line": (
            [StepOutcome("totals", "states", 5, 2.0), StepOutcome("totals", "cities", 6, 2.0)],
            [["totals", "11", "2.00"]],
        ),
    },
)
def test_costs(steps: list[StepOutcome], expected: list[list[str]]) -> None:
    text = costs(outcome(*steps))
    table, _, last = text.partition("\n\n")
    assert [line.split() for line in table.splitlines()[2:]] == expected
    assert last == "12.3 s in all, peak memory 568 MB"


def test_types_and_states() -> None:
    rows = pd.DataFrame(
        {"state": ["OR", "OR", "AL"], "resource_type": ["food_bank", "food_pantry", "food_pantry"]}
    )
    assert [line.split() for line in kinds(rows).splitlines()[2:]] == [
        ["food_pantry", "2"],
        ["food_bank", "1"],
    ]
    assert places(rows) == "AL       1   OR       2"


def test_a_failure_names_the_step_and_the_served_release(tmp_path: Path) -> None:
    text = build_report(outcome(failures=("step x: no",)), Workspace(data_dir=str(tmp_path)))
    assert "Not released:\n\n  step x: no" in text
    assert text.endswith("The last good release remains current: none yet.")


def test_checks_that_warn_are_named(tmp_path: Path) -> None:
    warned = outcome(step("raw", 1.0))
    warned.warnings.append("check ages of places: 2 rows")
    text = build_report(warned, Workspace(data_dir=str(tmp_path)))
    assert "\n\nThese checks warn:\n  check ages of places: 2 rows\n\n" in text


def test_a_build_that_succeeded_lists_the_sources_that_failed() -> None:
    result = outcome()
    result.failed_sources |= {"two": "no", "one": "404"}
    assert list_failures(result) == ["source one: 404", "source two: no"]
    failure = outcome(failures=("step x: no", "source one: 404"))
    failure.failed_sources["one"] = "404"
    assert list_failures(failure) == ["step x: no", "source one: 404"]


def test_withheld_rows_are_explained() -> None:
    (text,) = explain_withheld(manifest(ONE, EMPTY))
    assert "--rights facts_only" in text
    assert explain_withheld(manifest(EMPTY)) == []


def test_a_refresh_reports_no_release(tmp_path: Path) -> None:
    text = build_report(outcome(step("raw", 1.0)), Workspace(data_dir=str(tmp_path)))
    assert text.endswith("Refreshed; no release was built.\n\nServed: none yet.")
    assert "Not released" not in text


@cases(
    "facts, line",
    {
        "rows": ({"dagster/row_count": 1234}, "   1.2 s  step: 1,234 rows"),
        "no table": ({}, "   1.2 s  step"),
        "check": (None, "   1.2 s  step"),
    },
)
def test_a_line_of_progress(facts: dict[str, object] | None, line: str) -> None:
    assert step_line("step", 1.23, facts) == line


def test_states_without_free_food_are_named_with_a_contact(tmp_path: Path) -> None:
    workspace = Workspace(data_dir=str(tmp_path))
    bank = {
        "source_key": "90001",
        "name": "Example Food Bank",
        "state": "WY",
        "served_zips": ["82401"],
        "served_county_zips": [],
    }
    frame = pd.DataFrame([bank]).reindex(columns=FOOD_BANKS.field_names)
    write_table(frame, FOOD_BANKS, workspace.path(FOOD_BANKS.name))
    resources = pd.DataFrame(
        {
            "state": [code for code in STATES if code not in ("WY", "VT", "AK")],
            "resource_type": "food_pantry",
            "is_active": True,
        }
    )
    (text,) = states_to_ask(resources, workspace)
    lines = text.splitlines()[1:]
    assert lines[:2] == [
        "  WY: Example Food Bank",
        "  no food bank of the network is known in AK, VT",
    ]
    assert "  VT: a list exists, not used yet: feed_northern_vermont" in lines
    others = resources.head(3).assign(state=["WY", "VT", "AK"])
    assert states_to_ask(pd.concat([resources, others]), workspace) == []


def test_zip_codes_without_free_food_are_counted_by_state() -> None:
    rows = [("WY", 900, 0), ("WY", 100, 0), ("NY", 50, 0), ("NY", 80_000, 3), ("AK", None, 0)]
    zips = pd.DataFrame(rows, columns=ZIP_GAP_COLUMNS)
    (text,) = zips_to_ask(zips)
    assert text.startswith("3 ZIP codes, with 1,050 residents,")
    assert text.endswith("\n  WY 2, NY 1")
    assert zips_to_ask(zips[zips["free_within_10_count"] > 0]) == []
