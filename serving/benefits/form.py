"""The calculator as a page: a plain form, its answers, and the estimate above it. Nothing is
stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from litestar.types import Scope

from schemas.api.snap import AK_AREAS, MAX_DOLLARS, MAX_SIZE, UTILITIES, SnapEstimate
from schemas.vocab.states import STATES
from serving.benefits.estimate import estimate
from serving.benefits.household import utility_regions
from serving.benefits.wording import state_name
from serving.context import current_release
from serving.http.answers import HOUR, Answer
from serving.http.errors import ServiceProblem
from serving.reference.policy import facts_on
from serving.render.formats import number
from serving.render.page import Head, page
from serving.render.words import Language, paths_of, words

_PATH = "/snap-calculator"
_NO_STORE = ((b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer"))
_LISTS = {"utilities"}
_MONEY = {
    "monthly_earned_income",
    "monthly_unearned_income",
    "rent_or_mortgage",
    "property_tax_and_insurance",
    "dependent_care",
    "medical_expenses",
    "child_support_paid",
    "assets",
}


def _head(language: Language, *, is_indexed: bool) -> Head:
    texts = words("benefits", language).page
    path, twin = paths_of(_PATH, language)
    return Head(path, texts.title, texts.description, language, twin, is_indexed=is_indexed)


def _page(
    scope: Scope,
    language: Language,
    sent: dict[str, Any],
    found: SnapEstimate | None,
    faults: dict[str, str],
    today: date,
) -> Answer:
    is_answer = bool(sent)
    return page(
        scope,
        "snap_calculator.html",
        _head(language, is_indexed=not is_answer),
        max_age=0 if is_answer else HOUR,
        status=400 if faults else 200,
        headers=_NO_STORE if is_answer else (),
        words_of="benefits",
        sent=sent,
        found=found,
        faults=faults,
        utilities=UTILITIES,
        states=_states(language),
        regions=_regions(),
        portal=_portal(found, today),
    )


def _states(language: Language) -> list[tuple[str, str]]:
    """Return code and name, by name."""
    return sorted(((code, state_name(code, language)) for code in STATES), key=lambda pair: pair[1])


def _regions() -> list[str]:
    """Return what `region` may hold."""
    return [*AK_AREAS, *(r for r in utility_regions() if "_" in r)]


def _portal(found: SnapEstimate | None, today: date) -> str | None:
    """Return the name of the state's page."""
    if found is None:
        return None
    known = facts_on(today).get(f"state.portal.{found.state}")
    return known.value["name"] if known else None


def empty_form(scope: Scope, language: Language, today: date) -> Answer:
    """Return the form with nothing in it."""
    return _page(scope, language, {}, None, {}, today)


def prefilled_form(
    scope: Scope, language: Language, pairs: Sequence[tuple[str, Any]], today: date
) -> Answer:
    """Return the form with some answers filled in that are too few for an estimate: nothing is
    wrong yet."""
    return _page(scope, language, _gathered(pairs), None, {}, today)


def answered_form(
    scope: Scope, language: Language, pairs: Sequence[tuple[str, Any]], today: date
) -> Answer:
    """Return the form as sent, and the estimate or what is wrong with it (400)."""
    sent = _gathered(pairs)
    asked = {**sent, "lang": language}
    try:
        found = estimate(asked, today, current_release(scope), is_form=True)
    except ServiceProblem as problem:
        return _page(scope, language, sent, None, _told(problem, language), today)
    return _page(scope, language, sent, found, {}, today)


def _told(problem: ServiceProblem, language: Language) -> dict[str, str]:
    """Return fields and what is asked of them, in the reader's language."""
    rules = words("benefits", language).page.rules
    sizes = {"size": MAX_SIZE, "dollars": number(MAX_DOLLARS, language)}
    messages = {}
    for name in problem.faults or ("other",):
        kind = name.removeprefix("utility_") if name in {"region", "utility_region"} else name
        kind = kind if kind in rules else "money" if kind in _MONEY else "other"
        messages[name] = rules[kind].format(**sizes)
    return messages


def _gathered(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a form; those that may be sent many times as lists. Uploads are left
    out."""
    sent: dict[str, Any] = {}
    for name, value in pairs:
        if not isinstance(value, str) or not value.strip():
            continue
        if name in _LISTS:
            sent.setdefault(name, []).append(value.strip())
        else:
            sent[name] = value.strip().replace(",", "").removeprefix("$")
    return sent
