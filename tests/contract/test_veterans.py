"""Test the veterans' data set over HTTP against its description, with scores computed again."""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.contract import check_answers, patterns_by_dialect
from tests.support.server import Services, running_services
from tests.support.town import write_town
from tests.support.veterans import AS_OF

# Python types by the interface's name of a column type.
KINDS: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "TEXT": (str,),
    "BOOLEAN": (bool,),
    "REAL": (int, float),
}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder: Path = tmp_path_factory.mktemp("veterans")
    write_town(folder, veterans=True)
    with running_services(folder, LARDER_LOG_LEVEL="error") as services:
        yield services


@pytest.fixture(scope="module")
def document(services: Services) -> dict[str, Any]:
    discovery = httpx.get(f"{services.sibling}/api/discovery").json()
    document: dict[str, Any] = httpx.get(discovery["datasets"][0]["json_url"]).json()
    return document


def test_every_row_agrees_with_the_list_of_columns(document: dict[str, Any]) -> None:
    for row in document["records"]:
        assert list(row) == [column["name"] for column in document["columns"]]
        for column in document["columns"]:
            value = row[column["name"]]
            if value is None:
                assert column["nullable"], column["name"]
                continue
            assert isinstance(value, KINDS[column["type"]]), column["name"]
            assert value in column.get("values", [value])
            assert re.search(column.get("pattern", ""), str(value)), (column["name"], value)


def test_the_scores_are_the_sum_of_their_parts(document: dict[str, Any]) -> None:
    """Compute the score by the column's description, without the code of builds."""
    for row in document["records"]:
        day = row["verified_date"]
        is_recent = day is not None and (AS_OF - date.fromisoformat(day)).days <= 365
        score = (
            20 * (row["phone"] is not None)
            + 20 * (row["address"] is not None)
            + 15 * (row["website"] is not None)
            + 15 * (row["lat"] is not None and row["lng"] is not None)
            + 5 * sum(row[f"fips_{part}"] is not None for part in ("state", "county", "tract"))
            + 15 * is_recent
        )
        assert row["completeness_score"] == score, row["name"]
    assert len({row["completeness_score"] for row in document["records"]}) > 1


@pytest.mark.slow
def test_every_answer_is_as_described(services: Services, tmp_path: Path) -> None:
    check_answers(services.sibling, tmp_path)


def test_the_description_is_complete(services: Services) -> None:
    description = json.loads(httpx.get(f"{services.sibling}/api/openapi.json").content)
    assert description["openapi"].startswith("3.1")
    assert description["info"]["version"] == "2.1.0"
    assert patterns_by_dialect(description) == []
    operations = [op for item in description["paths"].values() for op in item.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) >= 8
    for operation in operations:
        assert operation["summary"]
        assert operation["description"]
    tags = {tag["name"] for tag in description["tags"]}
    assert {tag for operation in operations for tag in operation["tags"]} <= tags
