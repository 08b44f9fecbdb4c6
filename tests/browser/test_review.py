"""Test the way of a submission to a listed place: the console in a real browser, then a build."""

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
# A device whose fingerprint reader says yes (Chrome DevTools Protocol, WebAuthn).
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def _larder(*arguments: str) -> str:
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 0, run.output[-3000:]
    return run.output


@pytest.mark.slow
def test_an_approved_submission_is_listed_after_the_next_build(tmp_path: Path) -> None:
    if not CHROMIUM.exists():
        pytest.skip("no Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    data = copy_data(share_first(), tmp_path / "data")
    with running_service(data) as base:
        near = _choose_area(base)
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
            tools = page.context.new_cdp_session(page)
            tools.send("WebAuthn.enable")
            tools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
            page.goto(link.split()[-1])
            page.get_by_role("button", name="Continue").click()
            page.get_by_role("button", name="Create a passkey").click()
            page.get_by_role("link", name="Submissions").first.click()
            page.get_by_role("link", name="Zebra Finch").click()
            assert page.locator("b", has_text="Pantry").count() == 0, (
                "a submission is text, not markup"
            )
            page.get_by_label("Name", exact=True).fill("Zebra Finch Pantry")
            page.get_by_role("button", name="Approve").click()
            page.get_by_text("Approved.").wait_for()
            browser.close()
        # Built like the first release, so that only the submission differs.
        _larder(*build_command(data))
        assert comes_true(lambda: _search(base, near["zip"]) != []), (
            "the service opens the new release"
        )
        record = _read_record(base, near["zip"])
    assert record["address"] == "12 Example Street"
    assert record["data_source"] == "operations"
    assert record["verification_status"] == "unverified"
    # Not whether it is open now: on a major holiday no hours are certain.
    (hours,) = record["hours"]
    assert hours["byday"] == "MO,TU,WE,TH,FR,SA,SU"
    assert (hours["opens_at"], hours["closes_at"]) == ("09:00", "17:00")


def _choose_area(base: str) -> dict[str, str]:
    """Return city, state and ZIP code of a listed pantry, which the demo's geography has."""
    rows = httpx.get(f"{base}/api/resources/bulk?type=food_pantry&limit=50").json()["resources"]
    row = next(r for r in rows if r["zip"] and r["city"])
    return {name: row[name] for name in ("city", "state", "zip")}


def _search(base: str, zip_code: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{base}/api/resources/search?zip={zip_code}&mode=free&limit=100").json()
    return [place for place in answer["resources"] if place["name"] == "Zebra Finch Pantry"]


def _read_record(base: str, zip_code: str) -> dict[str, Any]:
    matches = _search(base, zip_code)
    assert len(matches) == 1
    only: dict[str, Any] = httpx.get(f"{base}/api/resources/{matches[0]['id']}").json()
    return only
