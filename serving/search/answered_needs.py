"""Answers the needs of a question that a place with food does not meet."""

from typing import NamedTuple
from urllib.parse import quote, urlencode

from schemas.api.area_help import AreaContact
from schemas.api.plain_language import AnsweredNeed
from schemas.languages import languages
from schemas.vocab.states import STATES
from serving.search.area_help import contact_words, contacts_of_state, help_for
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

    def in_words(self, reading: Reading) -> list[str]:
        """Return everything in sentences."""
        contacts = [contact_words(one, reading.language) for one in self.contacts]
        return [*self.sentences, *contacts, *filter(None, [self.question])]


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
        near_by = help_for(release, start).contacts
        contacts += [one for one in near_by if one.kind == "food_bank"]
    elif "bank" in adds:
        question = words.need_bank
    return AnsweredNeeds(answered, sentences, contacts, question)
