"""Members of the pages that help to find food: where to apply in each state, whom to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemas.vocab.states import STATE_CODES, STATES
from serving.documents.facts import Stated
from serving.documents.scene import Scene

# Fact, English name, Spanish name, what it is good for.
_HOTLINES = (
    ("local", "Local help line", "Línea de ayuda local",
     "People who know the help in your area: food, rent, bills.",
     "Personas que conocen la ayuda de su zona: comida, renta, servicios."),
    ("hunger", "USDA National Hunger Hotline", "Línea nacional contra el hambre de USDA",
     "Pantries and meals near you, by phone.",
     "Despensas y comidas cerca de usted, por teléfono."),
    ("va_benefits", "Benefits of Veterans Affairs (VA)", "Beneficios de Asuntos de los Veteranos (VA)",
     "For veterans, their families and survivors.",
     "Para veteranos, sus familias y sobrevivientes."),
)  # fmt: skip


def hotlines(scene: Scene) -> list[dict[str, Any]]:
    """Telephone help that needs no place. Lines that no source confirms are left out."""
    return [
        {
            "id": name,
            "name": scene.say(en, es),
            "number": found.value,
            "what_for": scene.say(what, para),
            "as_of": found.as_of.isoformat(),
        }
        for name, en, es, what, para in _HOTLINES
        if (found := _known(scene, f"hotline.{name}"))
    ]


def states(scene: Scene) -> list[dict[str, Any]]:
    """Every state and territory: the program's name, the agency, where to apply, the telephone, when the money comes.

    Found by `state`, the two letters. Members are null where no source names any. `checked_on` is the older of
    the days on which the sources checked portal and telephone. `apply` holds a mark.
    """
    return [_state(scene, code) for code in STATE_CODES if f"state.program.{code}" in scene.facts]


def _state(scene: Scene, code: str) -> dict[str, Any]:
    state, program = STATES[code], _known(scene, f"state.program.{code}")
    assert program is not None
    portal, phone = _known(scene, f"state.portal.{code}"), _known(scene, f"state.phone.{code}")
    days = _known(scene, f"snap.issuance.{code}")
    first, last = (days.value["first_day"], days.value["last_day"]) if days else (None, None)
    checked = [found.as_of for found in (portal, phone) if found]
    return {
        "state": code,
        "name": scene.say(state.name, state.name_es),
        "kind": state.kind,
        "program": program.value["name"],
        "is_snap": program.value["is_snap"],
        "agency": program.value["agency"],
        "portal_name": portal.value["name"] if portal else None,
        "portal_url": portal.value["url"] if portal else None,
        "portal_in_two_sources": portal.value["second_source_agrees"] if portal else None,
        "phone": phone.value if phone else None,
        "checked_on": min(checked).isoformat() if checked else None,
        "deposit_first_day": first,
        "deposit_last_day": last,
        "deposit_days": _span(first, last),
        "apply": _apply(scene, program.value, portal),
    }


def _apply(scene: Scene, program: dict[str, Any], portal: Stated | None) -> str:
    """The program with a link to its portal, or with the agency to ask where no portal is known."""
    if portal is None:
        return " – ".join(filter(None, (program["name"], program["agency"])))
    return f"{program['name']}: [{portal.value['name'] or scene.say('website', 'sitio web')}]({portal.value['url']})"


def _span(first: int | None, last: int | None) -> str | None:
    if first is None:
        return None
    return str(first) if first == last else f"{first}–{last}"


def _known(scene: Scene, fact_id: str) -> Stated | None:
    return scene.facts.stated(fact_id).stated if fact_id in scene.facts else None


FIELDS: dict[str, Callable[[Scene], Any]] = {"hotlines": hotlines, "states": states}
