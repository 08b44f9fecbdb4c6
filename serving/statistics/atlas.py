"""Atlas, leaderboard, cities, snapshot, main figures: the documents that lay out the totals."""

from urllib.parse import urlencode

from schemas.api import snapshots as shapes
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.reference import totals as figures
from serving.reference.organization import organization_head
from serving.reference.surfaces import address, addresses
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import CityTotals

MIN_CITY_LOCATIONS, MAX_CITIES = 20, 200
_TOP = 10
_FEDERAL = (
    "wic_clinics",
    "school_meal_sites",
    "summer_meal_sites",
    "fqhc_health_centers",
    "head_start_centers",
)
_LEADERBOARD_NOTE = (
    "A pantry is partner-verified when it comes from a partner's own list or from an operator who "
    "was approved. States are ranked by the number of partner-verified places of the food-pantry "
    "class; equal numbers share a rank, and states without one have no rank."
)


def national_atlas(release: OpenRelease, settings: Settings) -> shapes.NationalAtlas:
    """Return national totals and the counts of each state."""
    statistics = figures.statistics_of(release)
    return shapes.NationalAtlas(
        **figures.head_of(release),
        organization=organization_head(settings),
        national=figures.atlas_counts(statistics.states),
        states_covered=sum(1 for s in statistics.states if s.resource_count),
        states=[
            shapes.AtlasState(
                **figures.sum_totals([s]),
                state=s.state,
                name=STATES[s.state].name,
                atlas_url=address(settings.url, "state_atlas", state=s.state),
            )
            for s in figures.list_states(statistics)
        ],
    )


def state_atlas(release: OpenRelease, settings: Settings, code: str) -> shapes.StateAtlas:
    """Return one state or territory. Raises ServiceProblem (404) for a territory without data."""
    totals = figures.find_listed_state(release, code)
    cities = [
        c for c in figures.statistics_of(release).cities if c.state == code and c.pantry_class_count
    ]
    cities.sort(key=lambda c: (-c.pantry_class_count, -c.resource_count, c.city))
    pantries = shapes.PantryClass(
        subtotal=totals.pantry_class_count,
        food_pantries=totals.food_pantries,
        food_banks=totals.food_banks,
        soup_kitchens=totals.soup_kitchens,
        mobile_pantries=totals.mobile_pantries,
        community_fridges=totals.community_fridges,
    )
    federal = {name: getattr(totals, name) for name in _FEDERAL}
    subtotal = pantries.subtotal + sum(federal.values()) + totals.snap_retailers
    places = totals.resource_count
    return shapes.StateAtlas(
        **figures.head_of(release),
        state=code,
        name=STATES[code].name,
        coverage=shapes.StateCoverage(
            total_resources=totals.resource_count,
            food_pantry_class=pantries,
            federal_programs=shapes.FederalPrograms(**federal),
            snap_retailers=totals.snap_retailers,
            other_resources=totals.resource_count - subtotal,
            by_type=figures.types_by_state(release)[code],
        ),
        verification=shapes.StateVerification(
            partner_verified=figures.rate(totals.partner_verified, places),
            verified=figures.rate(totals.verified_count, places),
            unverified=figures.rate(totals.unverified_count, places),
            partner_verified_pantries=totals.partner_verified_pantries,
            pantry_hours_known=figures.rate(
                totals.pantry_hours_known_count, totals.pantry_class_count
            ),
            pantry_hours_old=figures.rate(totals.pantry_hours_old_count, totals.pantry_class_count),
        ),
        geographic=shapes.StateGeography(
            zip_codes=totals.zip_count,
            cities=totals.city_count,
            counties=totals.county_count,
            places_without_city=totals.without_city_count,
            exact_points=figures.rate(totals.exact_point_count, totals.resource_count),
            population=totals.population,
            population_source=totals.population_source,
            population_date=totals.population_date.isoformat() if totals.population_date else None,
            resources_per_1000_residents=totals.resources_per_1000_residents,
            free_food_per_1000_residents=round(1000 * totals.free_food_count / totals.population, 4)
            if totals.population
            else None,
            coverage_tier=totals.coverage_tier,
            coverage_rank=totals.coverage_rank,
        ),
        top_cities_by_pantry_count=[_top_city(c) for c in cities[:_TOP]],
        related_surfaces=related_surfaces(settings.url, code),
        org=organization_head(settings),
    )


def _top_city(city: CityTotals) -> shapes.TopCity:
    return shapes.TopCity(city.city, city.state, city.pantry_class_count, city.resource_count)


def related_surfaces(url: str, code: str) -> dict[str, str]:
    """Return eight addresses about a state. Territories have no pages."""
    common = {
        "national_atlas": address(url, "atlas"),
        "all_places": address(url, "state_dump", state=code),
        "export": address(url, "bulk", urlencode({"state": code})),
        "active_disasters": address(url, "disasters_active", urlencode({"state": code})),
        "coverage": address(url, "coverage"),
    }
    if code in FIFTY_ONE:
        own = {
            name: address(url, name, state=code)
            for name in ("state_page", "state_page_es", "disasters_page")
        }
    else:
        own = addresses(url, ("leaderboard", "data_quality", "stats"))
    return common | own


