"""Where nothing is listed within 50 miles, every answer begins with contacts of the area."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest

from schemas.api.area_help import AreaHelp
from schemas.vocab.states import STATES
from tests.support.clients import Client, open_client
from tests.support.town import write_town, zips

BANK, FINDER, PHONE = "Example Food Bank", "https://bank.example.org/find", "(307) 555-0100"
# Whom it serves, and the only listed place with free food around: some 90 miles away.
ZIP, FAR = "82401", "Far Pantry"
_SIDS = itertools.count(1)


def area_of(client, path: str) -> AreaHelp | None:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return msgspec.convert(answer.json()["area_help"], AreaHelp | None)


@pytest.fixture
def nearby(town: Path, tmp_path: Path) -> Iterator[Client]:
    """A client on loopback, from which the demo accepts unsigned text messages."""
    operations = str(tmp_path / "operations.sqlite")
    with open_client(town, peer="127.0.0.1", operations_file=operations) as client:
        yield client


def sms(client, body: str) -> str:
    form = {
        "MessageSid": f"SM{next(_SIDS):032d}",
        "From": "+15550009999",
        "To": "+15555550199",
        "Body": body,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return str(client.post("/api/sms", content=urlencode(form), headers=headers).text)


FAR_SEARCHES = [
    f"/api/resources/search?zip={ZIP}",
    f"/api/resources/search?zip={ZIP}&mode=free&radius=10",
    f"/api/resources/search?zip={ZIP}&mode=free&no_id=true",
    f"/api/resources/search?zip={ZIP}&sort=relevance",
    "/api/resources/search?zip=Worland,%20WY&type=food_pantry",
    "/api/resources/nearby?lat=44.0&lng=-107.5&radius=40",
    f"/api/resources/urgent?zip={ZIP}",
    f"/api/llm-search?q=food+{ZIP}",
    f"/api/llm-search?q=tengo+hambre+{ZIP}",
]


@pytest.mark.parametrize("path", FAR_SEARCHES)
def test_an_answer_without_near_places_has_contacts(client, path: str) -> None:
    area = area_of(client, path)
    assert area is not None
    assert [area.zip, area.state, area.has_free_food_list] == [ZIP, "WY", True]
    assert "50 miles" in area.message.en
    assert "50 millas" in area.message.es
    kinds = [contact.kind for contact in area.contacts]
    assert kinds == ["food_bank", "help_line", "food_program", "wic"]
    bank = area.contacts[0]
    assert [bank.name, bank.phone, bank.url, bank.as_of] == [BANK, PHONE, FINDER, "2026-05-12"]
    assert area.contacts[2].url
    assert area.contacts[2].phone


@pytest.mark.parametrize(
    "path",
    [
        "/api/resources/search?zip=10002",
        "/api/resources/search?zip=10002&mode=free&page=900",
        "/api/resources/nearby?lat=40.7157&lng=-73.9863&radius=0",
        "/api/resources/urgent?zip=10002&radius=0",
        "/api/llm-search?q=food+10002",
        "/api/llm-search?q=apply+for+wic+82401",
    ],
)
def test_an_answer_with_near_food_has_no_contacts(client, path: str) -> None:
    assert area_of(client, path) is None


def test_a_state_without_a_list_is_called_so(client) -> None:
    area = area_of(client, "/api/resources/search?zip=Salem,%20OR")
    assert area is not None
    assert not area.has_free_food_list
    assert "We have no list of pantries for Oregon yet." in area.message.en
    assert "Todavía no tenemos una lista de despensas de Oregón." in area.message.es
    assert "food_bank" not in {contact.kind for contact in area.contacts}


def test_a_shop_nearby_is_no_free_food(client) -> None:
    """Of all kinds of places only those with free food count; a search for shops names shops."""
    near, far = (f"/api/resources/search?zip={code}&mode=snap" for code in ("10002", ZIP))
    assert area_of(client, near) is None
    area = area_of(client, far)
    assert area is not None
    assert area.message.en.startswith("We list no SNAP office and no store that takes EBT")
    both = area_of(client, f"/api/resources/search?zip={ZIP}&type=snap_retailer,food_pantry")
    assert both is not None
    assert both.message.en.startswith("We list no free food within 50 miles")


@pytest.mark.parametrize(
    ("question", "head", "bank"),
    [
        (
            f"food {ZIP}",
            "We list no free food within 50 miles of 82401.",
            f"{BANK}, the food bank for 82401: call {PHONE} or go to {FINDER} (as of May 12, 2026).",
        ),
        (
            f"tengo hambre {ZIP}",
            "No tenemos comida gratis en la lista a menos de 50 millas de 82401.",
            f"{BANK}, el banco de alimentos de 82401: llame al {PHONE} o vaya a {FINDER} (al 12 de mayo de 2026).",
        ),
    ],
)
def test_plain_language_begins_with_the_food_bank(client, question, head, bank) -> None:
    text = client.get("/api/llm-search", params={"q": question}).json()["answer"]
    assert text.startswith(head)
    assert text.index(bank) < text.index("211") < text.index("SNAP") < text.index("WIC")
    assert FAR not in text, "nobody asked for a place so far away"


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        (
            ZIP,
            [
                "We list no free food within 50 miles of 82401.",
                f"Your food bank: {BANK}, call {PHONE}",
                "211",
            ],
        ),
        (
            f"COMIDA {ZIP}",
            [
                "No tenemos lugares con comida gratis",
                f"Su banco de alimentos: {BANK}, llame al {PHONE}",
                "211",
            ],
        ),
    ],
)
def test_a_text_message_begins_with_the_food_bank(nearby, body, parts) -> None:
    text = sms(nearby, body)
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    if FAR in text:
        assert text.index(FAR) > places[-1]
        assert "mi" in text[text.index(FAR) :]


@pytest.mark.parametrize(
    "path",
    ["/search", "/es/search", "/urgent", "/es/urgent", "/embed/widget", "/embed/widget?lang=es"],
)
def test_pages_begin_with_the_food_bank(client, path) -> None:
    address = f"{path}{'&' if '?' in path else '?'}zip="
    text = client.get(address + ZIP).text
    assert f'<a href="{FINDER}"' in text
    assert '<a href="tel:+13075550100">' in text
    assert text.index(BANK) < text.index('<a href="tel:211">', text.index(BANK))
    assert FAR not in text, "nobody asked for a place so far away"
    assert "Second Food Bank" not in client.get(f"{address}10002").text


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a directory with a ZIP code in every state and territory, far from any food."""
    folder = tmp_path_factory.mktemp("everywhere")
    row = zips()[0]
    codes = [
        {**row, "zip": code, "state": state, "lat": 33.0, "lng": -160.0 + number / 2}
        for code, (number, state) in zip(EVERY_ZIP, enumerate(STATES), strict=True)
    ]
    write_town(folder, zips=codes)
    operations = str(folder / "operations.sqlite")
    with open_client(folder, operations_file=operations) as client:
        yield client


