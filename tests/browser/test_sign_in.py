"""Test a reviewer's passkeys in a real browser.

Chromium has a virtual authenticator (WebDriver's WebAuthn extension over CDP).
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from warehouse.operations.administrators import invite
from warehouse.operations.engine import open_store


@pytest.fixture
def origin(service: str) -> str:
    """Address of the service under the host name to which passkeys are bound."""
    return service.replace("127.0.0.1", "localhost")


@pytest.fixture
def link(origin: str, service_folder: Path) -> str:
    """One-time link of a new reviewer, as the command line prints it."""
    store = open_store(service_folder / "operations.sqlite")
    code, _ = invite(store, "ann", datetime.now(UTC))
    store.close()
    return f"{origin}/admin/enrol#{code}"


class Device:
    """A page and the authenticator of its machine."""

    def __init__(self, context: Any) -> None:
        self.page = context.new_page()
        self.faults: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self._tools = context.new_cdp_session(self.page)
        self._tools.send("WebAuthn.enable")
        self.plug()

    def _note(self, line: Any) -> None:
        # A refused sign-in has status 403, which Chromium reports as an error.
        if line.type == "error" and "403" not in line.text:
            self.faults.append(line.text)

    def plug(self) -> None:
        """Plug in an authenticator without any passkey."""
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
        }
        authenticator = self._tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._name = {"authenticatorId": authenticator["authenticatorId"]}

    def unplug(self) -> None:
        """Remove the authenticator."""
        self._tools.send("WebAuthn.removeVirtualAuthenticator", self._name)

    def verify(self, succeeds: bool) -> None:
        """Set whether the next fingerprints match."""
        value = {**self._name, "isUserVerified": succeeds}
        self._tools.send("WebAuthn.setUserVerified", value)

    def credentials(self) -> list[dict[str, Any]]:
        """Return the passkeys of the authenticator."""
        passkeys: list[dict[str, Any]] = self._tools.send("WebAuthn.getCredentials", self._name)[
            "credentials"
        ]
        return passkeys

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()


@pytest.fixture
def device(browser: Any) -> Iterator[Device]:
    context = browser.new_context()
    device = Device(context)
    yield device
    context.close()
    assert device.faults == []


def _enrol(device: Device, link: str) -> None:
    device.page.goto(link)
    assert "#" not in device.page.url
    device.press("Continue")
    device.press("Create a passkey")
    device.page.wait_for_url("**/admin")


def test_a_link_creates_a_passkey_that_signs_in(device: Device, link: str, origin: str) -> None:
    _enrol(device, link)
    (passkey,) = device.credentials()
    assert (passkey["isResidentCredential"], passkey["rpId"]) == (True, "localhost")
    device.press("Sign out")
    device.press("Sign in with a passkey")
    device.page.wait_for_url("**/admin")
    assert device.page.get_by_text("Signed in as ann.").is_visible()
    assert device.credentials()[0]["signCount"] > passkey["signCount"]


def test_a_wrong_fingerprint_does_not_sign_in(device: Device, link: str) -> None:
    _enrol(device, link)
    device.press("Sign out")
    device.verify(succeeds=False)
    device.press("Sign in with a passkey")
    device.page.get_by_text("No passkey was used. Try again.").wait_for()
    assert device.page.url.endswith("/admin/sign-in")
    device.verify(succeeds=True)
    device.press("Sign in with a passkey")
    device.page.wait_for_url("**/admin")
    assert device.page.get_by_text("Signed in as ann.").is_visible()


def test_a_second_passkey_can_be_created_and_removed(device: Device, link: str) -> None:
    _enrol(device, link)
    page = device.page
    page.get_by_role("link", name="Passkeys").click()
    device.press("Create a passkey")
    page.get_by_text("This device already has a passkey of yours.").wait_for()
    device.unplug()
    device.plug()
    page.get_by_label("Name of the passkey").fill("red key")
    device.press("Create a passkey")
    page.get_by_role("heading", name="red key").wait_for()
    device.press("Remove red key")
    page.get_by_role("heading", name="red key").wait_for(state="detached")
    device.press("Sign out")
    device.press("Sign in with a passkey")
    page.get_by_text("That did not work.").wait_for()
    assert page.get_by_text("Signed in as ann.").count() == 0
