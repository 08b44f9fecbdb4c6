"""Members of documents about states: totals of the release, ranking, where to apply, whom to call,
and links between the pages of a state.
"""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from schemas.languages import localize
from schemas.vocab.food_access import ACCESS_CLASSES, NOTHING_LISTED
from schemas.vocab.states import FIFTY_ONE, STATE_CODES, STATES, sort_by_name
from serving.documents.inline import phone_mark
from serving.documents.render_context import RenderContext
from serving.reference.policy import FactValue
from serving.reference.totals import rank_states, statistics_of
from serving.render.formats import day as in_words
from serving.render.formats import filters, number
from serving.render.words import words
from serving.statistics.food_access import SIZE, STEP, TILES


def state_numbers(context: RenderContext) -> list[dict[str, Any]]:
    """Return the release's figures of the state. `value` is null if unknown."""
    assert context.state is not None
    totals = context.live.state(context.state.code)
    rows = []
    for name, label in words("states", context.language).figures.items():
        value = getattr(totals, name)
        shown = "—" if value is None else number(value, context.language)
        rows.append({"id": name, "label": label, "value": value, "shown": shown})
    return rows


def state_coverage(context: RenderContext) -> dict[str, Any]:
    """Return how densely the directory covers the state, with its rank among 51."""
    assert context.state is not None
    totals = context.live.state(context.state.code)
    tier = totals.coverage_tier
    return {
        "state": context.state.code,
        "name": context.state.names[context.language],
        "resources_per_1000_residents": totals.resources_per_1000_residents,
        "rank": totals.coverage_rank,
        "of": len(FIFTY_ONE),
        "tier": tier,
        "tier_name": tier and words("states", context.language).tiers[tier],
    }


def top_cities(context: RenderContext) -> list[dict[str, Any]]:
    """Return the ten cities of the state with the most pantries and kitchens."""
    assert context.state is not None
    assert context.release is not None
    cities = [
        c
        for c in statistics_of(context.release).cities
        if c.state == context.state.code and c.pantry_class_count
    ]
    cities.sort(key=lambda c: (-c.pantry_class_count, c.city))
    return [
        {"city": c.city, "pantry_class": c.pantry_class_count, "free_food": c.free_food_count}
        for c in cities[:10]
    ]


def state_program(context: RenderContext) -> dict[str, Any]:
    """Return SNAP in the state: its name, agency and application page, with sources. Unknown
    members are null."""
    assert context.state is not None
    code = context.state.code
    program = {}
    for name in ("program", "portal", "phone"):
        fact_id = f"state.{name}.{code}"
        program[name] = context.facts.figure(fact_id) if fact_id in context.facts else None
    return program


def states_with_page(context: RenderContext) -> list[dict[str, Any]]:
    """Return the 50 states and DC with the document of each that belongs to this one
    (`<id>-state`)."""
    row = context.library.rows.get(f"{context.row.id}-state")
    if row is None or row.planned:
        return []
    page = row.page_of(context.language) or row.page or ""
    json = row.json_of(context.language) or row.json or row.data_path or ""
    return [
        {
            "state": code,
            "name": STATES[code].names[context.language],
            "page": page.replace("{state}", code),
            "json": context.settings.url + json.replace("{state}", code),
        }
        for code in sort_by_name(FIFTY_ONE, context.language)
    ]


# ---------------------------------------------------------------- where to apply, whom to call


def hotlines(context: RenderContext) -> list[dict[str, Any]]:
    """Return telephone help that needs no place. Lines that no source confirms are left out."""
    return [
        {
            "id": name,
            "name": line.name,
            "number": fact.value,
            "what_for": line.use,
            "as_of": fact.as_of.isoformat(),
            "in_short": f"{phone_mark(fact.value)}. {line.use}",
        }
        for name, line in words("states", context.language).hotlines.items()
        if (fact := _fact_in_force(context, f"hotline.{name}"))
    ]


def states(context: RenderContext) -> list[dict[str, Any]]:
    """Return every state and territory: the program's name, the agency, where to apply, the
    telephone, when benefits are deposited.

    They are in the order of their names in the language. Members that no source names are null.
    `checked_on` is the older of the days on which the sources checked portal and telephone.
    `in_short` has inline markup.
    """
    codes = [code for code in STATE_CODES if f"state.program.{code}" in context.facts]
    return [_state(context, code) for code in sort_by_name(codes, context.language)]


