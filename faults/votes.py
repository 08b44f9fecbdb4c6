"""Anonymous votes: three addresses against forty pantries."""

import re

import httpx

from faults.ground import Ground
from faults.outcome import Outcome
from faults.table import fault
from tests.support.reviewers import COOKIE, csrf, session_token
from warehouse.operations.engine import open_store

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


def _discard(client: httpx.Client, **fields: str) -> int:
    form = {"csrf": csrf(client.get("/admin/feedback").text), "action": "discarded", **fields}
    return client.post("/admin/feedback", data=form).status_code


@fault("a wave of votes: three addresses against forty pantries", group="clients", quick=True)
def send_wave_of_votes(ground: Ground) -> Outcome:
    """No pantry may disappear, one item may wait for review, and discarding it must undo every
    effect of the votes."""
    store = open_store(ground.store_url)
    token = session_token(store)
    store.close()
    trusting = {"LARDER_TRUSTED_PROXIES": "127.0.0.1"}
    with (
        ground.service(**trusting) as service,
        ground.load(service.food, writes=False) as load,
        httpx.Client(base_url=service.food, timeout=40, follow_redirects=True) as client,
    ):
        refusal_count = _vote(client)
        missing_count, doubt_count = _count_missing_and_doubts(client)
        client.cookies.set(COOKIE, token, path="/admin")
        page = client.get("/admin/feedback").text
        items = re.findall(r"<h3>(.*?)</h3>", page)
        discard_status = _discard(client, wave="1", reason="a bot")
        missing_after, doubts_after = _count_missing_and_doubts(client)
        again = client.post(
            "/api/feedback",
            json={"type": "closed", "resource_id": 300},
            headers={"X-Forwarded-For": "203.0.113.9"},
        ).json()
    expectations = {
        "every vote stored": not refusal_count,
        "nothing gone": missing_count == missing_after == 0,
        "nothing doubted": doubt_count == doubts_after == 0,
        "one item": items == ["Wave 1: 120 votes on 40 places"],
        "discarded": discard_status == 200,
        "discarded votes count no longer": again["effects"] == ["counted"],
    }
    text = (
        f"{len(_PANTRIES) * len(_ADDRESSES)} votes that {len(_PANTRIES)} pantries are closed: "
        f"{missing_count} gone, {doubt_count} doubted, one item to review ({', '.join(items)}); "
        "discarded as a whole"
    )
    return ground.outcome(
        load, text, unmet=[name for name, is_met in expectations.items() if not is_met]
    )
