"""Members of the pages about states: figures of the release, ranking, and the way from one page of
a state to the next.
"""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from schemas.vocab.food_access import ACCESS_CLASSES, NOTHING_LISTED
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.documents.render_context import Scene
from serving.documents.state_fields import top_cities
from serving.reference.totals import rank_states, statistics_of
from serving.render.formats import filters
from serving.render.words import words
from serving.statistics.food_access_map import SIZE, STEP, TILES
from warehouse.index.statistics import StateTotals


def _states(scene: Scene) -> dict[str, StateTotals]:
    """Return totals by code. Raises ServiceProblem (503) without a release."""
    scene.live.total_resources  # noqa: B018 - says so when there is no release
    assert scene.release is not None
    return {s.state: s for s in statistics_of(scene.release).states}


def kinds(scene: Scene) -> list[dict[str, Any]]:
    """Return listed places by kind, of the state or of the whole directory, the most frequent
    first."""
    totals = _states(scene)
    states = [totals[scene.state.code]] if scene.state else list(totals.values())
    rows = [
        {"id": name, "label": label, "value": sum(getattr(s, name) for s in states)}
        for name, label in words("states", scene.language).kinds.items()
    ]
    return sorted(rows, key=lambda row: (-int(str(row["value"])), str(row["id"])))


def atlas_states(scene: Scene) -> list[dict[str, Any]]:
    """Return the 50 states and DC by name, with their main counts and pages."""
    totals = _states(scene)
    rows = [_atlas_row(scene, totals[code]) for code in FIFTY_ONE]
    return sorted(rows, key=lambda row: str(row["name"]))


def _atlas_row(scene: Scene, totals: StateTotals) -> dict[str, Any]:
    state, tier = STATES[totals.state], totals.coverage_tier
    page = scene.library.link(f"/atlas/{totals.state}", scene.language)
    name = state.names[scene.language]
    return {
        "state": totals.state,
        "name": name,
        "linked": f"[{name}]({page})",
        "page": scene.settings.url + page,
        "json": f"{scene.settings.url}/atlas/{totals.state}.json",
        "places": totals.resource_count,
        "pantries": totals.pantry_class_count,
        "free_food": totals.free_food_count,
        "snap_retailers": totals.snap_retailers,
        "partner_verified": totals.partner_verified,
        "resources_per_1000_residents": totals.resources_per_1000_residents,
        "tier": tier,
        "tier_name": tier and words("states", scene.language).tiers[tier],
    }


def atlas_map(scene: Scene) -> dict[str, Any]:
    """Return squares of the 50 states and DC, coloured by places with free food for every 100,000
    residents.

    The four classes hold a quarter of the states each; a state without residents or places has a
    class of its own.
    """
    totals = _states(scene)
    rates = {code: _rate(totals[code]) for code in FIFTY_ONE}
    positive_rates = sorted(rate for rate in rates.values() if rate)
    bounds = (
        [positive_rates[len(positive_rates) * n // 4] for n in range(4)] if positive_rates else []
    )
    # Two figures that count, in every square alike.
    digits = next(
        (n for n, least in enumerate((10, 1)) if positive_rates and positive_rates[0] >= least), 2
    )
    format_rate = partial(filters(scene.language)["number"], digits=digits)
    tiles = []
    for code in FIFTY_ONE:
        rate, (column, line) = rates[code], TILES[code]
        kind = sum(rate >= bound for bound in bounds) - 1 if rate else None
        shade = ACCESS_CLASSES[kind] if kind is not None and kind >= 0 else NOTHING_LISTED
        label = format_rate(rate) if rate else "0" if rate is not None else "–"
        name = STATES[code].names[scene.language]
        tiles.append(
            {
                "code": code,
                "x": column * STEP,
                "y": line * STEP,
                "fill": shade.colour,
                "shown": label,
                "name": name,
                "ink": "#fff" if shade.id == "most" else "#1a1a1a",
                "page": scene.library.link(f"/atlas/{code}", scene.language),
            }
        )
    last = [*bounds[1:], positive_rates[-1]] if positive_rates else []
    classes = [
        {"fill": ACCESS_CLASSES[n].colour, "low": format_rate(low), "high": format_rate(last[n])}
        for n, low in enumerate(bounds)
    ]
    return {
        "tiles": tiles,
        "classes": classes,
        "size": SIZE,
        "width": 12 * STEP,
        "height": 8 * STEP,
    }


def _rate(totals: StateTotals) -> float | None:
    """Return places with free food for every 100,000 residents."""
    return totals.free_food_count * 100_000 / totals.population if totals.population else None


def state_pages(scene: Scene) -> list[dict[str, str]]:
    """Return the other pages about the same state."""
    assert scene.state is not None
    code, name = scene.state.code, scene.state.names[scene.language]
    own = scene.row.id.removesuffix("-state")
    return [
        {
            "id": id,
            "title": title.format(name=name),
            "link": _local(scene, f"/{id}/{code}"),
        }
        for id, title in words("states", scene.language).pages.items()
        if id != own
    ]


def state_searches(scene: Scene) -> list[dict[str, str]]:
    """Return searches for free food in the cities of the state with most pantries."""
    assert scene.state is not None
    cities = [row["city"] for row in top_cities(scene)]
    return [
        {
            "title": city,
            "link": _local(
                scene, "/search?" + urlencode({"q": f"{city}, {scene.state.code}", "mode": "free"})
            ),
        }
        for city in cities
    ]


def _local(scene: Scene, path: str) -> str:
    """Return the page in the document's language. Pages that other code answers have the same
    path under /es."""
    return path if scene.language == "en" else f"/es{path}"


def leaders(scene: Scene) -> list[dict[str, Any]]:
    """Return states and territories by partner-verified pantries, as `/api/leaderboard.json` does;
    equal numbers share a rank, those without one have none."""
    if scene.release is None:
        return []
    return [
        {
            "rank": s.leaderboard_rank,
            "state": s.state,
            "name": STATES[s.state].names[scene.language],
            "partner_verified_pantries": s.partner_verified_pantries,
            "pantries": s.pantry_class_count,
            "share": s.partner_verified_pantries / s.pantry_class_count
            if s.pantry_class_count
            else None,
        }
        for s in rank_states(statistics_of(scene.release))
    ]


def first_leaders(scene: Scene) -> list[dict[str, Any]]:
    """Return the ten states at the top, those with none left out."""
    return [row for row in leaders(scene)[:10] if row["partner_verified_pantries"]]
