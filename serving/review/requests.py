"""The review console at /admin: its pages, sessions and forms, and requests to the store.

Nothing is cached. Every form carries the token of its session; a form without it is refused.
"""

import secrets
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar import Request, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from schemas.values.place_fields import plain_text
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.reviews import EDITABLE
from schemas.vocab.states import STATES, sort_by_name
from serving.context import context_of
from serving.http.answers import (
    NO_STORAGE,
    SAME_ORIGIN,
    Answer,
    Header,
    redirect,
    with_cache_control,
)
from serving.http.errors import InsteadError, ServiceProblem
from serving.http.rate_limits import store_problems
from serving.http.request_limits import form_of
from serving.places.listings import Listing
from serving.render.page import Head, page
from serving.search.parameters import id_of, page_number
from warehouse.operations.administrators import Session, record_use, session_of
from warehouse.operations.reviews import NotPossibleError

COOKIE = "larder_admin"
SIGN_IN_PATH = "/admin/sign-in"
ConsoleRequest = Request[Any, Any, Any]
get_page = partial(get, include_in_schema=False)
post_form = partial(post, include_in_schema=False)


# ---------------------------------------------------------------- parts of all pages


def console_page(
    scope: Scope,
    template: str,
    title: str,
    *,
    session: Session | None = None,
    status: int = 200,
    headers: tuple[Header, ...] = (),
    **values: Any,
) -> Answer:
    """Render a page of the console: not indexed, not cached, without a referrer."""
    head = Head(scope["path"], title, "Review console", is_indexed=False)
    private = (
        SAME_ORIGIN,
        (b"referrer-policy", b"same-origin"),
        (b"x-robots-tag", b"noindex, nofollow"),
        *headers,
    )
    is_saved = status == 200 and b"saved=" in scope["query_string"]
    answer = page(
        scope,
        template,
        head,
        max_age=0,
        status=status,
        headers=private,
        session=session,
        is_saved=is_saved,
        place_states=[(code, STATES[code].names["en"]) for code in sort_by_name(STATES, "en")],
        place_types=[(name, kind.label) for name, kind in RESOURCE_TYPES.items()],
        details_of=_details_of,
        **values,
    )
    return with_cache_control(answer, NO_STORAGE)


def _details_of(text: str) -> str:
    """Return the details of an entry of the log, which are JSON, in words."""
    details: dict[str, object] = msgspec.json.decode(text)
    return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in details.items())


def go_to(path: str, *headers: Header) -> Answer:
    """See other: the page to read after a form was sent."""
    answer = redirect(path, status=303, max_age=0)
    answer.start["headers"] += headers
    return with_cache_control(answer, NO_STORAGE)


def go_to_saved(path: str) -> Answer:
    """See other after a decision: the page says that it was saved."""
    return go_to(f"{path}{'&' if '?' in path else '?'}saved=1")


async def session_for(request: ConsoleRequest) -> Session:
    """Return the session of a request. Raises InsteadError, ServiceProblem (503)."""
    session = await find_session(request)
    if session is None:
        raise InsteadError(go_to(SIGN_IN_PATH))
    return session


async def find_session(request: ConsoleRequest) -> Session | None:
    """Return the session of a request, None without one. Raises ServiceProblem (503)."""
    token, now = request.cookies.get(COOKIE, ""), datetime.now(UTC)
    if not token:
        return None
    store = context_of(request.scope).store
    async with store_problems():
        match = await store.fetch(lambda db: session_of(db, token, now))
        if match is None:
            return None
        session, is_due = match
        if is_due:
            await store.transact(lambda db: record_use(db, session, now))
    return session


async def check_form(request: ConsoleRequest, token: str) -> dict[str, str]:
    """Return the fields of a form sent from one of our own pages. Raises ServiceProblem (403)."""
    form = {name: str(value) for name, value in (await form_of(request)).items()}
    is_ours = request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
    if (
        not is_ours
        or not token
        or not secrets.compare_digest(form.get("csrf", "").encode(), token.encode())
    ):
        raise ServiceProblem(
            "forbidden", "The form has expired or does not belong to this page. Reload the page."
        )
    return form


def cookie(scope: Scope, name: str, value: str, seconds: int) -> Header:
    """Return a cookie for the console alone: no script reads it, no other site sends it."""
    is_secure = context_of(scope).settings.url.startswith("https:")
    parts = [f"{name}={value}", "Path=/admin", f"Max-Age={seconds}", "HttpOnly", "SameSite=Strict"]
    return (b"set-cookie", "; ".join([*parts, *(["Secure"] if is_secure else [])]).encode())


