"""Document members for finding food: where to apply in each state, whom to call."""

import unicodedata
from collections.abc import Callable
from typing import Any

from schemas.vocab.states import STATE_CODES, STATES
from serving.documents.inline import phone_mark
from serving.documents.render_context import Scene
from serving.reference.policy import Stated
from serving.render.formats import day as in_words

# Fact, English name, Spanish name, its use.
_HOTLINES = (
    (
        "local",
        "Local help line",
        "Línea de ayuda local",
        "Free help finding food, rent and utility assistance in your area.",
        "Ayuda gratuita para encontrar comida y apoyo con la renta y los servicios en su zona.",
    ),
    (
        "va_benefits",
        "Benefits of Veterans Affairs (VA)",
        "Beneficios de Asuntos de los Veteranos (VA)",
        "For veterans, their families and survivors.",
        "Para veteranos, sus familias y sobrevivientes.",
    ),
)


def hotlines(scene: Scene) -> list[dict[str, Any]]:
    """Return telephone help that needs no place. Lines that no source confirms are left out."""
    return [
        {
            "id": name,
            "name": scene.say(en, es),
            "number": found.value,
            "what_for": scene.say(what, para),
            "as_of": found.as_of.isoformat(),
            "in_short": f"{phone_mark(found.value)}. {scene.say(what, para)}",
        }
        for name, en, es, what, para in _HOTLINES
        if (found := _fact_in_force(scene, f"hotline.{name}"))
    ]


def states(scene: Scene) -> list[dict[str, Any]]:
    """Return every state and territory: the program's name, the agency, where to apply, the
    telephone, when the money comes.

    By name in the language; found by `state`, the two letters. Members are null where no source
    names any. `checked_on` is the older of the days on which the sources checked portal and
    telephone. `in_short` holds marks.
    """
    rows = [_state(scene, code) for code in STATE_CODES if f"state.program.{code}" in scene.facts]
    return sorted(rows, key=lambda row: unicodedata.normalize("NFKD", row["name"]))


def _state(scene: Scene, code: str) -> dict[str, Any]:
    state, program = STATES[code], _fact_in_force(scene, f"state.program.{code}")
    assert program is not None
    portal, phone = (
        _fact_in_force(scene, f"state.portal.{code}"),
        _fact_in_force(scene, f"state.phone.{code}"),
    )
    days = _fact_in_force(scene, f"snap.issuance.{code}")
    first, last = (days.value["first_day"], days.value["last_day"]) if days else (None, None)
    checked = [found.as_of for found in (portal, phone) if found]
    return {
        "state": code,
        "name": state.names[scene.language],
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
        "in_short": _in_short(scene, program.value, portal, phone, _span(first, last)),
    }


def _in_short(
    scene: Scene,
    program: dict[str, Any],
    portal: Stated | None,
    phone: Stated | None,
    days: str | None,
) -> str:
    """Return the line of the page: the program, its website or the agency to ask, the telephone,
    the days, their age."""
    if portal:
        site = portal.value["name"] or scene.say("website", "sitio web")
        sentences = [f"{program['name']}: [{site}]({portal.value['url']})"]
    else:
        sentences = [": ".join(filter(None, (program["name"], program["agency"])))]
    if phone:
        sentences.append(scene.say("Call {}", "Llame al {}").format(phone_mark(phone.value)))
    if days:
        sentences.append(
            scene.say("Paid on day {} of the month", "Pago: día {} del mes").format(days)
        )
    checked = [found.as_of for found in (portal, phone) if found]
    if checked:
        sentences.append(
            scene.say("Checked {}", "Revisado el {}").format(in_words(min(checked), scene.language))
        )
    return ". ".join(sentences) + "."


def _span(first: int | None, last: int | None) -> str | None:
    if first is None:
        return None
    return str(first) if first == last else f"{first}–{last}"


def _fact_in_force(scene: Scene, fact_id: str) -> Stated | None:
    return scene.facts.stated(fact_id).stated if fact_id in scene.facts else None


FIELDS: dict[str, Callable[[Scene], Any]] = {"hotlines": hotlines, "states": states}
