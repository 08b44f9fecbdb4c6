"""Text messages: the provider's webhook."""

import base64
import hashlib
import hmac
import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from xml.sax.saxutils import escape

from litestar import Request, post
from litestar.openapi import spec
from litestar.types import Scope

from serving.context import Context, context_of, current_release
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem
from serving.http.openapi import answers
from serving.http.rate_limits import store_problems
from serving.sms.message import Reply, is_reaction, keyword_of, reply_to
from serving.sms.replies import simple
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.sms import Exchange, Message, Wish, exchange

PATH = "/api/sms"
XML_TYPE = b"text/xml; charset=utf-8"
# A provider's request is some 1,000 bytes; a message at most 1,600 characters.
MAX_BYTES, _MAX_FIELDS = 65_536, 200
# Headers that a proxy adds: the connection is its own then, not the client's.
_FORWARDING = frozenset(
    [b"forwarded", b"via", b"x-real-ip", b"cf-connecting-ip", b"true-client-ip"]
)
# Values of OptOutType: the provider handled a keyword itself and sent its own reply.
_DONE = frozenset(["stop", "start", "help"])
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_FORM = {
    "MessageSid": "The provider's id of the message; the same request again gets the same reply.",
    "AccountSid": "The provider's id of the account.",
    "From": "Number of the sender, E.164.",
    "To": "Number that was written to.",
    "Body": (
        "The text: a ZIP code, `FOOD 10002`, `COMIDA 10002`, `Salem OR`, `SNAP 10002`, "
        "`WIC 10002`, STOP, START, HELP, ALTO, INICIAR, AYUDA."
    ),
    "OptOutType": "STOP, START or HELP if the provider handled the keyword itself; we stay silent.",
}


@dataclass
class SmsOperation(spec.Operation):
    """The webhook's form, which is read whole because its signature covers every field."""

    def __post_init__(self) -> None:
        fields: dict[str, spec.Reference | spec.Schema] = {
            name: spec.Schema(type=spec.OpenAPIType.STRING, description=text)
            for name, text in _FORM.items()
        }
        form = spec.Schema(
            type=spec.OpenAPIType.OBJECT,
            properties=fields,
            example={
                "MessageSid": "SM00000000000000000000000000000000",
                "From": "+15555550100",
                "To": "+15555550199",
                "Body": "FOOD 10002",
            },
        )
        self.request_body = spec.RequestBody(
            {"application/x-www-form-urlencoded": spec.OpenAPIMediaType(form)},
            "Form fields of the provider.",
            False,
        )


@post(
    PATH,
    operation_class=SmsOperation,
    summary="Answer a text message",
    tags=["search"],
    status_code=200,
    request_max_body_size=MAX_BYTES,
    responses=answers(
        str,
        "TwiML: a `Response` with at most one `Message`; empty for silence.",
        403,
        media_type="text/xml",
    ),
)
async def receive_sms(request: Request) -> Answer:
    """Return the three nearest places that are open or open soon, for a ZIP code or city in a text
    message.

    English and Spanish, in at most three parts of the 7-bit alphabet. A request without the
    provider's right signature gets 403. Without a configured signing token the answer is 503,
    except for requests from the machine itself to a release of synthetic data.
    """
    context = context_of(request.scope)
    fields = _fields(await request.body())
    _check_signature(context, request, fields)
    form = dict(reversed(fields))  # the first of a repeated field counts
    body, now = form.get("Body", ""), datetime.now(UTC)
    keyword, done = keyword_of(body), form.get("OptOutType", "").strip().lower()
    wish = cast("Wish", done if done in _DONE else keyword.kind if keyword else None)
    if done in _DONE or is_reaction(body):
        # The provider has answered already, or nobody asked.
        reply = Reply("", keyword.language if keyword else "en")
    else:
        reply = reply_to(context, current_release(request.scope), body, now)
    message = Message(form.get("MessageSid", ""), form.get("From", ""), body, wish)
    outcome = await _exchange(context, message, reply, now)
    if outcome.is_new and reply.mode is not None:
        context.searches.add(now.date(), reply.zip, reply.mode, is_empty=reply.is_empty)
    text = f"<Message>{escape(outcome.reply)}</Message>" if outcome.reply else ""
    twiml = f"{_DECLARATION}<Response>{text}</Response>".encode()
    return Answer(twiml, media_type=XML_TYPE, max_age=0)


