"""Answers the needs of a question that a place with food does not meet."""

from urllib.parse import quote, urlencode

from schemas.api.plain_language import Action, AnsweredNeed
from schemas.languages import languages
from schemas.vocab.states import STATES
from serving.reference.contacts import facts
from serving.search.area_help import contact_words, contacts_of_state, help_for
from serving.search.language import reply
from serving.search.language.needs import answer_need
from serving.search.language.reading import Reading
from serving.search.start import Start
from warehouse.index.reader import OpenRelease


def answer_needs(
    release: OpenRelease, reading: Reading, action: Action, start: Start | None, base: str
) -> tuple[list[AnsweredNeed], list[str]]:
    """Return the answered needs, dangers first, and their sentences with contacts and sources."""
    language, where = reading.language, reading.where
    words, prefix = reply.phrases(language), languages()[language].prefix
    answered, sentences, adds = list[AnsweredNeed](), list[str](), set[str]()
    for need in reading.needs:
        found = answer_need(need, language)
        if found is None:
            # A fact is out of date: the help line answers instead.
            sentences.append(reply.hotlines(language))
            continue
        text = found.text
        if "{health}" in text:
            near = urlencode({"zip": where.location, "mode": "health"}, quote_via=quote)
            text = text.format(health=f": {base}{prefix}/search?{near}" if where.location else "")
        page = need.definition.page
        answered.append(
            AnsweredNeed(
                id=need.id,
                is_danger=need.is_danger,
                answer=text,
                source=found.fact.source_title,
                source_url=found.fact.source_url,
                as_of=found.fact.as_of.isoformat(),
                page=f"{base}{prefix}{page}" if page else None,
            )
        )
        sentences.append(text)
        if not found.fact.id.startswith("hotline."):
            date = reply.write_date(found.fact.as_of, language)
            sentences.append(words.need_source.format(source=found.fact.source_title, date=date))
        adds.update(need.definition.adds)
    if "state" in adds and action != "apply_snap":
        sentences.append(_state_agency(where.state, reading))
    if "bank" in adds:
        sentences += _food_bank(release, start, reading)
    return answered, [sentence for sentence in sentences if sentence]


def _state_agency(state: str | None, reading: Reading) -> str:
    """Return how to reach the SNAP agency of the state; without a state, ask for it."""
    language = reading.language
    if state not in STATES or facts().programs.get(state) is None:
        return "" if reading.where.location else str(reply.phrases(language).need_state)
    agency = [one for one in contacts_of_state(state) if one.kind == "food_program"]
    return " ".join(contact_words(one, language) for one in agency)


def _food_bank(release: OpenRelease, start: Start | None, reading: Reading) -> list[str]:
    """Return the food bank of the place; without a place, ask for it."""
    if start is None:
        return [reply.phrases(reading.language).need_bank]
    banks = [one for one in help_for(release, start).contacts if one.kind == "food_bank"]
    return [contact_words(bank, reading.language) for bank in banks]
