"""Requests of the loads: random but repeatable, about real places of the release."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

Place = Mapping[str, Any]
# Questions of one load, repeated; and enough questions to leave the caches before they repeat.
_COUNT, _MANY = 2_000, 60_000
_MODES = ("free", "snap", "school", "health")
_FILTERS = "verified_only=true&walk_in=true&food=groceries&age=70&hours_known=true"
_DAYS = ("monday", "wednesday", "saturday")
_SENTENCES = (
    "food pantry near {zip}",
    "free food today in {city}, {state}",
    "comida gratis cerca de {zip}",
    "where can I use EBT in {city} {state}",
)


def questions(endpoint: str, places: Sequence[Place]) -> list[str]:
    """Return the paths with their queries; `endpoint` is one of ENDPOINTS."""
    chance = random.Random(20261121)
    usable = [place for place in places if place["zip"] and len(place["city"] or "") > 2]
    count = _MANY if _is_new(endpoint) else _COUNT
    return [ENDPOINTS[endpoint](chance.choice(usable), chance) for _ in range(count)]


def shares(endpoint: str, paths: Sequence[str], rounds: int) -> list[Sequence[str]]:
    """Return the paths of each round: the same ones, or different ones to defeat caches."""
    if not _is_new(endpoint):
        return [paths] * rounds
    return [paths[first::rounds] for first in range(rounds)]


def _is_new(endpoint: str) -> bool:
    return endpoint.endswith(("_new", "_filtered"))


def _nearby(place: Place, chance: random.Random) -> str:
    lat, lng = (place[name] + chance.gauss(0, 0.05) for name in ("lat", "lng"))
    point = f"lat={lat:.5f}&lng={lng:.5f}"
    return f"/api/resources/nearby?{point}&mode={chance.choice(_MODES)}&radius=25&limit=10"


def _search(place: Place, chance: random.Random) -> str:
    return f"/api/resources/search?zip={place['zip']}&mode=free&limit=10"


def _search_new(place: Place, chance: random.Random) -> str:
    return f"{_search(place, chance)}&radius={chance.uniform(20, 30):.6f}"


def _search_filtered(place: Place, chance: random.Random) -> str:
    """Search with five filters and a time window; each time another radius."""
    window = f"day={chance.choice(_DAYS)}&after=09:00&before=17:00"
    return f"{_search_new(place, chance)}&{_FILTERS}&{window}"


def _resource(place: Place, chance: random.Random) -> str:
    return f"/api/resources/{place['id']}"


def _counts(place: Place, chance: random.Random) -> str:
    return f"/api/resources/counts?zip={place['zip']}"


def _autocomplete(place: Place, chance: random.Random) -> str:
    name = str(place["city"])
    return f"/api/autocomplete?q={quote(name[: chance.randint(2, len(name))])}"


def _llm_search(place: Place, chance: random.Random) -> str:
    return f"/api/llm-search?q={quote(chance.choice(_SENTENCES).format_map(place))}"


def _llm_search_new(place: Place, chance: random.Random) -> str:
    """Ask the same with additional blanks: a text that no cache contains."""
    words = chance.choice(_SENTENCES).format_map(place).split()
    text = "".join(word + " " * chance.randint(1, 6) for word in words)
    return f"/api/llm-search?q={quote(text)}"


ENDPOINTS: dict[str, Callable[[Place, random.Random], str]] = {
    "nearby": _nearby,
    "search": _search,
    "search_new": _search_new,
    "search_filtered": _search_filtered,
    "resource": _resource,
    "counts": _counts,
    "autocomplete": _autocomplete,
    "llm_search": _llm_search,
    "llm_search_new": _llm_search_new,
}
