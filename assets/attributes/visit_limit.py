"""Finds clauses about how often a household may come: "Customers can shop once per month"."""

from assets.attributes.clauses import Finding, pattern

FIELD = "visit_limit_text"
_PERIOD = (
    r"(?:(?:calendar )?(?:day|week|month|quarter|year)|\d+[ -]?(?:days?|weeks?|months?)"
    r"|(?:two|three|four|six) (?:weeks|months))"
)
_TIMES = r"(?:once|twice|(?:one|two|three|four|\d) (?:times?|visits?)(?: (?:is |are )?allowed)?)"
_LIMIT = pattern(
    rf"\b{_TIMES} (?:per|an?|each|every|in an?|in) {_PERIOD}\b",
    rf"\b(?:visits?|food|assistance|help|come|comes|shop|served)\b.{{0,30}}\bevery {_PERIOD}\b",
)
_EVERY_DAY = pattern(r"\bevery day\b")
# Subjects of the clause: visitors, not the place.
_VISITORS = pattern(
    r"\b(?:customers?|clients?|guests?|neighbou?rs?|famil(?:y|ies)|households?|visitors?"
    r"|residents?|individuals?|participants?|patrons?|shoppers?|person|people|visits?|visited)\b",
    r"\b(?:may|can) (?:only )?(?:be (?:used|visited|picked up|served)|come|receive|get|shop|use"
    r"|visit)\b",
    r"\b(?:limit(?:ed)?|allowed|up to|no more than|maximum)\b",
)
_PLACE = pattern(
    r"\b(?:operates?|(?:is )?open|opens|closed|distributions?|distributes|held|meets|delivers?"
    r"|delivery|usually|volunteers?|offers?|provides?|hosts?|they (?:also )?have|appointments?)\b",
)


def findings(clause: str) -> list[Finding]:
    """Return the clause if it limits how often a household may come."""
    if not _LIMIT.search(clause) or _EVERY_DAY.search(clause):
        return []
    is_of_visitors = _VISITORS.search(clause) and not _PLACE.search(clause)
    return [Finding(FIELD, clause, clause)] if is_of_visitors else []
