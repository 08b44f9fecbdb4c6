"""Members of documents about benefits: amounts and limits by household size, states' options, WIC.

A table has the source and the time of its figures, and `rows`. A row has `household_size` (null in
the row for each additional person), `label`, and an amount for each area or pay period. Members
about WIC have both languages in one document (`_en`, `_es`), as its clients expect.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any
from unicodedata import normalize

from schemas.hours.clock_words import month_year
from schemas.vocab.states import STATES
from serving.documents.date_fields import program_dates
from serving.documents.render_context import RenderContext
from serving.http.errors import ServiceProblem
from serving.reference.policy import FactNotInForce, FactsOn, FactValue
from serving.render.formats import day, money
from serving.render.words import Words, words

ALLOTMENT_AREAS = ("contiguous", "AK_URBAN", "AK_RURAL_1", "AK_RURAL_2", "HI", "GU", "VI")
LIMIT_AREAS = ("contiguous", "AK", "HI")
# Where restaurants take part, in the words of the fact. Other words are shown unchanged.
_WHERE = {
    "statewide": "en todo el estado",
    "statewide (every county)": "en todo el estado (todos los condados)",
    "Cook and Franklin counties": "condados de Cook y Franklin",
    "limited areas": "en algunas zonas",
    "participating": "participa",
}


# ---------------------------------------------------------------- tables by household size


def _table(context: RenderContext, fact_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the source and time of a fact, and its value."""
    figure = context.facts.figure(fact_id)
    value = figure.pop("value")
    return figure, value


