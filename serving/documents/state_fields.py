"""Members of documents of a state, and of lists of states: the totals of the release, one number at
a time.
"""

from collections.abc import Callable
from typing import Any

from schemas.vocab.states import FIFTY_ONE, STATES
from serving.documents.render_context import Scene
from serving.reference.totals import statistics_of
from serving.render.formats import number

# Name of the total, words for it.
_NUMBERS = (
    ("resource_count", "Listed places of all kinds", "Lugares de todo tipo en la lista"),
    ("free_food_count", "Places that give free food", "Lugares que dan comida gratis"),
    (
        "pantry_class_count",
        "Pantries, kitchens and food banks",
        "Despensas, comedores y bancos de alimentos",
    ),
    ("pantry_hours_known_count", "Of these, hours known", "De ellos, con horario conocido"),
    (
        "pantry_hours_old_count",
        "Of these, with hours published, but old",
        "De ellos, con horario publicado, pero viejo",
    ),
    ("school_meal_sites", "School meal sites", "Sitios de comidas escolares"),
    ("summer_meal_sites", "Summer meal sites", "Sitios de comidas de verano"),
    ("wic_clinics", "WIC offices", "Oficinas de WIC"),
    ("fqhc_health_centers", "Health centers", "Centros de salud"),
    ("snap_retailers", "Stores that take EBT", "Tiendas que aceptan EBT"),
    ("partner_verified", "Verified by a partner", "Verificados por un socio"),
    ("city_count", "Cities with a listed place", "Ciudades con algún lugar"),
    ("county_count", "Counties with a listed place", "Condados con algún lugar"),
    ("population", "Residents (Census Bureau)", "Habitantes (Oficina del Censo)"),
)
_TIERS = {"sparse": "escasa", "fair": "regular", "good": "buena"}


def state_numbers(scene: Scene) -> list[dict[str, Any]]:
    """Return the release's figures of the state. `value` is null where it is not known."""
    assert scene.state is not None
    totals = scene.live.state(scene.state.code)
    rows = [
        {"id": name, "label": scene.say(en, es), "value": getattr(totals, name)}
        for name, en, es in _NUMBERS
    ]
    return [
        row | {"shown": "—" if row["value"] is None else number(row["value"], scene.language)}
        for row in rows
    ]


def state_coverage(scene: Scene) -> dict[str, Any]:
    """Return how densely the directory covers the state, with its rank among 51."""
    assert scene.state is not None
    totals = scene.live.state(scene.state.code)
    tier = totals.coverage_tier
    return {
        "state": scene.state.code,
        "name": scene.state.names[scene.language],
        "resources_per_1000_residents": totals.resources_per_1000_residents,
        "rank": totals.coverage_rank,
        "of": len(FIFTY_ONE),
        "tier": tier,
        "tier_name": tier and scene.say(tier, _TIERS[tier]),
    }


def top_cities(scene: Scene) -> list[dict[str, Any]]:
    """Return the ten cities of the state with most pantries and kitchens."""
    assert scene.state is not None
    assert scene.release is not None
    cities = [
        c
        for c in statistics_of(scene.release).cities
        if c.state == scene.state.code and c.pantry_class_count
    ]
    cities.sort(key=lambda c: (-c.pantry_class_count, c.city))
    return [
        {"city": c.city, "pantry_class": c.pantry_class_count, "free_food": c.free_food_count}
        for c in cities[:10]
    ]


def state_program(scene: Scene) -> dict[str, Any]:
    """Return SNAP in the state: its name there, the agency, where to apply, with sources.
    Members are null where nothing is known."""
    assert scene.state is not None
    code = scene.state.code
    ids = {name: f"state.{name}.{code}" for name in ("program", "portal", "phone")}
    return {name: scene.facts.figure(i) if i in scene.facts else None for name, i in ids.items()}


def states_with_page(scene: Scene) -> list[dict[str, Any]]:
    """Return the 50 states and DC with the document of each that belongs to this one
    (`<id>-state`)."""
    row = scene.library.rows.get(f"{scene.row.id}-state")
    if row is None or row.planned:
        return []
    page = row.page_of(scene.language) or row.page or ""
    json = row.json_of(scene.language) or row.json or row.data_path or ""
    names = {code: STATES[code].names[scene.language] for code in FIFTY_ONE}
    return [
        {
            "state": code,
            "name": names[code],
            "page": page.replace("{state}", code),
            "json": scene.settings.url + json.replace("{state}", code),
        }
        for code in sorted(names, key=lambda c: names[c])
    ]


FIELDS: dict[str, Callable[[Scene], Any]] = {
    f.__name__: f
    for f in (state_numbers, state_coverage, top_cities, state_program, states_with_page)
}
