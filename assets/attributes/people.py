"""Reads whom a place serves: groups and ages. A group with priority is no limit."""

import re

from assets.attributes.clauses import Finding, pattern
from assets.attributes.lexicon import DAYS

_GROUPS: tuple[tuple[str, str], ...] = (
    (
        "seniors",
        r"(?:senior citizens|seniors?|older adults|the elderly|personas mayores|adultos mayores)",
    ),
    ("students", r"(?:students?|estudiantes)"),
    ("children", r"(?:children|kids|child|youth|niños)"),
    ("families", r"(?:families|familias)"),
    ("women", r"(?:women|mujeres)"),
    ("veterans", r"(?:veterans|military (?:families|members)|veteranos)"),
    ("unhoused", r"(?:homeless(?: people| individuals)?|unhoused(?: people)?|personas sin hogar)"),
)
_WORDS = r"(?:[\w'’&-]+ ){0,4}"
_LIMITS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (
        code,
        pattern(
            rf"^only {group}\b",
            rf"^{_WORDS}{group} only\b",
            r"\b(?:for|serves?|open to|available to|limited to"
            rf"|restricted to) {_WORDS}{group} only\b",
            rf"\bonly (?:open to|serves?|serving|available (?:to|for)|for) {_WORDS}{group}\b",
            r"\b(?:open|available|limited|exclusively|restricted) only (?:to"
            rf"|for) {_WORDS}{group}\b",
            rf"\bopen to {_WORDS}enrolled {_WORDS}{group}\b",
            rf"\b(?:exclusively for|exclusive to) {_WORDS}{group}\b",
            rf"^(?:s[oó]lo|solamente) (?:para )?{group}\b",
        ),
        # The eligibility field contains only the name of the group.
        re.compile(rf"(?:any |all |only )?{group}(?: of this school)?(?: \(.*\))?", re.IGNORECASE),
    )
    for code, group in _GROUPS
)
_PARTIAL = pattern(
    r"\bnot\b|n't\b|\bexcept\b|\bpriorit|\bpreference\b|\blunch\b|\bbreakfast\b|\bdinner\b"
    r"|\bdeliver|\bmainly\b|\bnon-students?\b|\bunless\b|\bif\b|\bline\b|\bhours?\b|\bprogram\b"
    r"|\bclothing\b|\bcommunity members\b|\btheir families\b|\bsenior center\b",
    r"\bvirtual\b|\bpackage\b|\ba\.?m\b|\bp\.?m\b|\d:\d\d",
    DAYS,
)
_END = r"(?=$|,|;| in need| who (?:is|are) hungry| in the community| on a| \()"
_EVERYONE = pattern(
    r"^(?:all|anyone|everyone|everybody)$|^anyone in need$|^anyone (?:is )?(?:welcome|eligible"
    rf"|can come){_END}|^(?:all|everyone|anyone) (?:is |are )?welcome\b",
    rf"\bopen to (?:the )?(?:general public|public|everyone|everybody|anyone|all){_END}",
    r"\bfor anyone in need$",
    r"^no (?:eligibility (?:requirements?|restrictions)|restrictions)$",
    r"\babiert[oa] al p[uú]blico\b|\btodos (?:son )?bienvenidos\b|^cualquier persona$",
)
_NOT_EVERYONE = pattern(
    r"\bnot\b|n't\b|\bonly\b|\bmust\b|\bif\b|\bwith\b|\bexcept\b|\bbut\b|\bfee\b|\$|\bemergency\b"
    r"|\bwithin\b|\bunder\b|\bover\b|\bpriorit|\bfirst serve",
    r"\blunch\b|\bbreakfast\b|\bdinner\b|\bage\b|\bresid|\bservices?\b",
    DAYS,
)

_MINIMUM = re.compile(
    r"\b(\d{2}) ?(?:\+|(?:years? )?(?:of age |old )?(?:and|or|&) (?:older|over|up|above)\b"
    r"|años (?:o|y) (?:más|mayores))",
    re.IGNORECASE,
)
_MAXIMUM = re.compile(
    r"\b(\d{1,2}) ?(?:years? )?(?:of age |old )?(?:and|or|&) (?:under|younger)\b"
    r"|\bunder (?:the )?age (?:of )?(\d{1,2})\b|\b(\d{1,2}) años (?:o|y) menores",
    re.IGNORECASE,
)
_AGE_LIMIT = pattern(r"\bonly\b|\bmust be\b|\bs[oó]lo\b|\bdeben? tener\b")
_NO_AGE = pattern(
    r"\bdisab|\bdiscapac|\btheir children\b|\bshelter\b|\bboys\b|\bgirls\b|\bspouse\b|\ballowed\b",
    _PARTIAL.pattern,
)


def findings(clause: str, *, is_eligibility: bool = False) -> list[Finding]:
    """Return `audiences` (code), `minimum_age`, `maximum_age`.

    `is_eligibility`: the clause is in a field on eligibility.
    """
    results = [
        Finding("audiences", code, clause)
        for code, limit, alone in _LIMITS
        if (limit.search(clause) or (is_eligibility and alone.fullmatch(clause)))
        and not _PARTIAL.search(clause)
    ]
    if _EVERYONE.search(clause) and not _NOT_EVERYONE.search(clause):
        results.append(Finding("audiences", "everyone", clause))
    results += _ages(clause, is_eligibility=is_eligibility)
    return results


def _ages(clause: str, *, is_eligibility: bool) -> list[Finding]:
    if not (is_eligibility or _AGE_LIMIT.search(clause)) or _NO_AGE.search(clause):
        return []
    results = []
    for field, words in (("minimum_age", _MINIMUM), ("maximum_age", _MAXIMUM)):
        ages = {int(next(g for g in match.groups() if g)) for match in words.finditer(clause)}
        if len(ages) == 1:
            results.append(Finding(field, ages.pop(), clause))
    return results