def _fields(raw: bytes) -> list[tuple[str, str]]:
    """Return form fields in their order. Raises ServiceProblem (400) for a body that is no form."""
    try:
        return parse_qsl(
            raw.decode("latin-1"),
            keep_blank_values=True,
            errors="replace",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError as error:
        raise ServiceProblem("bad-request", "The body is not a form from the provider.") from error


def _check_signature(context: Context, request: Request, fields: list[tuple[str, str]]) -> None:
    """Refuse requests that are not the provider's. Raises ServiceProblem (403, 503)."""
    settings, scope = context.settings, request.scope
    if not settings.sms_token:
        if _is_demo(scope):
            return
        raise ServiceProblem(
            "not-set-up",
            "Text messages are not set up here. Operators: set LARDER_SMS_TOKEN to the "
            "provider's signing token.",
        )
    query = scope["query_string"].decode("latin-1")
    address = f"{settings.url}{PATH}{'?' if query else ''}{query}"
    headers = dict(scope["headers"])
    if not is_signed(settings.sms_token, settings.sms_shared_key, headers, address, fields):
        raise ServiceProblem(
            "bad-signature", f"The signature does not match a request to {settings.url}{PATH}."
        )


def _is_demo(scope: Scope) -> bool:
    """Return whether a person tries the demo on their own machine: without telephone number and
    proxy."""
    release = current_release(scope)
    if release is None or not release.is_synthetic:
        return False
    is_forwarded = any(
        name in _FORWARDING or name.startswith(b"x-forwarded-") for name, _ in scope["headers"]
    )
    client = scope.get("client")
    try:
        return (
            client is not None and not is_forwarded and ipaddress.ip_address(client[0]).is_loopback
        )
    except ValueError:
        return False


async def _exchange(context: Context, message: Message, reply: Reply, now: datetime) -> Exchange:
    """Return the reply. Without the store a question is still answered; STOP and START must
    not be lost."""
    settings, store = context.settings, context.store
    hourly = 0 if settings.limits.lower() == "off" else settings.sms_hourly
    busy = simple("slow_down", reply.language)
    try:
        return await store.transact(lambda db: exchange(db, message, reply.text, busy, hourly, now))
    except StoreUnavailableError as error:
        if message.wish in ("stop", "start"):
            async with store_problems():
                raise
        context.log.error("sms_store_unavailable", reason=str(error))
        return Exchange(reply.text, True)


# ---------------------------------------------------------------- signatures


SIGNATURE_HEADER = b"x-twilio-signature"
SETTINGS_HEADER = b"x-twilio-webhooks-signature-settings"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ALGORITHMS = {"HMAC_SHA1": "sha1", "HMAC_SHA256": "sha256"}


def signature_of(
    secret: str, address: str, fields: Sequence[tuple[str, str]], algorithm: str = "sha1"
) -> str:
    """Return the signature of a form request, in base64."""
    by_key: dict[str, set[str]] = {}
    for key, value in fields:
        by_key.setdefault(key, set()).add(value)
    text = address + "".join(key + value for key in sorted(by_key) for value in sorted(by_key[key]))
    digest = hmac.new(secret.encode(), text.encode("utf-8", "surrogatepass"), algorithm).digest()
    return base64.b64encode(digest).decode()


def is_signed(
    token: str,
    shared_key: str,
    headers: Mapping[bytes, bytes],
    address: str,
    fields: Sequence[tuple[str, str]],
) -> bool:
    """Return whether the request carries a right signature. `shared_key` is the secret of the
    account's shared key, for requests that name one; the token when it is empty."""
    signature = headers.get(SIGNATURE_HEADER, b"")
    # `key=...,algorithm=HMAC_SHA256` names the digest; without settings it is SHA-1.
    settings = headers.get(SETTINGS_HEADER, b"").decode("latin-1")
    pairs = dict(part.strip().partition("=")[::2] for part in settings.split(","))
    algorithm = _ALGORITHMS.get(pairs.get("algorithm", "")) if settings else "sha1"
    if not signature or algorithm is None:
        return False
    secret = shared_key or token if SETTINGS_HEADER in headers else token
    expected_signatures = [
        signature_of(secret, form, fields, algorithm) for form in addresses(address)
    ]
    # No shortcut: every comparison takes its whole time.
    matches = [
        hmac.compare_digest(hashlib.sha256(signature).digest(), hashlib.sha256(w.encode()).digest())
        for w in expected_signatures
    ]
    return any(matches)


def addresses(address: str) -> list[str]:
    """Return the address as it is, without its port, and with the port of its scheme."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    forms = [
        address,
        urlunsplit(parts._replace(netloc=host)),
        urlunsplit(parts._replace(netloc=f"{host}:{port}")),
    ]
    return list(dict.fromkeys(forms))
