"""Sending requests, reading answers, telling problems. Written by hand; the rest is generated."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

T = TypeVar("T")
_RETRIED = frozenset({429, 503})
# A longer wait is for the caller to decide.
_LONGEST_WAIT_SECONDS = 30.0


class Problem(Exception):
    """Problem details of a failed request (RFC 9457). `kind` is the last part of its type."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {body.get('detail') or body.get('title') or 'no explanation'}")
        self.status = status
        self.body = body

    @property
    def kind(self) -> str:
        return str(self.body.get("type", "")).rpartition("/")[2]

    @property
    def errors(self) -> list[dict[str, str]]:
        """Each wrong input with the rule it breaks."""
        return list(self.body.get("errors") or [])


class Transport:
    """Requests to one service. Takes an `httpx.Client` of one's own, for proxies, headers or
    tests."""

    def __init__(
        self,
        base_url: str,
        *,
        client: httpx.Client | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Prepare requests. `retries`: how often a read is tried again after 429 or 503, as
        `Retry-After` says.
        """
        self.base_url = base_url.rstrip("/")
        self._client = client or httpx.Client(timeout=timeout, follow_redirects=True)
        self._retries = retries
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        into: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        """Send one request. `into` fills the path. Raises Problem for a status of 400 or more."""
        for name, value in (into or {}).items():
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        parameters = {
            name: _text(value) for name, value in (query or {}).items() if value is not None
        }
        header_fields = {
            name: str(value) for name, value in (headers or {}).items() if value is not None
        }
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            header_fields["Content-Type"] = "application/json"
        attempts = self._retries if method == "GET" else 0
        while True:
            answer = self._client.request(
                method,
                self.base_url + path,
                params=parameters,
                headers=header_fields,
                content=content,
                data=form,
            )
            if answer.status_code not in _RETRIED or not attempts:
                break
            attempts -= 1
            self._sleep(min(_seconds(answer), _LONGEST_WAIT_SECONDS))
        if answer.status_code >= 400:
            raise Problem(answer.status_code, _problem(answer))
        return answer

    def read(self, answer: httpx.Response, shape: Any) -> Any:
        """Return the answer as its struct; the bytes when it is no JSON."""
        if (
            "json" not in answer.headers.get("content-type", "")
            or "ndjson" in answer.headers["content-type"]
        ):
            return answer.content
        return msgspec.json.decode(answer.content, type=shape)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(part) for part in value)
    return str(value)


def _seconds(answer: httpx.Response) -> float:
    text = answer.headers.get("retry-after", "1")
    return float(text) if text.isdigit() else 1.0


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(answer.content)
    except msgspec.DecodeError:
        return {"detail": answer.text[:200]}
    return body if isinstance(body, dict) else {"detail": str(body)[:200]}
