"""Test signed requests of a provider to a real service, also without its store."""

from pathlib import Path
from xml.etree import ElementTree

import httpx

from serving.sms.routes import signature_of
from tests.support.server import running_service
from tests.support.town import write_town

TOKEN, PUBLIC = "webhook-token", "https://food.example"


class Provider:
    """Posts messages as a provider of text messages: form, signature of the public address."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token, self._sids = address, token, 0

    def deliver(self, sender: str, body: str, sid: str = "") -> httpx.Response:
        self._sids += 1
        form = {
            "ToCountry": "US",
            "ToState": "NY",
            "SmsMessageSid": sid or f"SM{self._sids:032d}",
            "NumMedia": "0",
            "FromZip": "",
            "SmsSid": sid or f"SM{self._sids:032d}",
            "FromState": "",
            "SmsStatus": "received",
            "FromCity": "",
            "Body": body,
            "FromCountry": "US",
            "To": "+15555550199",
            "NumSegments": "1",
            "MessageSid": sid or f"SM{self._sids:032d}",
            "AccountSid": "AC00000000000000000000000000000000",
            "From": sender,
            "ApiVersion": "2010-04-01",
        }
        signature = signature_of(self._token, f"{PUBLIC}/api/sms", list(form.items()))
        return httpx.post(
            f"{self._address}/api/sms",
            data=form,
            headers={"X-Twilio-Signature": signature, "User-Agent": "TwilioProxy/1.1"},
            timeout=30,
        )


def read_message(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    root = ElementTree.fromstring(answer.content)
    assert root.tag == "Response"
    return " ".join(message.text or "" for message in root.iter("Message"))


def test_a_conversation_over_the_wire(tmp_path: Path) -> None:
    write_town(tmp_path)
    environment = {"LARDER_SMS_TOKEN": TOKEN, "LARDER_BASE_URL": PUBLIC}
    with running_service(tmp_path, **environment) as address:
        provider, number = Provider(address, TOKEN), "+15555550142"
        first = read_message(provider.deliver(number, "FOOD 10002", "SMone"))
        assert "Example Pantry East" in first
        assert read_message(provider.deliver(number, "FOOD 10002", "SMone")) == first
        assert "Comida gratis cerca de 10002" in read_message(
            provider.deliver(number, "¿Dónde hay comida gratis? 10002")
        )
        assert "STOP" in read_message(provider.deliver(number, "HELP"))
        assert "no recibira mas" in read_message(provider.deliver(number, "ALTO"))
        assert read_message(provider.deliver(number, "10002")) == ""
        assert Provider(address, "another token").deliver(number, "10002").status_code == 403
    # An opt-out survives a restart.
    with running_service(tmp_path, **environment) as address:
        provider = Provider(address, TOKEN)
        assert read_message(provider.deliver(number, "10002")) == ""
        assert "mensajes activados" in read_message(provider.deliver(number, "INICIAR"))
        assert "Free food" in read_message(provider.deliver(number, "10002"))


def test_without_its_store_the_service_still_finds_food(tmp_path: Path) -> None:
    write_town(tmp_path)
    file = tmp_path / "no-folder"
    file.write_text("a file where the store's folder would be")
    store = str(file / "operations.sqlite")
    with running_service(tmp_path, LARDER_OPERATIONS_FILE=store) as address:
        provider = Provider(address, TOKEN)
        assert "Example Pantry East" in read_message(provider.deliver("+15555550143", "10002"))
        # An opt-out that cannot be stored is not confirmed: the provider may send it again.
        assert provider.deliver("+15555550143", "STOP").status_code == 503
