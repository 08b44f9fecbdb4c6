"""Anonymous votes: three addresses against forty pantries."""

import re

import httpx

from faults.ground import Ground
from faults.outcome import Outcome
from faults.table import fault
from tests.support.reviewers import COOKIE, csrf, session_token
from warehouse.operations.engine import open_store
from warehouse.operations.feedback import PLACES_A_DAY

_PANTRIES = range(300, 340)
_ADDRESSES = ("198.51.100.1", "198.51.100.2", "2001:db8:7::1")


def _vote(client: httpx.Client) -> int:
    """Return how many votes were not stored."""
    refusals = 0
    for pantry in _PANTRIES:
        for address in _ADDRESSES:
            answer = client.post(
                "/api/feedback",
                json={"type": "closed", "resource_id": pantry},
                headers={"X-Forwarded-For": address},
            )
            refusals += answer.status_code != 202
    return refusals


def _count_missing_and_doubts(client: httpx.Client) -> tuple[int, int]:
    """Return the number of unlisted pantries and the number with a doubt."""
    answers = [client.get(f"/api/resources/{pantry}") for pantry in _PANTRIES]
    records = [answer.json() for answer in answers if answer.status_code == 200]
    return len(answers) - len(records), sum(record["doubt"] is not None for record in records)


def _discard_networks(client: httpx.Client) -> set[int]:
    """Discard the votes of every network that the console shows; return the status codes."""
    page = client.get("/admin/feedback").text
    networks = set(re.findall(r"network=([0-9a-f]{64})", page))
    token = csrf(page)
    forms = [
        {"csrf": token, "action": "discard_network", "network": network} for network in networks
    ]
    return {client.post("/admin/feedback", data=form).status_code for form in forms}


@fault("a wave of votes: three addresses against forty pantries", group="clients", quick=True)
def send_wave_of_votes(ground: Ground) -> Outcome:
    """No pantry may disappear, a network's votes beyond its places of a day are refused, and
    discarding the networks undoes every effect of their votes."""
    store = open_store(ground.store_url)
    token = session_token(store)
    store.close()
    trusting = {"LARDER_TRUSTED_PROXIES": "127.0.0.1", "LARDER_LIMITS": "on"}
    with (
        ground.service(**trusting) as service,
        ground.load(service.food, writes=False) as load,
        httpx.Client(base_url=service.food, timeout=40, follow_redirects=True) as client,
    ):
        refusal_count = _vote(client)
        missing_count, doubt_count = _count_missing_and_doubts(client)
        client.cookies.set(COOKIE, token, path="/admin")
        discard_statuses = _discard_networks(client)
        missing_after, doubts_after = _count_missing_and_doubts(client)
        again = client.post(
            "/api/feedback",
            json={"type": "closed", "resource_id": 300},
            headers={"X-Forwarded-For": "203.0.113.9"},
        ).json()
    expectations = {
        "votes beyond the limit refused": refusal_count
        == len(_ADDRESSES) * (len(_PANTRIES) - PLACES_A_DAY),
        "nothing gone": missing_count == missing_after == 0,
        "no more doubted than a day allows": doubt_count == PLACES_A_DAY,
        "discarded": discard_statuses == {200} and doubts_after == 0,
        "discarded votes count no longer": again["effects"] == ["counted"],
    }
    text = (
        f"{len(_PANTRIES) * len(_ADDRESSES)} votes that {len(_PANTRIES)} pantries are closed: "
        f"{refusal_count} refused, {missing_count} gone, {doubt_count} doubted; "
        "discarded by network"
    )
    return ground.outcome(
        load, text, unmet=[name for name, is_met in expectations.items() if not is_met]
    )