EVERY_ZIP = [f"{70001 + number}" for number in range(len(STATES))]


@pytest.mark.parametrize(
    "path", ["/api/resources/search?zip={}", "/api/resources/urgent?zip={}", "/api/llm-search?q={}"]
)
def test_every_state_and_territory_has_contacts(everywhere, path: str) -> None:
    for code, state in zip(EVERY_ZIP, STATES, strict=True):
        area = area_of(everywhere, path.format(code))
        assert area is not None
        serves = {c.kind: c.serves and (c.serves.kind, c.serves.code) for c in area.contacts}
        assert serves["help_line"] == ("nation", "US")
        assert serves["food_program"] == ("state", state)


def test_a_point_far_from_any_zip_code_has_the_program_of_its_state(everywhere) -> None:
    area = area_of(everywhere, "/api/resources/nearby?lat=30.5&lng=-160&radius=40")
    assert area is not None
    assert [area.zip, area.state] == [None, next(iter(STATES))]


def test_the_name_of_a_food_bank_is_answered_with_it(client) -> None:
    text = client.get("/api/llm-search", params={"q": f"{BANK} phone"}).json()["answer"]
    assert text.startswith(
        f"{BANK}, a food bank that knows the pantries of its area: call {PHONE} or go to {FINDER}"
    )
    page = client.get("/es/search", params={"q": BANK})
    assert "un banco de alimentos que conoce las despensas de su zona" in page.text
    assert FINDER in page.text


@pytest.mark.parametrize(("place", "is_led"), [(ZIP, True), ("10002", False)])
def test_only_a_food_bank_of_the_area_is_named(client, place, is_led) -> None:
    text = client.get("/api/llm-search", params={"q": f"{BANK}, {place}"}).json()["answer"]
    assert (f"{BANK}, a food bank that knows" in text) is is_led
