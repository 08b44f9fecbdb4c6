"""From a stranger's submission to a place that people find: the console in a real browser, then a
build.
"""

from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from pipelines.cli import main
from tests.support.dated_builds import build_command, copy_data, share_first
from tests.support.processes import comes_true
from tests.support.server import running_service

CHROMIUM = Path("/usr/bin/chromium")


def _larder(*arguments: str) -> str:
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 0, run.output[-3000:]
    return run.output


@pytest.mark.slow
def test_an_approved_submission_is_found_after_the_next_build(tmp_path: Path) -> None:
    if not CHROMIUM.exists():
        pytest.skip("no Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    data = copy_data(share_first(), tmp_path / "data")
    with running_service(data) as base:
        near = _somewhere(base)
        place = {
            **near,
            "name": "Zebra Finch <b>Pantry</b>",
            "address": "12 Example Street",
            "resource_type": "food_pantry",
            "hours_text": "Mon-Sun 9am-5pm",
        }
        assert httpx.post(f"{base}/api/submissions", json=place).status_code == 201
        here = base.replace("127.0.0.1", "localhost")
        link = _larder("operations", "add-admin", "ann", "--base-url", here, "--data", str(data))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=str(CHROMIUM), args=["--no-sandbox"]
            )
            page = browser.new_page()
            page.goto(link.split()[-1])
            page.get_by_role("button", name="Continue").click()
            page.get_by_role("button", name="Continue without a passkey").click()
            page.get_by_role("link", name="Submissions").first.click()
            page.get_by_role("link", name="Zebra Finch").click()
            assert page.locator("b", has_text="Pantry").count() == 0, (
                "what was sent is text, not markup"
            )
            page.get_by_label("name", exact=True).fill("Zebra Finch Pantry")
            page.get_by_role("button", name="Approve").click()
            assert page.get_by_text("Approved.").is_visible()
            browser.close()
        # As the first one was built: what the submission does not touch is the same.
        _larder(*build_command(data))
        assert comes_true(lambda: _list_found(base, near["zip"]) != []), "the service takes it up"
        found = _found(base, near["zip"])
    assert found["address"] == "12 Example Street"
    assert found["data_source"] == "operations"
    assert found["verification_status"] == "unverified"
    # Not the state of the moment: on a major holiday no hours are certain.
    (hours,) = found["hours"]
    assert hours["byday"] == "MO,TU,WE,TH,FR,SA,SU"
    assert (hours["opens_at"], hours["closes_at"]) == ("09:00", "17:00")


def _somewhere(base: str) -> dict[str, str]:
    """City, state and ZIP code of a listed pantry: a place that the demo's geography knows."""
    rows = httpx.get(f"{base}/api/resources/bulk?type=food_pantry&limit=50").json()["resources"]
    row = next(r for r in rows if r["zip"] and r["city"])
    return {name: row[name] for name in ("city", "state", "zip")}


def _list_found(base: str, zip_code: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{base}/api/resources/search?zip={zip_code}&mode=free&limit=100").json()
    return [place for place in answer["resources"] if place["name"] == "Zebra Finch Pantry"]


def _found(base: str, zip_code: str) -> dict[str, Any]:
    found = _list_found(base, zip_code)
    assert len(found) == 1
    only: dict[str, Any] = httpx.get(f"{base}/api/resources/{found[0]['id']}").json()
    return only