def _state(context: RenderContext, code: str) -> dict[str, Any]:
    state, program = STATES[code], _fact_in_force(context, f"state.program.{code}")
    assert program is not None
    portal = _fact_in_force(context, f"state.portal.{code}")
    phone = _fact_in_force(context, f"state.phone.{code}")
    days = _fact_in_force(context, f"snap.issuance.{code}")
    first, last = (days.value["first_day"], days.value["last_day"]) if days else (None, None)
    check_days = [fact.as_of for fact in (portal, phone) if fact]
    return {
        "state": code,
        "name": state.names[context.language],
        "kind": state.kind,
        "program": program.value["name"],
        "is_snap": program.value["is_snap"],
        "agency": program.value["agency"],
        "portal_name": portal.value["name"] if portal else None,
        "portal_url": portal.value["url"] if portal else None,
        "portal_in_two_sources": portal.value["second_source_agrees"] if portal else None,
        "phone": phone.value if phone else None,
        "checked_on": min(check_days).isoformat() if check_days else None,
        "deposit_first_day": first,
        "deposit_last_day": last,
        "deposit_days": None
        if first is None
        else str(first)
        if first == last
        else f"{first}–{last}",
        "in_short": _in_short(context, program.value, portal, phone, first, last),
    }


def _in_short(
    context: RenderContext,
    program: dict[str, Any],
    portal: FactValue | None,
    phone: FactValue | None,
    first: int | None,
    last: int | None,
) -> str:
    """Return the line of the page: the program, its website or else its agency, the telephone, the
    days of deposits, and the day of the check."""
    if portal:
        site = portal.value["name"] or context.say("website", "sitio web")
        sentences = [f"{program['name']}: [{site}]({portal.value['url']})"]
    else:
        sentences = [": ".join(filter(None, (program["name"], program["agency"])))]
    if phone:
        sentences.append(context.say("Call {}", "Llame al {}").format(phone_mark(phone.value)))
    if first is not None and first == last:
        text = context.say(
            "Benefits are added on the {}", "Los beneficios se depositan el día {} de cada mes"
        )
        sentences.append(text.format(_ordinal(context, first)))
    elif first is not None and last is not None:
        text = context.say(
            "Benefits are added between the {} and the {}",
            "Los beneficios se depositan entre el día {} y el {} de cada mes",
        )
        sentences.append(text.format(_ordinal(context, first), _ordinal(context, last)))
    check_days = [fact.as_of for fact in (portal, phone) if fact]
    if check_days:
        sentences.append(
            context.say("Checked {}", "Revisado el {}").format(
                in_words(min(check_days), context.language)
            )
        )
    return ". ".join(sentences) + "."