_MAX_REASON = 500
Values = Callable[[ConsoleRequest, int], Awaitable[dict[str, Any]]]


def queue_page(path: str, template: str, title: str) -> Callable[[Values], HTTPRouteHandler]:
    """Make the page of a queue from a function that returns the values of one of its pages."""

    def handler_of(values: Values) -> HTTPRouteHandler:
        @get_page(path)
        async def show(request: ConsoleRequest) -> Answer:
            session, number = await session_for(request), page_of(request)
            of_page = await values(request, number)
            return console_page(
                request.scope, template, title, session=session, number=number, **of_page
            )

        return show

    return handler_of


def page_of(request: ConsoleRequest) -> int:
    """Return the number of a page; anything else is the first."""
    return page_number(request.query_params.get("page", "1"), 10_000)


class Filters(NamedTuple):
    """What a reviewer looks for in a queue, and where its page begins; from the address."""

    after: int | None
    state: str
    resource_id: int | None
    zip: str | None
    network: str | None
    is_proven: bool
    resource_type: str | None = None
    us_state: str | None = None
    field: str | None = None

    def fits(self, place: Listing | None) -> bool:
        """Return whether a place has the type and state that are looked for, if any."""
        if self.resource_type is None and self.us_state is None:
            return True
        return place is not None and (
            self.resource_type in {None, place.resource_type}
            and self.us_state in {None, place.state}
        )

    def address(self, **changes: object) -> str:
        """Return the query of the same page with other filters."""
        values = {**self._asdict(), **changes}
        return urlencode({name: value for name, value in values.items() if value})


def filters_of(request: ConsoleRequest, states: tuple[str, ...] = ()) -> Filters:
    """Return the filters of a queue's page; an unreadable value is no filter."""
    query = request.query_params
    state = query.get("state", "")
    zip_code, network = query.get("zip", ""), query.get("network", "")
    return Filters(
        id_of(query.get("after", "")),
        state if state in states else (states or ("",))[0],
        id_of(query.get("resource_id", "")),
        zip_code if len(zip_code) == 5 and zip_code.isdigit() else None,
        network if len(network) == 64 and network.isalnum() else None,
        query.get("is_proven", "") in {"1", "True"},
        _one_of(query.get("resource_type", ""), RESOURCE_TYPES),
        _one_of(query.get("us_state", ""), STATES),
        _one_of(query.get("field", ""), EDITABLE),
    )


def _one_of(text: str, values: Container[str]) -> str | None:
    return text if text in values else None


@dataclass(frozen=True)
class Decision:
    """A form that an administrator sent from one of the console's pages."""

    session: Session
    form: dict[str, str]
    action: str
    reason: str
    actor: str
    now: datetime

    def number_of(self, name: str) -> int:
        """Return the number of a field. Raises ServiceProblem (400)."""
        number = id_of(self.form.get(name, ""))
        if number is None:
            raise ServiceProblem("bad-request", f"The form has no number of a {name}.")
        return number

    async def make(
        self, request: ConsoleRequest, choices: Mapping[str, Callable[[Any], Any]]
    ) -> None:
        """Carry out the button's action in the store, and show the result.

        Raises ServiceProblem (400, 409, 503).
        """
        if self.action not in choices:
            raise ServiceProblem("bad-request", "The form has no such button.")
        await write(request, choices[self.action])
        await context_of(request.scope).live.refresh()


async def decision_of(request: ConsoleRequest) -> Decision:
    """Read the form of a decision. Raises InsteadError, ServiceProblem (403, 503)."""
    session = await session_for(request)
    form = await check_form(request, session.csrf)
    reason = (plain_text(form.get("reason")) or "")[:_MAX_REASON]
    actor, now = session.administrator.actor, datetime.now(UTC)
    return Decision(session, form, form.get("action", ""), reason, actor, now)


async def read(request: ConsoleRequest, work: Callable[[Any], Any]) -> Any:
    async with store_problems():
        return await context_of(request.scope).store.fetch(work)


async def write(request: ConsoleRequest, work: Callable[[Any], Any]) -> Any:
    """Return the result of a decision. Raises ServiceProblem (409) if it was already decided."""
    async with store_problems():
        try:
            return await context_of(request.scope).store.transact(work)
        except NotPossibleError as error:
            raise ServiceProblem("conflict", f"Not possible: {error}.") from error
