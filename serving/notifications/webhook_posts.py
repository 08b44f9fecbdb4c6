"""Delivers a message of the outbox to its webhook, signed by Standard Webhooks 1.0
(https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from serving.settings import API_VERSION, Settings
from warehouse.operations import outbox, webhooks
from warehouse.operations.engine import Store
from warehouse.operations.outbox import Message
from warehouse.operations.webhooks import Webhook

_OK, _GONE = range(200, 300), 410


class _Delivery(NamedTuple):
    hook: Webhook
    secrets: list[str]


def can_post(settings: Settings) -> bool:
    """Return whether webhooks are on."""
    return settings.webhooks != "off"


def guard_of(settings: Settings) -> Any:
    """Return the check of webhook addresses."""
    # Imported on use: a service without webhooks starts without the client.
    from warehouse.fetch.addresses import ReceiverGuard  # noqa: PLC0415

    ports = frozenset(int(port) for port in settings.webhook_ports.split(","))
    return ReceiverGuard(ports=ports, allow_loopback=settings.webhooks == "loopback")


async def deliver(store: Store, settings: Settings, message: Message) -> str:
    """Post a message once and settle it; return the fault, empty if it was accepted or is no longer
    wanted. Raises StoreUnavailableError: the lease then expires."""
    from warehouse.fetch.posting import PostFailedError, post  # noqa: PLC0415

    now = datetime.now(UTC)
    delivery = await store.transact(lambda db: _of_message(db, message, now))
    if delivery is None:
        return ""
    hook, body = delivery.hook, message.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"open-larder/{API_VERSION} (+{settings.url})",
        **sign_headers(f"msg_{outbox.message_name(message)}", body, delivery.secrets, now),
    }
    try:
        answer = await post(hook.url, headers, body, guard_of(settings))
    except PostFailedError as error:
        status, fault, retry_seconds = 0, str(error), 0.0
    else:
        status, fault, retry_seconds = answer.status, f"status {answer.status}", answer.retry_after
        if status in _OK:
            fault = (
                "" if _accepts_events(message, answer.body) else "the challenge was not answered"
            )
    await store.transact(
        lambda db: _settle(db, hook.webhook_id, message, status, fault, retry_seconds)
    )
    return fault


def sign_headers(name: str, body: bytes, secrets: Iterable[str], now: datetime) -> dict[str, str]:
    """Return the three headers of a delivery, with one signature for each secret."""
    stamp = str(int(now.timestamp()))
    content = f"{name}.{stamp}.".encode() + body
    signatures = [
        hmac.digest(base64.b64decode(s.removeprefix("whsec_")), content, hashlib.sha256)
        for s in secrets
    ]
    return {
        "webhook-id": name,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(f"v1,{base64.b64encode(s).decode()}" for s in signatures),
    }


def _of_message(db: Any, message: Message, now: datetime) -> _Delivery | None:
    """Return the webhook of a message; without one that takes it the message is deleted."""
    hook = webhooks.by_id(db, int(message.recipient))
    expected_state = "pending" if message.subject == webhooks.VERIFY else "active"
    if hook is None or hook.state != expected_state:
        outbox.drop(db, message)
        return None
    return _Delivery(hook, webhooks.secrets_in_use(db, hook, now))


def _accepts_events(message: Message, answer: bytes) -> bool:
    """Return whether the receiver wants events: it answers a challenge with
    `{"challenge": "..."}`."""
    if message.subject != webhooks.VERIFY:
        return True
    challenge = msgspec.json.decode(message.body)["data"]["challenge"]
    try:
        reply = msgspec.json.decode(answer, type=dict[str, Any])
    except (msgspec.DecodeError, ValueError):
        return False
    return bool(reply.get("challenge") == challenge)


def _settle(
    db: Any, webhook_id: int, message: Message, status: int, fault: str, retry_seconds: float
) -> None:
    now = datetime.now(UTC)
    hook = webhooks.by_id(db, webhook_id)
    if hook is None:
        return
    if status == _GONE:
        webhooks.remove(db, hook, hook.name, now)
    elif fault:
        webhooks.settle_undelivered(db, hook, message, fault, now, retry_seconds)
    else:
        webhooks.settle_delivered(db, hook, message, now)