# ---------------------------------------------------------------- leaderboard


def leaderboard(release: OpenRelease, settings: Settings) -> shapes.Leaderboard:
    """Return states by partner-verified pantries; those without a rank follow by code."""
    statistics = figures.statistics_of(release)
    states = figures.rank_states(statistics)
    pantries = sum(s.pantry_class_count for s in statistics.states)
    partner = sum(s.partner_verified_pantries for s in statistics.states)
    return shapes.Leaderboard(
        **figures.head_of(release),
        organization=organization_head(settings),
        explanation=_LEADERBOARD_NOTE,
        national=shapes.LeaderboardTotals(
            partner_verified_pantries=partner,
            partner_verified=sum(s.partner_verified for s in statistics.states),
            pantries=pantries,
            partner_verified_pct=figures.rate(partner, pantries).pct,
            states_ranked=sum(1 for s in statistics.states if s.leaderboard_rank),
        ),
        states=[
            shapes.LeaderboardEntry(
                rank=s.leaderboard_rank,
                state=s.state,
                name=STATES[s.state].name,
                partner_verified_pantries=s.partner_verified_pantries,
                partner_verified=s.partner_verified,
                pantries=s.pantry_class_count,
                partner_verified_pct=figures.rate(
                    s.partner_verified_pantries, s.pantry_class_count
                ).pct,
            )
            for s in states
        ],
    )


# ---------------------------------------------------------------- cities, figures, snapshot


def _largest(cities: list[CityTotals]) -> list[CityTotals]:
    return sorted(cities, key=lambda c: (-c.resource_count, c.state, c.city))


def cities(release: OpenRelease, settings: Settings) -> shapes.Cities:
    """Return at most 200 cities with at least 20 places."""
    enough = [
        c for c in figures.statistics_of(release).cities if c.resource_count >= MIN_CITY_LOCATIONS
    ]
    entries = [
        shapes.CityEntry(
            city=c.city,
            state=c.state,
            state_name=STATES[c.state].name,
            resource_count=c.resource_count,
            pantry_count=c.pantry_class_count,
            free_food_count=c.free_food_count,
            lat=c.lat,
            lng=c.lng,
            search_url=address(
                settings.url, "search", urlencode({"zip": f"{c.city}, {c.state}", "mode": "free"})
            ),
        )
        for c in _largest(enough)[:MAX_CITIES]
    ]
    return shapes.Cities(
        **figures.head_of(release),
        minimum_locations=MIN_CITY_LOCATIONS,
        maximum_cities=MAX_CITIES,
        cities_with_minimum=len(enough),
        count=len(entries),
        cities=entries,
    )


def quick_stats(release: OpenRelease, settings: Settings) -> shapes.QuickStats:
    """Return the main figures."""
    return shapes.QuickStats(
        **figures.head_of(release),
        organization=organization_head(settings),
        stats=figures.coverage_figures(release),
    )


_DISCOVERY = (
    "openapi",
    "search",
    "nearby",
    "urgent",
    "ask",
    "bulk",
    "hsds",
    "type_catalog",
    "atlas",
    "coverage",
    "leaderboard",
    "data_quality",
    "service_health",
    "mcp",
)
# Name, surface, query; braces are placeholders.
_ACTIONS: tuple[tuple[str, str, str], ...] = (
    ("find_free_food", "search", "zip={zip}&mode=free"),
    ("find_open_now", "urgent", "zip={zip}"),
    ("find_near_a_point", "nearby", "lat={lat}&lng={lng}&mode=free"),
    ("find_wic_office", "search", "zip={zip}&mode=wic"),
    ("find_summer_meals", "search", "zip={zip}&mode=summer"),
    ("ask_in_plain_words", "ask", "q={question}"),
    ("show_a_place", "resource", ""),
    ("check_disasters", "disasters_active", "zip={zip}"),
    ("show_a_state", "state_atlas", ""),
)


def snapshot(release: OpenRelease, settings: Settings) -> shapes.Snapshot:
    """Return everything at a glance."""
    statistics, url = figures.statistics_of(release), settings.url
    states = sorted(
        (s for s in statistics.states if s.free_food_count),
        key=lambda s: (-s.free_food_count, s.state),
    )
    return shapes.Snapshot(
        **figures.head_of(release),
        organization=organization_head(settings),
        coverage=figures.coverage_figures(release),
        top_states=[
            shapes.TopState(
                s.state,
                STATES[s.state].name,
                s.resource_count,
                s.pantry_class_count,
                s.free_food_count,
            )
            for s in states[:_TOP]
        ],
        top_cities=[_top_city(c) for c in _largest(statistics.cities)[:_TOP]],
        discovery=addresses(url, _DISCOVERY),
        quick_actions={name: address(url, surface, query) for name, surface, query in _ACTIONS},
    )
