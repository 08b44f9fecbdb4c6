"""Answers what is no place with food: needs (content/needs.yaml), and topics such as the speed of
SNAP, disasters, forms and school meals."""

from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, urlencode

from schemas.api.area_help import AreaContact
from schemas.api.plain_language import AnsweredNeed
from schemas.languages import languages
from schemas.vocab.states import STATES
from schemas.words import Messages, messages
from serving.disasters import disasters
from serving.http.errors import ServiceProblem
from serving.reference.policy import FactsOn
from serving.search.area_help import contacts_for, contacts_of_state
from serving.search.language import reply
from serving.search.language.needs import answer_need
from serving.search.language.reading import Reading
from serving.search.start import Start
from warehouse.index.reader import OpenRelease


class AnsweredNeeds(NamedTuple):
    """The needs, dangers first; their answers with sources; contacts; and what is still to ask."""

    needs: list[AnsweredNeed]
    sentences: list[str]
    contacts: list[AreaContact]
    question: str


def answer_needs(
    release: OpenRelease, reading: Reading, start: Start | None, base: str
) -> AnsweredNeeds:
    """Answer the needs of a question; `base` is the address of the service."""
    language, where = reading.language, reading.where
    words, prefix = reply.phrases(language), languages()[language].prefix
    answered, sentences, adds = list[AnsweredNeed](), list[str](), set[str]()
    for need in reading.needs:
        found = answer_need(need, language)
        if found is None:
            # A fact is out of date: the help line answers instead.
            sentences.append(reply.hotlines(language))
            continue
        text, page, fact = found.text, need.definition.page, found.fact
        if "{health}" in text:
            near = urlencode({"zip": where.location, "mode": "health"}, quote_via=quote)
            text = text.format(health=f": {base}{prefix}/search?{near}" if where.location else "")
        answered.append(
            AnsweredNeed(
                need.id,
                need.is_danger,
                text,
                fact.source_title,
                fact.source_url,
                fact.as_of.isoformat(),
                f"{base}{prefix}{page}" if page else None,
            )
        )
        sentences.append(text)
        if not fact.id.startswith("hotline."):
            date = reply.write_date(fact.as_of, language)
            sentences.append(words.need_source.format(source=fact.source_title, date=date))
        adds.update(need.definition.adds)
    contacts, question = list[AreaContact](), ""
    # How to apply says the same of the state's agency.
    if "state" in adds and reading.wants.intent != "apply":
        if where.state in STATES:
            of_state = contacts_of_state(where.state)
            contacts = [one for one in of_state if one.kind == "food_program"]
        else:
            question = words.need_state
    if "bank" in adds and start is not None:
        near_by = contacts_for(release, start)
        contacts += [one for one in near_by if one.kind == "food_bank"]
    elif "bank" in adds:
        question = words.need_bank
    return AnsweredNeeds(answered, sentences, contacts, question)


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
    in_force, state = FactsOn(now.astimezone(UTC).date()), reading.where.state
    if "disaster" in topics:
        sentences.append(_of_disaster(release, reading, words))
    if "expedited" in topics:
        # The figures of 7 CFR 273.2.
        days, limits = in_force.get("snap.processing_days"), in_force.get("snap.expedited")
        if days is not None and limits is not None:
            income, money = limits.value["income_below"], limits.value["money_most"]
            days_most = days.value["expedited"]
            sentences.append(words.expedited.format(days=days_most, income=income, money=money))
    if "estimate" in topics:
        sentences.append(words.estimate.format(url=links["snap_calculator"]))
    if "sun_bucks" in topics:
        sentences.append(words.sun_bucks)
        absent = in_force.get("summer.sun_bucks_not_2025")
        if state is not None and absent is not None and state in absent.value and state != _TRIBAL:
            name = STATES[state].names[reading.language]
            sentences.append(words.sun_bucks_not.format(state=name))
    sentences += [getattr(words, name) for name in ("form_help", "school_apply") if name in topics]
    return sentences


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