def _rows(context: RenderContext, columns: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return one row for each household size; `columns` are tables with `by_size` and perhaps
    `each_additional`."""
    first = next(iter(columns.values()))
    rows: list[dict[str, Any]] = [
        {"household_size": size, "label": str(size)}
        | {name: table["by_size"][size] for name, table in columns.items()}
        for size in first["by_size"]
    ]
    if all(table.get("each_additional") is not None for table in columns.values()):
        label = context.say("Each additional person", "Cada persona más")
        rows.append(
            {"household_size": None, "label": label}
            | {name: table["each_additional"] for name, table in columns.items()}
        )
    return rows


def _by_area(fact_id: str, areas: tuple[str, ...], context: RenderContext) -> dict[str, Any]:
    """Return sizes by areas."""
    figure, value = _table(context, fact_id)
    return {**figure, "rows": _rows(context, {area: value[area] for area in areas})}


def _by_period(fact_id: str, context: RenderContext) -> dict[str, Any]:
    """Return a table for each area: sizes by pay periods."""
    figure, value = _table(context, fact_id)
    areas = {}
    for area in LIMIT_AREAS:
        rows = _rows(context, {"amounts": value[area]})
        areas[area] = [row | row.pop("amounts") for row in rows]
    return {**figure, "areas": areas}


def snap_at_a_glance(context: RenderContext) -> list[dict[str, Any]]:
    """Return the maximum SNAP and both income limits by size, in the 48 states and DC."""
    ids = {"most": "snap.max_allotment", "gross": "snap.gross_limit", "net": "snap.net_limit"}
    return _rows(context, {name: context.facts.fact(i)["contiguous"] for name, i in ids.items()})


def snap_year_change(context: RenderContext) -> list[dict[str, Any]]:
    """Return the maximum SNAP by size before and since the current year began, in the 48 states and
    DC.

    Empty if the previous year is unknown.
    """
    now = context.facts.find("snap.max_allotment").fact
    if now.effective_from is None:
        return []
    try:
        before = FactsOn(now.effective_from - timedelta(days=1)).value("snap.max_allotment")
    except FactNotInForce:
        return []
    rows = _rows(context, {"before": before["contiguous"], "now": now.value["contiguous"]})
    return [row | {"change": row["now"] - row["before"]} for row in rows]


# People, pay and rent of the examples: from no income to a household near the limit.
_EXAMPLES = ((1, 0, 0), (3, 2000, 1000), (4, 2800, 1200))


def snap_examples(context: RenderContext) -> list[dict[str, Any]]:
    """Return the calculator's estimates for three households in Texas, this month. Empty when no
    amounts are in force."""
    from serving.benefits.estimate import estimate  # noqa: PLC0415 - it needs the service's context, which needs this

    rows = []
    for people, wages, rent in _EXAMPLES:
        request: dict[str, Any] = {
            "household_size": people,
            "state": "TX",
            "monthly_earned_income": wages,
            "rent_or_mortgage": rent,
        }
        if rent:
            request["utilities"] = ["heating_cooling"]
        try:
            result = estimate(request, context.day, context.release)
        except ServiceProblem:
            return []
        one, several = ("One person", "Una persona"), (f"{people} people", f"{people} personas")
        rows.append(
            {
                "household_size": people,
                "household": context.say(*(one if people == 1 else several)),
                "wages": wages,
                "rent": rent,
                "benefit": result.estimated_monthly_benefit,
            }
        )
    return rows


# ---------------------------------------------------------------- what states decide


def _state_row(
    context: RenderContext, code: str, fact: FactValue | None = None, **members: Any
) -> dict[str, Any]:
    """Return the members of a state, with the source of the fact behind them."""
    row = {"state": code, "name": STATES[code].names[context.language], **members}
    if fact is not None:
        row |= {"source_url": fact.source_url, "as_of": fact.as_of.isoformat()}
    return row


def _by_name(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # Without accents, Míchigan sorts before Minnesota.
    return sorted(
        rows, key=lambda row: normalize("NFD", row["name"]).encode("ascii", "ignore").decode()
    )


def snap_state_limits(context: RenderContext) -> list[dict[str, Any]]:
    """Return limits on gross income and resources of most households, by state. Null: the federal
    limit, or no limit."""
    rows = []
    for code in STATES:
        if f"snap.bbce.{code}" not in context.facts:
            continue
        fact = context.facts.find(f"snap.bbce.{code}").fact
        gross = assets = None
        gross_shown = assets_shown = context.say("federal limit", "límite federal")
        is_raised = bool(fact.value["in_use"])
        if is_raised:
            gross, assets = fact.value["gross_pct"], fact.value["asset_limit"]
            gross_shown, assets_shown = f"{gross}%", context.say("no limit", "sin límite")
            if assets is not None:
                assets_shown = money(assets, context.language)
        rows.append(
            _state_row(
                context,
                code,
                fact,
                uses_higher_limits=is_raised,
                gross_income_pct_fpl=gross,
                asset_limit=assets,
                gross_shown=gross_shown,
                assets_shown=assets_shown,
            )
        )
    return _by_name(rows)


def _start(context: RenderContext, start: str | date | None) -> str:
    """Return a day, a month (`2026-04`), or that it was not found."""
    if start is None:
        return context.say("approved; start not found", "aprobado; no hallamos la fecha")
    if isinstance(start, str) and len(start) == len("2026-04"):
        return month_year(date.fromisoformat(f"{start}-01"), context.language)
    return day(start, context.language)


def food_restrictions(context: RenderContext) -> dict[str, Any]:
    """Return states that keep some foods off SNAP, and from when."""
    figure, value = _table(context, "snap.food_restrictions")
    rows = [
        _state_row(context, c, starts=start and str(start), starts_shown=_start(context, start))
        for c, start in value.items()
    ]
    return {**figure, "count": len(rows), "rows": _by_name(rows)}


def restaurant_meals(context: RenderContext) -> dict[str, Any]:
    """Return states with a restaurant meals program, and where it operates."""
    figure, value = _table(context, "snap.restaurant_meals")
    rows = [
        _state_row(context, c, where=context.say(where, _WHERE.get(where, where)))
        for c, where in value.items()
    ]
    return {**figure, "rows": _by_name(rows)}


def free_school_meals(context: RenderContext) -> list[dict[str, Any]]:
    """Return states with free meals for every pupil (or breakfast alone), and since when."""
    kinds = (
        ("free_for_all", "breakfast_and_lunch", "Breakfast and lunch", "Desayuno y almuerzo"),
        ("breakfast_free_for_all", "breakfast", "Breakfast", "Desayuno"),
    )
    rows: list[dict[str, Any]] = []
    for name, meals, en, es in kinds:
        fact = context.facts.find(f"school_meals.{name}").fact
        shown = {"meals": meals, "meals_shown": context.say(en, es)}
        rows += [
            _state_row(context, code, fact, **shown, since=since.isoformat())
            for code, since in fact.value.items()
        ]
    return _by_name(rows)


def raised_school_limits(context: RenderContext) -> list[dict[str, Any]]:
    """Return states with a higher income limit for free school meals."""
    fact = context.facts.find("school_meals.free_limit_raised").fact
    return _by_name(
        [
            _state_row(
                context,
                code,
                fact,
                pct_fpl=entry["pct"],
                shown=f"{entry['pct']}%",
                since=entry["since"].isoformat(),
            )
            for code, entry in fact.value.items()
        ]
    )


def benefit_dates(context: RenderContext) -> list[dict[str, Any]]:
    """Return the dates of programs, without those of giving and without the sources of those."""
    before = set(context.facts.used)
    dates = program_dates(context)
    rows = [row for row in dates if row["topic"] != "giving"]
    sources = {(row["source"], row["source_url"]) for row in rows}
    for fact_id in set(context.facts.used) - before:
        fact = context.facts.used[fact_id].fact
        if (fact.source_title, fact.source_url) not in sources:
            del context.facts.used[fact_id]
    return rows


snap_allotments = partial(_by_area, "snap.max_allotment", ALLOTMENT_AREAS)
snap_gross_limits = partial(_by_area, "snap.gross_limit", LIMIT_AREAS)
snap_net_limits = partial(_by_area, "snap.net_limit", LIMIT_AREAS)
wic_income_limits = partial(_by_period, "wic.income_limit")
school_free_limits = partial(_by_period, "school_meals.free_limit")
school_reduced_limits = partial(_by_period, "school_meals.reduced_limit")
csfp_income_limits = partial(_by_area, "csfp.income_limit", LIMIT_AREAS)
fdpir_income_limits = partial(_by_area, "fdpir.net_income_limit", ("contiguous", "AK"))


# ---------------------------------------------------------------- WIC


def wic_program(context: RenderContext) -> dict[str, Any]:
    """Return the program's names, its funding and its form of help."""
    own, en, es = (words("wic", language).program for language in (context.language, "en", "es"))
    return {
        "name": own.name,
        "full_name_en": en.full_name,
        "full_name_es": es.full_name,
        "issuing_agency": own.issuing_agency,
        "full_name": own.full_name,
        "delivery_method": own.delivery_method,
    }


def wic_four_tests(context: RenderContext) -> list[dict[str, Any]]:
    """Return the four tests in the order used by clinics."""
    pct = context.facts.fact("wic.income_pct")
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
            "eligible_categories": wic_categories(context) if name == "category" else [],
        }
        for number, (name, own, en, es) in enumerate(_in_languages(context, "tests"), 1)
    ]


def wic_categories(context: RenderContext) -> list[dict[str, Any]]:
    """Return the groups served, each with its duration."""
    ages = {
        "months": context.facts.fact("wic.postpartum_months"),
        "nursing": context.facts.fact("wic.breastfeeding_until_age"),
        "infant": context.facts.fact("wic.infant_until_age"),
        "child": context.facts.fact("wic.child_until_age"),
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
        for name, own, en, es in _in_languages(context, "categories")
    ]


def _in_languages(context: RenderContext, part: str) -> Iterator[tuple[str, Words, Words, Words]]:
    """Yield each entry of content/messages/wic.yaml: name, words of the document, English,
    Spanish."""
    own, en, es = (words("wic", language)[part] for language in (context.language, "en", "es"))
    for name, _ in en.items():
        yield name, own[name], en[name], es[name]
