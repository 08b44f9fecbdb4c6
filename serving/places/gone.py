"""Answers for ids that are no longer listed: 301 to the successor, or 410."""

from __future__ import annotations

from serving.http.answers import FIVE_MINUTES, Answer, redirect
from serving.http.errors import ServiceProblem, gone
from warehouse.index.reader import OpenRelease


def redirect_to_successor(release: OpenRelease, resource_id: int, address: str) -> Answer:
    """Return a redirect to the successor; `address` has `{id}` in place of its id.

    Raises ServiceProblem (404, 410) when there is none.
    """
    was_listed, successor = release.gone(resource_id)
    if successor is not None:
        return redirect(address.replace("{id}", str(successor)), max_age=FIVE_MINUTES)
    if was_listed:
        raise gone(release, resource_id)
    raise ServiceProblem("unknown-resource", f"There is no resource {resource_id}.")
