"""Read and write requests of the console."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from litestar import Request

from schemas.values.place_fields import plain_text
from serving.context import context_of
from serving.http.errors import ServiceProblem
from serving.http.rate_limits import store_problems
from serving.review.sessions import (
    checked_form,
    session_for,
)
from serving.search.query_parameters import id_of
from warehouse.operations.administrators import Session
from warehouse.operations.reviews import NotPossibleError

_MAX_REASON = 500
Asked = Request[Any, Any, Any]


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


async def decision_of(request: Asked) -> Decision:
    """Read the form of a decision. Raises SignedOutError, ServiceProblem (403, 503)."""
    session = await session_for(request)
    form = await checked_form(request, session.csrf)
    reason = (plain_text(form.get("reason")) or "")[:_MAX_REASON]
    actor, now = session.administrator.actor, datetime.now(UTC)
    return Decision(session, form, form.get("action", ""), reason, actor, now)


def unknown_button() -> ServiceProblem:
    return ServiceProblem("bad-request", "The form has no such button.")


async def read(request: Asked, work: Callable[[Any], Any]) -> Any:
    async with store_problems():
        return await context_of(request.scope).store.fetch(work)


async def write(request: Asked, work: Callable[[Any], Any]) -> Any:
    """Return the result of a decision. Raises ServiceProblem (409) where somebody else was quicker."""
    async with store_problems():
        try:
            return await context_of(request.scope).store.transact(work)
        except NotPossibleError as error:
            raise ServiceProblem("conflict", f"Not possible: {error}.") from error
