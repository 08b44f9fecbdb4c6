"""Searching for a crowd that asks in one turn of the event loop."""

import asyncio

from tests.support.town import NEW_YORK


def test_a_crowd_in_one_turn_is_not_taken_for_work_under_way(client):
    """On a slow machine the last of them may have waited too long, which is another matter."""
    gate = client.app.state["context"].gate
    refused = gate.refused["reads"]
    query = f"lat={NEW_YORK[0]}&lng={NEW_YORK[1]}&mode=free".encode()
    path = "/api/resources/nearby"
    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def ask():
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "headers": [(b"host", b"127.0.0.1")],
            "extensions": {},
        }
        await asyncio.gather(
            *(client.app({**scope, "state": {}}, receive, send) for _ in range(400))
        )

    with client.portal() as portal:
        portal.call(ask)
    assert (gate.refused["reads"], len(statuses), statuses[0]) == (refused, 400, 200)
