"""Reads how a visit works: appointment, walk-in, delivery, wheelchair, languages."""

import re

from assets.attributes.clauses import Finding, pattern
from assets.attributes.lexicon import VISITS
from assets.sources.languages import tags_of

_SPOKEN = re.compile(
    r"\b(?:staff|volunteers?|personnel"
    r"|we)(?: members?)?(?: who)? (?:can )?speaks?(?: only)?:?\s+(?P<a>[\w ,&/]+)"
    r"|\blanguages (?:spoken|offered|(?:the )?agency can provide):?\s+(?P<b>[\w ,&/]+)"
    r"|\bbilingual(?: staff| volunteers)?:?\s*\(?(?P<c>[\w ,&/]+)\)?"
    r"|^(?P<d>[\w ,&/]+?) (?:is |are )?spoken\b|\b(?:se habla|hablamos)\s+(?P<e>[\w ,&/]+)",
    re.IGNORECASE,
)
_UNSPOKEN = pattern(
    r"\bno\b|\bnot\b|n't\b|\blimited\b|\bsome(?:times)?\b|\bif\b|\bclients? speak|\bneed"
)


def findings(clause: str) -> list[Finding]:
    """Return truth values and `languages` (tags) that the clause plainly states."""
    results = [
        Finding(field, value, clause)
        for field, value, words, doubt in VISITS
        if words.search(clause) and not doubt.search(words.sub(" ", clause))
    ]
    match = _SPOKEN.search(clause)
    if match and not _UNSPOKEN.search(clause):
        languages = next(part for part in match.groups() if part is not None)
        results += [Finding("languages", tag, clause) for tag in tags_of(languages)]
    return results
