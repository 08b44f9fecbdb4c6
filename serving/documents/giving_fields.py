"""Document members about giving, from the donor service: ways of giving and states' credits."""

from collections.abc import Callable
from typing import Any, get_args

import msgspec

from schemas.api.donors import Vehicle
from schemas.vocab.states import STATES
from serving.documents.render_context import Scene
from serving.donors.donors import donor_options, legacy_giving


def giving_options(scene: Scene) -> list[dict[str, Any]]:
    """Return the twelve ways of giving, with the steps of each."""
    for fact_id in (
        "giving.qcd_cap",
        "giving.qcd_min_age",
        "giving.rmd_age",
        "giving.appreciated_limit_pct",
    ):
        scene.facts.stated(fact_id)
    sibling = scene.settings.sibling
    found = donor_options(
        scene.settings, scene.language, scene.day, sibling.url if sibling else None
    )
    return [
        {"id": key, **msgspec.to_builtins(option), "summary": _summary(option)}
        for key, option in found.items()
    ]


def _summary(option: Any) -> str:
    """Return a page's text on an option."""
    parts = (option.instructions, option.why, option.tax_treatment, option.annual_cap_2026)
    return " ".join(part for part in parts if part)


def legacy_vehicles(scene: Scene) -> list[dict[str, Any]]:
    """Return the six planned gifts, with sample language in the organization's own name."""
    found = (
        legacy_giving(scene.settings, vehicle, scene.language) for vehicle in get_args(Vehicle)
    )
    return [
        {
            "id": v.vehicle,
            "title": v.title,
            "sample_language": v.sample_language,
            "information_to_provide": msgspec.to_builtins(v.information_to_provide),
        }
        for v in found
    ]


def state_tax_benefits(scene: Scene) -> list[dict[str, Any]]:
    """Return states known to give a tax benefit for gifts of money, each with its source. A
    state that is not named may give one too."""
    found = []
    for state in STATES.values():
        fact_id = f"tax_credit.cash.{state.code}"
        if fact_id in scene.facts:
            kind = scene.facts.fact(fact_id)["kind"]
            name = state.names[scene.language]
            credit = (
                scene.say("credit", "crédito")
                if kind == "credit_pct"
                else scene.say("deduction", "deducción")
            )
            found.append(
                {
                    "state": state.code,
                    "name": name,
                    "kind": credit,
                    "rule": scene.facts.figure(fact_id),
                }
            )
    return found


FIELDS: dict[str, Callable[[Scene], Any]] = {
    f.__name__: f for f in (giving_options, legacy_vehicles, state_tax_benefits)
}
