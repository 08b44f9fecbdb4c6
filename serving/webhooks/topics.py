"""Topics of webhooks, as texts of the store: `resource 101`, `zip 10002`, `state NY`."""

from typing import Any, NamedTuple

from schemas.api.webhooks import NewWebhook
from schemas.vocab.states import STATES
from serving.http.errors import ServiceProblem, invalid, make_gone_problem
from warehouse.index.reader import OpenRelease


class Area(NamedTuple):
    """ZIP code and state of a place; None where unknown."""

    zip: str | None
    state: str | None


def topic_of(release: OpenRelease, new_webhook: NewWebhook) -> str:
    """Return the one topic that a request names. Raises ServiceProblem (400, 404, 410)."""
    names = [n for n in ("resource_id", "zip", "state") if getattr(new_webhook, n) is not None]
    if len(names) != 1:
        rule = "send one of resource_id, zip and state"
        raise ServiceProblem("bad-request", rule, dict.fromkeys(names or ["resource_id"], rule))
    if new_webhook.resource_id is not None:
        _check_place(release, new_webhook.resource_id)
        return f"resource {new_webhook.resource_id}"
    if new_webhook.zip is not None:
        if release.gazetteer.zip(new_webhook.zip) is None:
            raise ServiceProblem(
                "unknown-place",
                f"zip: {new_webhook.zip} is not a ZIP code in our data",
                {"zip": "a known ZIP code"},
            )
        return f"zip {new_webhook.zip}"
    if new_webhook.state not in STATES:
        raise invalid("state", "the two-letter code of a state or territory, in capital letters")
    return f"state {new_webhook.state}"


def _check_place(release: OpenRelease, resource_id: int) -> None:
    if release.row_of(resource_id) is None:
        was_listed, _ = release.find_gone(resource_id)
        if was_listed:
            raise make_gone_problem(release, resource_id)
        raise ServiceProblem("unknown-resource", f"There is no resource {resource_id}.")


def members(topic: str) -> dict[str, Any]:
    """Return a topic as the members of an answer: one of them is not null."""
    kind, _, value = topic.partition(" ")
    return {
        "resource_id": int(value) if kind == "resource" else None,
        "zip": value if kind == "zip" else None,
        "state": value if kind == "state" else None,
    }


def topics_of(resource_id: int, *areas: Area) -> list[str]:
    """Return the topics that a place belongs to, in each of its areas."""
    topics = [f"resource {resource_id}"]
    topics += [f"zip {area.zip}" for area in areas if area.zip]
    topics += [f"state {area.state}" for area in areas if area.state]
    return list(dict.fromkeys(topics))
