"""Answers topics that are not places: SNAP's amount, speed and disasters, help with forms, school
meals."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from schemas.languages import languages
from schemas.vocab.states import STATES
from schemas.words import Messages, messages
from serving.disasters import disasters
from serving.http.errors import ServiceProblem
from serving.reference.policy import FactsOn
from serving.search.language.reading import Reading
from warehouse.index.reader import OpenRelease

# In these states tribal nations run SUN Bucks.
_TRIBAL = "OK"


def topic_links(reading: Reading, base: str) -> dict[str, str]:
    """Return follow-up links: the calculator prefilled from the question, disasters, school
    meals."""
    topics, prefix = reading.wants.topics, languages()[reading.language].prefix
    links = dict[str, str]()
    if "estimate" in topics:
        state = {"state": reading.where.state} if reading.where.state else {}
        inputs = urlencode({**state, **dict(reading.household)})
        links["snap_calculator"] = f"{base}{prefix}/snap-calculator{'?' if inputs else ''}{inputs}"
    if "disaster" in topics:
        state_page = f"/{reading.where.state}" if reading.where.state else ""
        links["disasters"] = f"{base}{prefix}/disasters{state_page}"
    if "operator" in topics:
        links["claim"] = f"{base}{prefix}/claim"
    if topics & {"school_apply", "sun_bucks"}:
        links["school_meals"] = f"{base}{prefix}/school-meals-eligibility"
    return links


def topics_in_words(
    release: OpenRelease, reading: Reading, links: dict[str, str], now: datetime
) -> list[str]:
    """Return a sentence on each topic of a question, in order."""
    words, topics, sentences = messages("topics", reading.language), reading.wants.topics, []
    if "disaster" in topics:
        sentences.append(_of_disaster(release, reading, words))
    if "expedited" in topics:
        sentences += _of_speed(words, now)
    if "estimate" in topics:
        sentences.append(words.estimate.format(url=links["snap_calculator"]))
    if "sun_bucks" in topics:
        sentences += _of_sun_bucks(reading, words, now)
    sentences += [getattr(words, name) for name in ("form_help", "school_apply") if name in topics]
    return sentences


def operator_in_words(reading: Reading, links: dict[str, str]) -> list[str]:
    """Return the sentence for those who run a place; it never comes first."""
    words = messages("topics", reading.language)
    is_operator = "operator" in reading.wants.topics
    return [words.operator.format(url=links["claim"])] if is_operator else []


def _of_speed(words: Messages, now: datetime) -> list[str]:
    """Return the figures of 7 CFR 273.2 while they are in force."""
    facts = FactsOn(now.astimezone(UTC).date())
    days, limits = facts.get("snap.processing_days"), facts.get("snap.expedited")
    if days is None or limits is None:
        return []
    income, money = limits.value["income_below"], limits.value["money_most"]
    return [words.expedited.format(days=days.value["expedited"], income=income, money=money)]


def _of_sun_bucks(reading: Reading, words: Messages, now: datetime) -> list[str]:
    """Describe SUN Bucks, and whether a named state did not take part, if known."""
    state = reading.where.state
    absent = FactsOn(now.astimezone(UTC).date()).get("summer.sun_bucks_not_2025")
    if state is None or absent is None or state not in absent.value or state == _TRIBAL:
        return [words.sun_bucks]
    name = STATES[state].names[reading.language]
    return [words.sun_bucks, words.sun_bucks_not.format(state=name)]


def _of_disaster(release: OpenRelease, reading: Reading, words: Messages) -> str:
    """Say whether Disaster SNAP is likely by the declarations; ask for the state if none is
    named."""
    where = reading.where
    if not where.state:
        return str(words.disaster_where)
    try:
        code = where.zip.zip if where.zip else None
        status = disasters.active(release, zip=code, state=None if code else where.state)
    except ServiceProblem:
        return str(words.disaster_unknown)
    message = status.dsnap_message
    return message[reading.language]
