"""Addresses of the service that documents name, in one list with their descriptions.

Only addresses that answer; a test walks them. `{state}`, `{zip}` and the like are placeholders;
`query` is the usual query. Pages of a state answer for the 50 states and DC.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["find", "directory", "states", "service", "carry"]


class Surface(NamedTuple):
    """An address: its name in documents, its path with placeholders, and what it gives."""

    id: str
    path: str
    title: str
    title_es: str
    query: str = ""
    group: Group = "find"

    @property
    def template(self) -> str:
        """Path with its usual query; braces are the caller's to fill in."""
        return self.path + (f"?{self.query}" if self.query else "")


_GROUPS: dict[Group, tuple[Surface, ...]] = {
    "find": (
    Surface("search", "/api/resources/search", "Search by ZIP code or city", "Búsqueda por código postal o ciudad", "zip={zip}&mode=free"),
    Surface("nearby", "/api/resources/nearby", "Search by latitude and longitude", "Búsqueda por latitud y longitud", "lat={lat}&lng={lng}&mode=free"),
    Surface("urgent", "/api/resources/urgent", "Free food that is open now", "Comida gratis abierta ahora", "zip={zip}"),
    Surface("counts", "/api/resources/counts", "Places around a ZIP code by mode", "Lugares cerca de un código postal", "zip={zip}"),
    Surface("ask", "/api/llm-search", "Search in plain English or Spanish", "Búsqueda en lenguaje natural", "q={question}"),
    Surface("resource", "/api/resources/{id}", "One place", "Un lugar"),
    Surface("types", "/api/resources/types", "Types of places, with counts", "Tipos de lugares"),
    Surface("type_catalog", "/api/v1/types.json", "Types of places, with counts", "Tipos de lugares"),
    ),
    "directory": (
    Surface("bulk", "/api/resources/bulk", "Export of the whole directory", "Exportación completa", "state={state}"),
    Surface("hsds", "/hsds/v3/", "HSDS 3.0 feed", "Datos en HSDS 3.0"),
    Surface("state_dump", "/api/v1/state/{state}.json", "All places of a state", "Todos los lugares de un estado"),
    Surface("stats", "/api/stats", "Statistics", "Estadísticas"),
    Surface("quality", "/api/stats/quality", "Verification and freshness", "Verificación y vigencia"),
    Surface("data_quality", "/api/v1/data-quality.json", "Data-quality report", "Informe de calidad de los datos"),
    Surface("quick_stats", "/api/v1/quick-stats.json", "The main figures", "Cifras principales"),
    Surface("cities", "/api/v1/cities.json", "Cities with most places", "Ciudades con más lugares"),
    Surface("snapshot", "/snapshot.json", "Everything at a glance", "Resumen general"),
    ),
    "states": (
    Surface("atlas", "/atlas.json", "National atlas", "Atlas nacional"),
    Surface("state_atlas", "/atlas/{state}.json", "Atlas of a state", "Atlas de un estado"),
    Surface("state_page", "/atlas/{state}", "Atlas page of a state", "Página del atlas de un estado"),
    Surface("state_page_es", "/es/atlas/{state}", "Atlas page of a state, in Spanish", "Página del atlas de un estado"),
    Surface("leaderboard", "/api/leaderboard.json", "States by partner-verified pantries", "Estados por despensas verificadas"),
    Surface("coverage", "/api/v1/coverage.json", "Places with free food for every 1,000 residents", "Lugares con comida gratis por cada 1,000 habitantes"),
    Surface("access", "/api/v1/access.json", "Distance to free food", "Distancia a la comida gratis"),
    Surface("access_state", "/api/v1/access/{state}.json", "Distance to free food by county and ZIP code", "Distancia a la comida gratis por condado y código postal"),
    Surface("access_counties", "/api/v1/access/counties.csv", "Places and distances by county (CSV)", "Lugares y distancias por condado (CSV)"),
    Surface("access_zips", "/api/v1/access/zips.csv", "Distances by ZIP code (CSV)", "Distancias por código postal (CSV)"),
    Surface("coverage_map", "/coverage/map", "Map: how near free food is listed", "Mapa: comida gratis cercana"),
    Surface("coverage_map_es", "/es/coverage/map", "Map, in Spanish", "Mapa, en español"),
    Surface("county_map", "/coverage/counties.svg", "Map of counties, in releases built with boundaries", "Mapa de condados, si la edición tiene límites"),
    Surface("disasters_page", "/disasters/{state}", "Disasters in a state", "Desastres en un estado"),
    Surface("disasters_current", "/api/disasters/current", "Open federal disaster declarations", "Declaraciones federales de desastre vigentes"),
    Surface("disasters_active", "/api/disasters/active", "Disasters by ZIP code or state", "Desastres por código postal o estado", "zip={zip}"),
    ),
    "service": (
    Surface("openapi", "/api/openapi.json", "Description of the API (OpenAPI 3.1)", "Descripción de la API"),
    Surface("health", "/api/health/deep", "Health check of every part", "Estado de cada parte"),
    Surface("service_health", "/api/v1/health.json", "Status of the service", "Estado del servicio"),
    Surface("mcp", "/.well-known/mcp.json", "Model Context Protocol server", "Servidor MCP"),
    Surface("llms", "/llms.txt", "Summary for language models", "Resumen para modelos de lenguaje"),
    Surface("about", "/about.json", "Who runs this service", "Quién opera este servicio"),
    Surface("sitemap", "/api/v1/sitemap.json", "All documents", "Todos los documentos"),
    Surface("whoami", "/.well-known/whoami.json", "Who this is, in short", "Quién es, en breve"),
    Surface("llms_full", "/llms-full.txt", "Up to 200 places of each type as text", "Hasta 200 lugares de cada tipo como texto"),
    Surface("ai_tools", "/api/v1/ai-tools.json", "Manifest for AI agents", "Manifiesto para agentes de IA"),
    Surface("intents", "/api/v1/intents.json", "What people ask, and what to call", "Qué pregunta la gente y qué llamar"),
    Surface("ai_plugin", "/.well-known/ai-plugin.json", "AI plugin manifest", "Manifiesto de complemento de IA"),
    Surface("ai_catalog", "/.well-known/ai-catalog.json", "What this host offers to language models", "Lo que ofrece a los modelos de lenguaje"),
    Surface("security", "/.well-known/security.txt", "Contact for reporting vulnerabilities", "Contacto para informar de vulnerabilidades"),
    Surface("sitemap_xml", "/sitemap.xml", "Sitemap of all pages", "Mapa de todas las páginas"),
    Surface("robots", "/robots.txt", "Rules for crawlers", "Reglas para rastreadores"),
    ),
    "carry": (
    Surface("integrations", "/api/v1/integrations.json", "Every way to build on this", "Todas las formas de integrar"),
    Surface("embeds", "/api/embed/catalog.json", "Catalog of embeds", "Catálogo de elementos para insertar"),
    Surface("embeds_page", "/embed/catalog", "Embeds to copy", "Elementos para copiar"),
    Surface("widget", "/embed/widget", "Search widget for any site", "Buscador para cualquier sitio"),
    Surface("card", "/embed/pantry/{id}", "Card of one place", "Tarjeta de un lugar"),
    Surface("badge", "/badge/{id}.svg", "Badge of one place", "Insignia de un lugar"),
    Surface("oembed", "/oembed", "oEmbed 1.0", "oEmbed 1.0", "url={page_url}"),
    Surface("calendar", "/calendar/{id}.ics", "Opening hours of a place as a calendar", "Horario de un lugar como calendario"),
    Surface("feeds", "/feeds", "Feeds to subscribe to", "Canales para suscribirse"),
    Surface("press_feed", "/press/feed.json", "Press releases (JSON Feed 1.1)", "Comunicados de prensa (JSON Feed)"),
    Surface("press_atom", "/press/feed.atom", "Press releases (Atom)", "Comunicados de prensa (Atom)"),
    Surface("news", "/api/feed/news.atom", "Press, active disasters, milestones (Atom)", "Prensa, desastres vigentes e hitos (Atom)"),
    ),
}  # fmt: skip
SURFACES: dict[str, Surface] = {
    s.id: s._replace(group=name) for name, group in _GROUPS.items() for s in group
}
assert len(SURFACES) == sum(map(len, _GROUPS.values())), "a surface is listed twice"


def address(base_url: str, surface_id: str, query: str = "", **values: str) -> str:
    """Return the full address of a surface, with `query` behind it. Placeholders without a value
    stay."""
    path = SURFACES[surface_id].path
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return f"{base_url}{path}" + (f"?{query}" if query else "")


def addresses(base_url: str, surface_ids: tuple[str, ...]) -> dict[str, str]:
    """Return name and full address of several surfaces."""
    return {name: address(base_url, name) for name in surface_ids}
