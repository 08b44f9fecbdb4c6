"""Webhooks over the API: register an address, look after it, delete it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Litestar, delete, get, post
from litestar.params import HeaderParameter, JSONBody, PathParameter
from litestar.types import Scope

from schemas.api import webhooks as api
from schemas.descriptions import describe_members
from schemas.values.instants import instant_text
from serving.context import Context, context_of
from serving.http.answers import Answer, json_answer, private
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.rate_limits import enforce_limit, store_problems
from serving.notifications.webhook_posts import can_post, guard_of
from serving.webhooks.announcing import Announcer
from serving.webhooks.topics import members, topic_of
from warehouse.operations import outbox, webhooks
from warehouse.operations.claims import UnknownTokenError
from warehouse.operations.webhooks import HostFullError
from warehouse.operations.webhooks import Webhook as StoredWebhook

_PATH = "/api/webhooks"
CHALLENGES_AN_HOUR = 10
_TAGS = ["webhooks"]
# Of the addresses of one webhook, which take its token.
_WITH_TOKEN: dict[str, Any] = {"tags": _TAGS, "status_code": 200, "security": [{"bearer": []}]}
WebhookId = Annotated[int, PathParameter(ge=1, le=2**31 - 1, description="Number of the webhook.")]
Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", description="`Bearer <token>` of the webhook."),
]


@post(
    _PATH,
    tags=_TAGS,
    status_code=200,
    summary="Register an address for events",
    responses=answers(api.WebhookSecrets, "The webhook, its token and secret.", 404, 410, 429),
)
async def create_webhook(scope: Scope, data: JSONBody[api.NewWebhook]) -> Answer:
    """Register an address for changes of a place, a ZIP code or a state.

    It is `pending` until it has answered a challenge, which is sent at once and retried for two
    minutes. Token and secret are shown only here. At most ten an hour from one client.
    """
    context, release = _context(scope), release_of(scope)
    topic, (url, host) = topic_of(release, data), _receiver(context, data.url)
    await enforce_limit(scope, "webhooks", CHALLENGES_AN_HOUR, 3600)
    log = await asyncio.to_thread(context.watch.store.log.readable_entries)
    sequence, now, store = log[-1].sequence if log else 0, datetime.now(UTC), context.store

    def work(db: Any) -> api.WebhookSecrets:
        hook, token = webhooks.create(db, url, host, topic, now, sequence)
        return _with_secrets(db, hook, token)

    async with store_problems():
        try:
            secrets = await store.transact(work)
        except HostFullError:
            rule = f"{webhooks.MAX_PER_HOST} webhooks lead to this host already"
            raise invalid("url", rule) from None
    context.courier.wake()
    return private(json_answer(secrets, 0))


@get(
    f"{_PATH}/{{webhook_id:int}}",
    summary="State of a webhook",
    **_WITH_TOKEN,
    responses=answers(api.WebhookAnswer, "The webhook.", 401, 404),
)
async def get_webhook(
    scope: Scope, webhook_id: WebhookId, authorization: Authorization = None
) -> Answer:
    """Return a webhook: whether it is active, how much is waiting, and the last fault."""
    context, token = _context(scope), _token(authorization)

    def work(db: Any) -> api.WebhookAnswer:
        return api.WebhookAnswer(True, _webhook(db, webhooks.by_token(db, webhook_id, token)))

    async with _problems():
        return private(json_answer(await context.store.fetch(work), 0))


@post(
    f"{_PATH}/{{webhook_id:int}}/verify",
    summary="Send the challenge again",
    **_WITH_TOKEN,
    responses=answers(api.WebhookAnswer, "The webhook.", 401, 404, 429),
)
async def verify_webhook(
    scope: Scope, webhook_id: WebhookId, authorization: Authorization = None
) -> Answer:
    """Send the challenge to a pending or disabled address, or the waiting messages to an active
    one.

    At most ten an hour from one client, registrations included.
    """
    context = _context(scope)
    await enforce_limit(scope, "webhooks", CHALLENGES_AN_HOUR, 3600)

    def again(db: Any, hook: StoredWebhook, now: datetime) -> api.WebhookAnswer:
        return api.WebhookAnswer(True, _webhook(db, webhooks.verify_again(db, hook, now)))

    answer = await _change_webhook(context, webhook_id, authorization, again)
    context.courier.wake()
    return answer


@post(
    f"{_PATH}/{{webhook_id:int}}/rotate",
    summary="Get a new secret and token",
    **_WITH_TOKEN,
    responses=answers(api.WebhookSecrets, "The new secret and token.", 401, 404),
)
async def rotate_webhook(
    scope: Scope, webhook_id: WebhookId, authorization: Authorization = None
) -> Answer:
    """Exchange secret and token. The old token stops working at once; for 24 hours deliveries are
    signed with both secrets."""
    context = _context(scope)

    def exchange(db: Any, hook: StoredWebhook, now: datetime) -> api.WebhookSecrets:
        return _with_secrets(db, *webhooks.rotate(db, hook, now))

    return await _change_webhook(context, webhook_id, authorization, exchange)


@delete(
    f"{_PATH}/{{webhook_id:int}}",
    summary="Delete a webhook",
    **_WITH_TOKEN,
    responses=answers(api.WebhookRemoved, "The webhook is deleted.", 401, 404),
)
async def delete_webhook(
    scope: Scope, webhook_id: WebhookId, authorization: Authorization = None
) -> Answer:
    """Delete a webhook, its address and its waiting messages."""

    def delete_it(db: Any, hook: StoredWebhook, now: datetime) -> api.WebhookRemoved:
        webhooks.remove(db, hook, hook.name, now)
        return api.WebhookRemoved(True)

    return await _change_webhook(_context(scope), webhook_id, authorization, delete_it)


async def _change_webhook(
    context: Context,
    webhook_id: int,
    authorization: str | None,
    change: Callable[[Any, StoredWebhook, datetime], msgspec.Struct],
) -> Answer:
    """Change the webhook of a token in one transaction; return the answer that `change` makes.
    Raises ServiceProblem (401, 404, 503).
    """
    token, now = _token(authorization), datetime.now(UTC)

    def work(db: Any) -> msgspec.Struct:
        return change(db, webhooks.by_token(db, webhook_id, token), now)

    async with _problems():
        return private(json_answer(await context.store.transact(work), 0))


def _context(scope: Scope) -> Context:
    """Return the context of a request. Raises ServiceProblem (503) if webhooks are off."""
    context = context_of(scope)
    if not can_post(context.settings):
        raise ServiceProblem(
            "not-set-up", "Webhooks are off here. Operators: set LARDER_WEBHOOKS to on."
        )
    return context


def _receiver(context: Context, text: str) -> tuple[str, str]:
    """Return an address and its host. Raises ServiceProblem (400)."""
    from warehouse.fetch.errors import RefusedAddressError  # noqa: PLC0415 - with the client
    from warehouse.fetch.posting import receiver_url  # noqa: PLC0415

    try:
        url = receiver_url(text, guard_of(context.settings))
    except RefusedAddressError as error:
        raise invalid("url", error.cause) from error
    return text, url.host


def _token(authorization: str | None) -> str:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        detail = "Send `Authorization: Bearer` with the token of the webhook."
        raise ServiceProblem("unauthorized", detail, headers=((b"www-authenticate", b"Bearer"),))
    return token.strip()


@contextlib.asynccontextmanager
async def _problems() -> AsyncIterator[None]:
    """Turn faults of the store and unknown tokens in the block into answers: 503 and 404."""
    async with store_problems():
        try:
            yield
        except UnknownTokenError:
            raise ServiceProblem("unknown-token", "Unknown webhook or token.") from None


def _with_secrets(db: Any, hook: StoredWebhook, token: str) -> api.WebhookSecrets:
    secret = webhooks.secret_of(db, hook, hook.secret_number)
    return api.WebhookSecrets(True, _webhook(db, hook), token, secret)


def _webhook(db: Any, hook: StoredWebhook) -> api.Webhook:
    instants = ("verified_at", "rotated_at", "delivered_at", "failing_since", "disabled_at")
    times: dict[str, Any] = {
        name: None if (at := getattr(hook, name)) is None else instant_text(at) for name in instants
    }
    return api.Webhook(
        id=hook.webhook_id,
        url=hook.url,
        status=hook.state,  # type: ignore[arg-type]
        waiting=outbox.count_waiting(db, hook.name),
        created_at=instant_text(hook.created_at),
        fault=hook.fault,
        **members(hook.topic),
        **times,
    )


def describe(schema: dict[str, Any]) -> None:
    """Add the events to the description (OpenAPI 3.1, `webhooks`)."""
    shapes = [shape for shape, _ in api.EVENTS.values()]
    template = "#/components/schemas/{name}"
    refs, components = msgspec.json.schema_components(shapes, ref_template=template)
    describe_members(components)
    schema["components"]["schemas"] = components | schema["components"]["schemas"]
    schema["webhooks"] = {
        kind: {"post": _operation(kind, summary, ref)}
        for (kind, (_, summary)), ref in zip(api.EVENTS.items(), refs, strict=True)
    }


def _operation(kind: str, summary: str, data: dict[str, Any]) -> dict[str, Any]:
    body = {
        "type": "object",
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"const": kind},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": data,
        },
    }
    name = "".join(part.title() for part in kind.replace("_", ".").split("."))
    return {
        "operationId": f"on{name}",
        "summary": summary,
        "tags": _TAGS,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "2XX": {"description": "Taken."},
            "4XX": {"description": "Not taken: tried again. After 410 the webhook is deleted."},
        },
    }


@contextlib.asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Announce changes during the application's lifetime, if webhooks are on."""
    context: Context = app.state["context"]
    if can_post(context.settings):
        context.supervisor.start("announce_to_webhooks", Announcer(context).follow)
    yield


LIFESPANS = [lifespan]
