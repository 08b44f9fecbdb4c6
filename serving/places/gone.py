"""Answers for ids that are no longer listed: 301 to the successor, or 410."""

from serving.http.answers import FIVE_MINUTES, redirect
from serving.http.errors import InsteadError, ServiceProblem, make_gone_problem
from warehouse.index.reader import OpenRelease


def row_or_successor(release: OpenRelease, resource_id: int) -> int | None:
    """Return the row of a place, or of the one that it was merged into; None without either."""
    row = release.row_of(resource_id)
    if row is None:
        _, successor = release.find_gone(resource_id)
        row = None if successor is None else release.row_of(successor)
    return row


def make_unlisted_problem(release: OpenRelease, resource_id: int) -> ServiceProblem:
    """Return the problem of an id without a place: 410 for one that was listed, 404 for others."""
    was_listed, _ = release.find_gone(resource_id)
    if was_listed:
        return make_gone_problem(release, resource_id)
    return ServiceProblem("unknown-resource", f"There is no resource {resource_id}.")


def find_row(release: OpenRelease, resource_id: int, address: str) -> int:
    """Return the row of a place; `address` has `{id}` in place of its id.

    Raises InsteadError with the redirect to its successor, ServiceProblem (404, 410) without one.
    """
    row = release.row_of(resource_id)
    if row is not None:
        return row
    _, successor = release.find_gone(resource_id)
    if successor is None:
        raise make_unlisted_problem(release, resource_id)
    raise InsteadError(redirect(address.replace("{id}", str(successor)), max_age=FIVE_MINUTES))
