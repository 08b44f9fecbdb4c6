"""A mail server that accepts connections and never answers, while people make claims."""

import statistics
import threading
import time

import httpx

from faults.ground import Ground
from faults.load import PATIENCE_SECONDS, Exchange
from faults.outcome import Outcome
from faults.table import fault
from tests.support.mail_catcher import mail_server
from tests.support.processes import comes_true

_CLAIMS = range(300, 330)
_ROUNDS = 3
# A read waited if it is slower by more than this and by this factor.
_SLOWER_SECONDS, _TIMES_SLOWER = 2.0, 10
READS = (
    "/",
    "/es/",
    "/search?q=10002",
    "/urgent?q=10002",
    "/place/101",
    "/releases",
    "/claim?id=101",
    "/pantry/101/poster",
    "/api/resources/search?zip=10002",
    "/api/resources/nearby?lat=40.72&lng=-73.98",
    "/api/resources/urgent?zip=10002",
    "/api/resources/counts?zip=10002",
    "/api/resources/101",
    "/api/resources/101/status",
    "/api/resources/types",
    "/api/resources/bulk?limit=10",
    "/api/autocomplete?q=New",
    "/api/stats",
    "/api/llm-search?q=food+in+10002",
    "/api/pantry/search?zip=10002",
    "/api/pantry/101/status",
    "/api/releases",
    "/atlas.json",
)


def _ask(client: httpx.Client, method: str, path: str, **arguments: object) -> Exchange:
    began = time.monotonic()
    status, problem, headers = None, "", httpx.Headers()
    try:
        answer = client.request(method, path, **arguments)  # type: ignore[arg-type]
        status, headers = answer.status_code, answer.headers
        problem = "" if status < 400 else answer.text[:200]
    except httpx.TransportError as error:
        problem = repr(error)
    return Exchange(
        method,
        path,
        began,
        time.monotonic() - began,
        status,
        problem,
        headers.get("x-release"),
        headers.get("retry-after"),
    )


def _read_all(address: str) -> list[Exchange]:
    with httpx.Client(base_url=address, timeout=PATIENCE_SECONDS) as client:
        return [_ask(client, "GET", path) for _ in range(_ROUNDS) for path in READS]


def _claim_all(address: str, answers: list[Exchange]) -> None:
    with httpx.Client(base_url=address, timeout=PATIENCE_SECONDS) as client:
        for number in _CLAIMS:
            body = {"resource_id": number, "operator_email": f"op-{number}@pantry.example"}
            answers.append(_ask(client, "POST", "/api/pantry/claim", json=body))


def _counts_of(reads: list[Exchange]) -> str:
    seconds = [a.seconds for a in reads]
    return (
        f"median {statistics.median(seconds) * 1000:.0f} ms, slowest {max(seconds) * 1000:.0f} ms"
    )


@fault("a mail server that accepts and says nothing", group="mail")
def silence_mail_server(ground: Ground) -> Outcome:
    with mail_server(is_silent=True) as mails, ground.service(LARDER_SMTP_URL=mails.url) as service:
        _read_all(service.food)  # later requests reuse the first answers
        quiet = _read_all(service.food)
        claims: list[Exchange] = []
        claiming = threading.Thread(target=_claim_all, args=[service.food, claims])
        claiming.start()
        reads = _read_all(service.food)
        claiming.join()
        silent_count = mails.silent_connections
        reads += _read_all(service.food)
        before = len(mails.messages)
        mails.speaks.set()
        back = time.monotonic()
        is_delivered = comes_true(lambda: len(mails.messages) >= len(_CLAIMS), seconds=180)
        delay = time.monotonic() - back
    recipients = [m.recipients[0] for m in mails.messages]
    losses = [a for a in [*reads, *claims] if not a.is_good]
    for each in losses[:50]:
        print("lost:", each, flush=True)
    most = max(_SLOWER_SECONDS, _TIMES_SLOWER * max(a.seconds for a in quiet))
    slow_reads = [a for a in reads if a.seconds > most]
    unmet = [f"{a.path} waited {a.seconds:.1f} s" for a in slow_reads]
    if not silent_count or before:
        unmet.append("the server was not silent")
    text = (
        f"{len(claims)} claims, the slowest after {max(a.seconds for a in claims):.1f} s; "
        f"{len(READS)} addresses read meanwhile: {_counts_of(reads)} (before: "
        f"{_counts_of(quiet)}); back, it had all messages after {delay:.0f} s"
    )
    if losses:
        text += (
            f"; first lost: {losses[0].method} {losses[0].path} {losses[0].status} "
            f"{losses[0].fault[:120]}"
        )
    if unmet:
        text += f"; NOT MET: {'; '.join(unmet[:5])}"
    missing = len(_CLAIMS) - len(set(recipients))
    twice = len(recipients) - len(set(recipients))
    request_count = len(quiet) + len(reads) + len(claims)
    return Outcome(
        text, request_count, len(losses) + len(unmet), (missing if not is_delivered else 0) + twice
    )
