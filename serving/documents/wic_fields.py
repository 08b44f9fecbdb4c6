"""Document members about WIC: the program and its four tests. Names and descriptions are in both
languages within one document (`_en`, `_es`), as clients of such documents expect; `name` and
`description` are in the document's own language."""

from collections.abc import Callable, Iterator
from typing import Any

from serving.documents.render_context import Scene
from serving.render.words import Language, Words, words


def wic_program(scene: Scene) -> dict[str, Any]:
    """Return the program's names, who pays for it and how the help comes."""
    own, en, es = (words("wic", language).program for language in (scene.language, "en", "es"))
    return {
        "name": own.name,
        "full_name_en": en.full_name,
        "full_name_es": es.full_name,
        "issuing_agency": own.issuing_agency,
        "full_name": own.full_name,
        "delivery_method": own.delivery_method,
    }


def wic_four_tests(scene: Scene) -> list[dict[str, Any]]:
    """Return the four tests in the order in which a clinic asks."""
    pct = scene.facts.fact("wic.income_pct")
    return [
        {
            "test_number": number,
            "id": name,
            "name": own["name"],
            "description": own["description"].format(pct=pct),
            "test_name_en": en["name"],
            "test_name_es": es["name"],
            "description_en": en["description"].format(pct=pct),
            "description_es": es["description"].format(pct=pct),
            "eligible_categories": wic_categories(scene) if name == "category" else [],
        }
        for number, (name, own, en, es) in enumerate(_in_languages(scene, "tests"), 1)
    ]


def wic_categories(scene: Scene) -> list[dict[str, Any]]:
    """Return who is served and for how long."""
    ages = {
        "months": scene.facts.fact("wic.postpartum_months"),
        "nursing": scene.facts.fact("wic.breastfeeding_until_age"),
        "infant": scene.facts.fact("wic.infant_until_age"),
        "child": scene.facts.fact("wic.child_until_age"),
    }
    return [
        {
            "id": name,
            "category": own["name"],
            "duration": own["duration"].format(**ages),
            "category_en": en["name"],
            "category_es": es["name"],
            "duration_en": en["duration"].format(**ages),
            "duration_es": es["duration"].format(**ages),
        }
        for name, own, en, es in _in_languages(scene, "categories")
    ]


def _in_languages(scene: Scene, part: str) -> Iterator[tuple[str, Words, Words, Words]]:
    """Yield each entry of content/messages/wic.yaml: name, words of the document, English,
    Spanish."""
    languages: tuple[Language, ...] = (scene.language, "en", "es")
    own, en, es = (words("wic", language)[part] for language in languages)
    yield from ((name, own[name], en[name], es[name]) for name, _ in en.items())


FIELDS: dict[str, Callable[[Scene], Any]] = {
    f.__name__: f for f in (wic_program, wic_four_tests, wic_categories)
}