def _ordinal(context: RenderContext, number: int) -> str:
    """Return "1st", "23rd"; in Spanish the number alone."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number % 100 in (11, 12, 13) else endings.get(number % 10, "th")
    return context.say(f"{number}{ending}", str(number))


def _fact_in_force(context: RenderContext, fact_id: str) -> FactValue | None:
    return context.facts.find(fact_id).fact if fact_id in context.facts else None


def kinds(context: RenderContext) -> list[dict[str, Any]]:
    """Return listed places by kind, of the state or of the whole directory, the most frequent
    first."""
    codes = [context.state.code] if context.state else STATE_CODES
    states = [context.live.state(code) for code in codes]
    rows = [
        {"id": name, "label": label, "value": sum(getattr(s, name) for s in states)}
        for name, label in words("states", context.language).kinds.items()
    ]
    return sorted(rows, key=lambda row: (-int(str(row["value"])), str(row["id"])))


def atlas_states(context: RenderContext) -> list[dict[str, Any]]:
    """Return the 50 states and DC by name, with their main counts and pages."""
    rows = []
    for code in FIFTY_ONE:
        totals = context.live.state(code)
        page = context.library.link(f"/atlas/{code}", context.language)
        name, tier = STATES[code].names[context.language], totals.coverage_tier
        rows.append(
            {
                "state": code,
                "name": name,
                "linked": f"[{name}]({page})",
                "page": context.settings.url + page,
                "json": f"{context.settings.url}/atlas/{code}.json",
                "places": totals.resource_count,
                "pantries": totals.pantry_class_count,
                "free_food": totals.free_food_count,
                "snap_retailers": totals.snap_retailers,
                "partner_verified": totals.partner_verified,
                "resources_per_1000_residents": totals.resources_per_1000_residents,
                "tier": tier,
                "tier_name": tier and words("states", context.language).tiers[tier],
            }
        )
    return sorted(rows, key=lambda row: str(row["name"]))


def atlas_map(context: RenderContext) -> dict[str, Any]:
    """Return squares of the 50 states and DC, colored by places with free food for every 100,000
    residents.

    The four classes hold a quarter of the states each; states without residents or places form
    another class.
    """
    totals = {code: context.live.state(code) for code in FIFTY_ONE}
    rates = {
        code: t.free_food_count * 100_000 / t.population if t.population else None
        for code, t in totals.items()
    }
    positive_rates = sorted(rate for rate in rates.values() if rate)
    bounds = (
        [positive_rates[len(positive_rates) * n // 4] for n in range(4)] if positive_rates else []
    )
    # Two significant figures for the smallest rate, and as many decimals in every square.
    digits = next(
        (n for n, least in enumerate((10, 1)) if positive_rates and positive_rates[0] >= least), 2
    )
    format_rate = partial(filters(context.language)["number"], digits=digits)
    tiles = []
    for code in FIFTY_ONE:
        rate, (column, line) = rates[code], TILES[code]
        kind = sum(rate >= bound for bound in bounds) - 1 if rate else None
        shade = ACCESS_CLASSES[kind] if kind is not None and kind >= 0 else NOTHING_LISTED
        label = format_rate(rate) if rate else "0" if rate is not None else "–"
        name = STATES[code].names[context.language]
        tiles.append(
            {
                "code": code,
                "x": column * STEP,
                "y": line * STEP,
                "fill": shade.color,
                "shown": label,
                "name": name,
                "ink": "#fff" if shade.id == "most" else "#1a1a1a",
                "page": context.library.link(f"/atlas/{code}", context.language),
            }
        )
    last = [*bounds[1:], positive_rates[-1]] if positive_rates else []
    classes = [
        {"fill": ACCESS_CLASSES[n].color, "low": format_rate(low), "high": format_rate(last[n])}
        for n, low in enumerate(bounds)
    ]
    return {
        "tiles": tiles,
        "classes": classes,
        "size": SIZE,
        "width": 12 * STEP,
        "height": 8 * STEP,
    }


def state_pages(context: RenderContext) -> list[dict[str, str]]:
    """Return the other pages about the same state."""
    assert context.state is not None
    code, name = context.state.code, context.state.names[context.language]
    own = context.row.id.removesuffix("-state")
    return [
        {
            "id": page,
            "title": title.format(name=name),
            "link": localize(f"/{page}/{code}", context.language),
        }
        for page, title in words("states", context.language).pages.items()
        if page != own
    ]


def state_searches(context: RenderContext) -> list[dict[str, str]]:
    """Return searches for free food in the cities of the state with the most pantries."""
    assert context.state is not None
    queries = {
        row["city"]: urlencode({"q": f"{row['city']}, {context.state.code}", "mode": "free"})
        for row in top_cities(context)
    }
    return [
        {"title": city, "link": localize(f"/search?{query}", context.language)}
        for city, query in queries.items()
    ]


def leaders(context: RenderContext) -> list[dict[str, Any]]:
    """Return states and territories by partner-verified pantries, as `/api/leaderboard.json` does:
    equal numbers share a rank, and states with none have no rank."""
    if context.release is None:
        return []
    return [
        {
            "rank": s.leaderboard_rank,
            "state": s.state,
            "name": STATES[s.state].names[context.language],
            "partner_verified_pantries": s.partner_verified_pantries,
            "pantries": s.pantry_class_count,
            "share": s.partner_verified_pantries / s.pantry_class_count
            if s.pantry_class_count
            else None,
        }
        for s in rank_states(statistics_of(context.release))
    ]


def first_leaders(context: RenderContext) -> list[dict[str, Any]]:
    """Return the first ten states, without those that have no partner-verified pantry."""
    return [row for row in leaders(context)[:10] if row["partner_verified_pantries"]]
