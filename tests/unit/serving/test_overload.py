"""Overload: admitted and refused requests, and bounds on long and slow bodies."""

import asyncio
import time

import pytest

from serving.http import request_limits as bodies
from serving.http.admission import READ, REFUSED, WRITE, AdmissionControl
from serving.http.errors import ServiceProblem
from tests.support.clients import open_client
from tests.support.metrics import metrics_of
from tests.support.town import NEW_YORK


def entries(admission, requests, *, each=0.0, leaves=True):
    """Return the outcome of requests of one loop turn that take `each` seconds."""

    async def turn():
        statuses, now = [], time.perf_counter()
        for method, path in requests:
            statuses.append(admission.enter(method, path, now))
            now += each
            if leaves and statuses[-1] != REFUSED:
                admission.leave(statuses[-1])
        await asyncio.sleep(0)
        return statuses

    return asyncio.run(turn())


def test_a_crowd_waits_so_long_and_no_longer():
    admission = AdmissionControl(0, 1.0)
    statuses = entries(admission, [("GET", "/api/resources/101")] * 100, each=0.015)
    assert statuses == [READ] * 67 + [REFUSED] * 33
    assert admission.refusals == {"wait": 33, "reads": 0, "writes": 0}
    # The next turn begins anew.
    assert entries(admission, [("GET", "/")] * 10) == [READ] * 10


def test_requests_of_one_loop_turn_do_not_count_as_running(client):
    """On a slow machine the last of them may have waited too long, which is another matter."""
    admission = client.app.state["context"].admission
    refusals, statuses = admission.refusals["reads"], []
    query = f"lat={NEW_YORK[0]}&lng={NEW_YORK[1]}&mode=free"

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def ask():
        scopes = [scope_of("GET", "/api/resources/nearby", {}, query) for _ in range(400)]
        await asyncio.gather(*(client.app(scope, receive, send) for scope in scopes))

    with client.portal() as portal:
        portal.call(ask)
    assert (admission.refusals["reads"], len(statuses), statuses[0]) == (refusals, 400, 200)


def test_a_short_pause_refuses_nothing():
    assert entries(AdmissionControl(0, 1.0), [("GET", "/")] * 20, each=0.5) == [READ] * 20


