"""The addresses of the service that documents name: one list, each with what is found there.

Only addresses that answer or that the interface defines. `{state}`, `{zip}` and the like stand for a value;
`per_state` addresses answer for the 50 states and DC.
"""

from __future__ import annotations

from typing import NamedTuple


class Surface(NamedTuple):
    """An address: its name in documents, its path with placeholders, and what it gives."""

    id: str
    path: str
    title: str
    title_es: str


_LIST: tuple[Surface, ...] = (
    # --- finding places
    Surface("search", "/api/resources/search", "Search by ZIP code or city", "Búsqueda por código postal o ciudad"),
    Surface("nearby", "/api/resources/nearby", "Search by latitude and longitude", "Búsqueda por latitud y longitud"),
    Surface("urgent", "/api/resources/urgent", "Free food that is open now", "Comida gratis abierta ahora"),
    Surface("counts", "/api/resources/counts", "Places around a ZIP code by mode", "Lugares cerca de un código postal"),
    Surface("ask", "/api/llm-search", "Search in plain English or Spanish", "Búsqueda en lenguaje natural"),
    Surface("resource", "/api/resources/{id}", "One place", "Un lugar"),
    Surface("types", "/api/resources/types", "Types of places, with counts", "Tipos de lugares"),
    Surface("type_catalog", "/api/v1/types.json", "Types of places, with counts", "Tipos de lugares"),
    # --- the whole directory
    Surface("bulk", "/api/resources/bulk", "Export of the whole directory", "Exportación completa"),
    Surface("hsds", "/hsds/v3/", "HSDS 3.0 feed", "Datos en HSDS 3.0"),
    Surface("state_dump", "/api/v1/state/{state}.json", "All places of a state", "Todos los lugares de un estado"),
    Surface("stats", "/api/stats", "Statistics", "Estadísticas"),
    Surface("quality", "/api/stats/quality", "Verification and freshness", "Verificación y vigencia"),
    Surface("data_quality", "/api/v1/data-quality.json", "Data-quality report", "Informe de calidad de los datos"),
    Surface("quick_stats", "/api/v1/quick-stats.json", "The main figures", "Cifras principales"),
    Surface("cities", "/api/v1/cities.json", "Cities with most places", "Ciudades con más lugares"),
    Surface("snapshot", "/snapshot.json", "Everything at a glance", "Resumen general"),
    # --- by state
    Surface("atlas", "/atlas.json", "National atlas", "Atlas nacional"),
    Surface("state_atlas", "/atlas/{state}.json", "Atlas of a state", "Atlas de un estado"),
    Surface("state_page", "/atlas/{state}", "Atlas page of a state", "Página del atlas de un estado"),
    Surface("state_page_es", "/es/atlas/{state}", "Atlas page of a state, in Spanish", "Página del atlas de un estado"),
    Surface("leaderboard", "/api/leaderboard.json", "States by partner-verified pantries", "Estados por despensas verificadas"),
    Surface("coverage", "/api/v1/coverage.json", "Places for every 1,000 residents", "Lugares por cada 1,000 habitantes"),
    Surface("access", "/api/v1/access.json", "Distance to free food", "Distancia a la comida gratis"),
    Surface("access_state", "/api/v1/access/{state}.json", "Distance to free food by county and ZIP code", "Distancia a la comida gratis por condado y código postal"),
    Surface("access_counties", "/api/v1/access/counties.csv", "Places and distances by county (CSV)", "Lugares y distancias por condado (CSV)"),
    Surface("access_zips", "/api/v1/access/zips.csv", "Distances by ZIP code (CSV)", "Distancias por código postal (CSV)"),
    Surface("coverage_map", "/coverage/map", "Map: how near free food is listed", "Mapa: comida gratis cercana"),
    Surface("coverage_map_es", "/es/coverage/map", "Map, in Spanish", "Mapa, en español"),
    Surface("county_map", "/coverage/counties.svg", "Map of counties, in releases built with boundaries", "Mapa de condados, si la edición tiene límites"),
    Surface("disasters_page", "/disasters/{state}", "Disasters in a state", "Desastres en un estado"),
    Surface("disasters_current", "/api/disasters/current", "Open federal disaster declarations", "Declaraciones federales de desastre vigentes"),
    Surface("disasters_active", "/api/disasters/active", "Disasters by ZIP code or state", "Desastres por código postal o estado"),
    # --- the service itself
    Surface("openapi", "/api/openapi.json", "Description of the API (OpenAPI 3.1)", "Descripción de la API"),
    Surface("health", "/api/health/deep", "Health check of every part", "Estado de cada parte"),
    Surface("service_health", "/api/v1/health.json", "Status of the service", "Estado del servicio"),
    Surface("mcp", "/.well-known/mcp.json", "Model Context Protocol server", "Servidor MCP"),
    Surface("llms", "/llms.txt", "Summary for language models", "Resumen para modelos de lenguaje"),
    Surface("about", "/about.json", "Who runs this service", "Quién opera este servicio"),
    Surface("sitemap", "/api/v1/sitemap.json", "All documents", "Todos los documentos"),
)  # fmt: skip
SURFACES: dict[str, Surface] = {surface.id: surface for surface in _LIST}
assert len(SURFACES) == len(_LIST), "a surface is listed twice"


def address(base_url: str, surface_id: str, query: str = "", **values: str) -> str:
    """The full address of a surface, with `query` behind it. Placeholders without a value stay."""
    path = SURFACES[surface_id].path
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return f"{base_url}{path}" + (f"?{query}" if query else "")


def addresses(base_url: str, surface_ids: tuple[str, ...]) -> dict[str, str]:
    """Name and full address of several surfaces."""
    return {name: address(base_url, name) for name in surface_ids}
