"""Document members about WIC: the program and its four tests. Names and descriptions are in both
languages within one document (`_en`, `_es`), as clients of such documents expect; `name` and
`description` are in the document's own language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serving.documents.render_context import Scene

_PROGRAM = {
    "name": "WIC",
    "full_name_en": "Special Supplemental Nutrition Program for Women, Infants, and Children",
    "full_name_es": "Programa Especial de Nutrición Suplementaria para Mujeres, Bebés y Niños",
    "issuing_agency": "USDA Food and Nutrition Administration",
}
# Name and description of each test, English and Spanish.
_TESTS = (
    (
        "category",
        "Who you are",
        "Quién es usted",
        "You are pregnant, were recently pregnant, are breastfeeding, or care for a baby or small child.",
        "Está embarazada, lo estuvo hace poco, amamanta, o cuida a un bebé o a un niño pequeño.",
    ),
    (
        "residence",
        "Where you live",
        "Dónde vive",
        "You live in the state or on the reservation where you apply. You do not need to have lived there for any length of time.",
        "Vive en el estado o en la reservación donde lo solicita. No importa cuánto tiempo lleve ahí.",
    ),
    (
        "income",
        "Your income",
        "Su ingreso",
        "Your income before taxes is at or below {pct}% of the poverty guideline, or someone in your family gets SNAP, Medicaid or TANF. A state may set a lower limit.",
        "Su ingreso antes de impuestos no pasa del {pct}% de la guía de pobreza, o alguien de su familia recibe SNAP, Medicaid o TANF. Un estado puede fijar un límite menor.",
    ),
    (
        "nutrition_risk",
        "A nutrition need",
        "Una necesidad de nutrición",
        "At a free visit, a health worker asks about your eating and health to see if you have a nutrition need. Many things count, such as low iron.",
        "En una visita gratis, un profesional de salud le pregunta por su alimentación y su salud para ver si tiene una necesidad de nutrición. Muchas cosas cuentan, como tener bajo el hierro.",
    ),
)


def wic_program(scene: Scene) -> dict[str, Any]:
    """Return the program's names, who pays for it and how the help comes."""
    how = scene.say(
        "A card to buy WIC-approved foods at stores that take WIC",
        "Una tarjeta para comprar alimentos aprobados por WIC en tiendas que aceptan WIC",
    )
    return {
        **_PROGRAM,
        "full_name": scene.say(_PROGRAM["full_name_en"], _PROGRAM["full_name_es"]),
        "delivery_method": how,
    }


def wic_four_tests(scene: Scene) -> list[dict[str, Any]]:
    """Return the four tests in the order in which a clinic asks."""
    pct = scene.facts.fact("wic.income_pct")
    found = []
    for number, (name, en, es, about_en, about_es) in enumerate(_TESTS, 1):
        told_en, told_es = about_en.format(pct=pct), about_es.format(pct=pct)
        found.append(
            {
                "test_number": number,
                "id": name,
                "name": scene.say(en, es),
                "description": scene.say(told_en, told_es),
                "test_name_en": en,
                "test_name_es": es,
                "description_en": told_en,
                "description_es": told_es,
                "eligible_categories": wic_categories(scene) if name == "category" else [],
            }
        )
    return found


def wic_categories(scene: Scene) -> list[dict[str, Any]]:
    """Return who is served and for how long."""
    fact = scene.facts.fact
    months, nursing = fact("wic.postpartum_months"), fact("wic.breastfeeding_until_age")
    infant, child = fact("wic.infant_until_age"), fact("wic.child_until_age")
    rows = (
        (
            "pregnant",
            "Pregnant women",
            "Mujeres embarazadas",
            "During the pregnancy",
            "Durante el embarazo",
        ),
        (
            "postpartum",
            "Women after a pregnancy",
            "Mujeres después del embarazo",
            f"Up to {months} months after it ends",
            f"Hasta {months} meses después de que termina",
        ),
        (
            "breastfeeding",
            "Women who breastfeed",
            "Mujeres que amamantan",
            f"Until the baby turns {nursing}",
            f"Hasta que el bebé cumple {nursing} año",
        ),
        (
            "infant",
            "Babies",
            "Bebés",
            f"Until they turn {infant}",
            f"Hasta que cumplen {infant} año",
        ),
        (
            "child",
            "Children",
            "Niños",
            f"Until they turn {child}",
            f"Hasta que cumplen {child} años",
        ),
    )
    return [
        {
            "id": name,
            "category": scene.say(en, es),
            "duration": scene.say(until_en, until_es),
            "category_en": en,
            "category_es": es,
            "duration_en": until_en,
            "duration_es": until_es,
        }
        for name, en, es, until_en, until_es in rows
    ]


FIELDS: dict[str, Callable[[Scene], Any]] = {
    f.__name__: f for f in (wic_program, wic_four_tests, wic_categories)
}