def test_a_queue_that_lasts_is_cut_short(monkeypatch):
    monkeypatch.setattr("serving.http.admission._LASTING_SECONDS", 0.3)
    admission = AdmissionControl(0, 0.5)
    burst = [("GET", "/")] * 40
    assert entries(admission, burst, each=0.01) == [READ] * 40

    async def stand(seconds):
        """Keep every turn of the loop longer than it should be."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            admission.leave(admission.enter("GET", "/", time.perf_counter()))
            time.sleep(0.03)
            await asyncio.sleep(0)

    asyncio.run(stand(0.5))
    statuses = entries(admission, burst, each=0.01)
    assert statuses == [READ] * 32 + [REFUSED] * 8
    # One short turn is no sign of relief; a second without a long one is.
    entries(admission, [("GET", "/")])
    assert REFUSED in entries(admission, burst, each=0.01)
    time.sleep(1.1)
    assert REFUSED not in entries(admission, burst, each=0.01)


def test_monitoring_is_always_answered():
    requests = [*[("GET", "/")] * 60, ("GET", "/api/health"), ("GET", "/api/health/deep")]
    assert entries(AdmissionControl(0, 1.0), requests, each=0.1)[-2:] == [READ] * 2
    full = AdmissionControl(2, 0)
    assert entries(full, [("GET", "/")] * 3, leaves=False) == [READ, READ, REFUSED]
    assert entries(full, [("GET", "/api/health")]) == [READ]


def test_writes_that_hang_leave_room_for_reads():
    admission = AdmissionControl(2, 1.0)
    statuses = entries(admission, [("POST", "/a")] * 3 + [("GET", "/")] * 2, leaves=False)
    assert statuses == [WRITE, WRITE, REFUSED, READ, READ]
    assert admission.refusals["writes"] == 1
    admission.leave(WRITE)
    assert entries(admission, [("POST", "/a")]) == [WRITE]


def test_nothing_is_refused_without_limits():
    assert (
        entries(AdmissionControl(0, 0), [("GET", "/")] * 500, each=1.0, leaves=False)
        == [READ] * 500
    )


def test_the_longest_turn_is_reported_once():
    admission = AdmissionControl(0, 0)

    async def turn():
        admission.enter("GET", "/", time.perf_counter() - 3)
        await asyncio.sleep(0)

    asyncio.run(turn())
    assert 3 <= admission.take_longest_wait() < 60
    assert admission.take_longest_wait() == 0


def test_a_refusal_has_retry_after(town, tmp_path):
    with open_client(
        town,
        operations_file=str(tmp_path / "o.sqlite"),
        max_concurrent_requests=1,
        log_level="critical",
    ) as client:
        admission = client.app.state["context"].admission
        admission.under_way[READ] = 1
        answer = client.get("/api/resources/101")
        assert answer.status_code == 503
        assert 2 <= int(answer.headers["retry-after"]) <= 5
        assert answer.json()["type"].endswith("/problems/overloaded")
        assert answer.headers["x-release"]
        assert client.get("/api/health").status_code == 200
        assert 'larder_requests_refused_total{reason="reads"} 1.0' in metrics_of(client)
        admission.under_way[READ] = 0
        assert client.get("/api/resources/101").status_code == 200
        # Every kind of end leaves: found, not found, refused, a stream, a mistake.
        for path in ("/", "/none", "/api/resources/export?format=csv", "/api/resources/search"):
            client.get(path)
            client.head(path)
        client.post("/api/submissions", content=b"{")
        assert admission.under_way == [0, 0]


WRITES = [
    "/api/submissions",
    "/api/feedback",
    "/api/partner/edit",
    "/api/pantry/claim",
    "/api/pantry/status",
    "/api/snap/calculate",
    "/api/sms",
    "/mcp",
    "/add",
    "/claim",
    "/admin/sign-in",
    "/none",
]


@pytest.mark.parametrize("path", WRITES)
def test_a_declared_long_body_is_refused_unread(client, path):
    status, body, byte_count = posted(client, path, {"content-length": "10000000000"})
    assert status == 413
    assert b"/problems/too-large" in body
    assert byte_count == 0


@pytest.mark.parametrize("path", WRITES)
def test_an_endless_body_is_refused_at_the_limit(client, path):
    status, _, byte_count = posted(client, path, {"transfer-encoding": "chunked"})
    # What refuses for another reason before it reads may say so.
    assert status == 413 or (status in {400, 403, 404} and byte_count == 0)
    assert byte_count <= bodies.MAX_BYTES + 10_000


def posted(client, path, headers):
    """Return status and body of the answer to an endless POST, and the number of bytes read."""
    byte_count, events = 0, []

    async def receive():
        nonlocal byte_count
        byte_count += 10_000
        return {"type": "http.request", "body": b"x" * 10_000, "more_body": True}

    async def send(message):
        events.append(message)

    kind = "json" if path.startswith(("/api/", "/mcp")) else "x-www-form-urlencoded"
    headers = {"content-type": f"application/{kind}", **headers}
    with client.portal() as portal:
        portal.call(client.app, scope_of("POST", path, headers), receive, send)
    return events[0]["status"], events[1]["body"], byte_count


def scope_of(method, path, headers, query=""):
    """Return a request in the server's form."""
    headers = {"host": "127.0.0.1:8000", **headers}
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        "state": {},
        "extensions": {},
    }


def test_a_slow_body_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(bodies, "MAX_SECONDS", 0.05)

    admission = AdmissionControl(1, 0)
    admission.under_way[WRITE] = 1  # it was let in
    statuses = []

    async def never():
        statuses.append(admission.under_way[WRITE])
        await asyncio.Event().wait()

    async def read():
        await bodies.limit_receive(never, admission)()

    with pytest.raises(ServiceProblem) as problem:
        asyncio.run(read())
    assert problem.value.kind == "too-slow"
    assert (statuses, admission.under_way[WRITE]) == ([0], 1)


def test_a_binary_or_truncated_body_is_refused(client):
    answer = client.post(
        "/api/feedback", content=b'{"type":"\xff"}', headers={"content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()["detail"]) == (400, "The body is not UTF-8.")

    async def gone():
        return {"type": "http.disconnect"}

    async def read():
        await bodies.limit_receive(gone, AdmissionControl(0, 0))()

    with pytest.raises(ServiceProblem, match="is incomplete"):
        asyncio.run(read())


def test_the_end_of_a_connection_may_be_waited_for(monkeypatch):
    """Streaming answers wait for disconnection after the last piece."""
    monkeypatch.setattr(bodies, "MAX_SECONDS", 0.01)
    messages = [{"type": "http.request", "body": b"x"}, {"type": "http.disconnect"}]

    async def receive():
        if len(messages) == 1:
            await asyncio.sleep(0.05)
        return messages.pop(0)

    async def read():
        bounded = bodies.limit_receive(receive, AdmissionControl(0, 0))
        return [(await bounded())["type"], (await bounded())["type"]]

    assert asyncio.run(read()) == ["http.request", "http.disconnect"]
