"""Reads what one clause says about closures, food, people, visits and how often people may come.

Each `read_...` returns the plain statements of the clause. Occasional food is not promised, and
priority for a group is not a limit.
"""

import calendar
import re
from datetime import date, timedelta

from assets.attributes.clauses import (
    CLOSURES,
    CONDITIONS,
    DAYS,
    FOOD,
    PARTLY_CLOSED,
    VISITS,
    Finding,
    pattern,
)
from assets.sources.free_text import tags_of

_UNTIL = re.compile(
    r"\b(?:until|till?|through|re-?open(?:s|ing)?(?: on| in)?|back (?:on|in))\W*(?:\w+day,? )?"
    r"(?:(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?\b)?)?,? ?(?P<year>20\d\d)?",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\bfor (?:the next )?(\d+|one|two|three|four|six) (day|week|month)s?\b", re.IGNORECASE
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6}
_DAYS = {"day": 1, "week": 7, "month": 31}
_MONTHS = [name.lower() for name in calendar.month_abbr]


def read_closure(clause: str) -> list[Finding]:
    """Return `closure` and `closure_text` if the clause says that the whole place is closed."""
    match = CLOSURES.search(clause)
    if match is None or CONDITIONS.search(clause[: match.start()]):
        return []
    rest = f"{clause[: match.start()]} {clause[match.end() :]}"
    if PARTLY_CLOSED.search(rest):
        return []
    return [Finding("closure", "closed", clause), Finding("closure_text", clause, clause)]


def last_day(text: str, said_on: date) -> date | None:
    """Return the last day of a closure that a list stated on a day; None if unknown.

    A day without a year is the first one after `said_on`.
    """
    span = _FOR.search(text)
    if span:
        count = _NUMBERS.get(span[1].lower()) or int(span[1])
        return said_on + timedelta(days=count * _DAYS[span[2].lower()])
    for match in _UNTIL.finditer(text):
        month, day, year = match["month"], match["day"], match["year"]
        if not (month or year):
            continue
        number = _MONTHS.index(month.lower()) if month else 12
        years = [int(year)] if year else [said_on.year, said_on.year + 1]
        for one in years:
            last = calendar.monthrange(one, number)[1]
            end = date(one, number, min(int(day), last) if day and int(day) else last)
            if year or end >= said_on:
                return end
    return None


# With one of these the clause promises nothing, or concerns donations to the place.
_NO_PROMISE = pattern(
    r"\bno\b|\bnot\b|n't\b|\bnon-halal\b|\bnothing\b|\bwithout\b|\bsometimes\b|\boccasional"
    r"|\bat times\b|\bvaries\b|\bvary\b|\bmay\b|\bmight\b",
    r"\bif\b|\bwhen(?:ever)?\b|\blimited\b|\brequest|\bdepend|\bguarantee|\bsome\b|\btechnically\b"
    r"|\btr(?:y|ies)\b|\badvance\b|\bas available\b",
    r"\bdonat|\bdonors?\b|\baccepts?\b|\baccepted\b|\bencouraged\b|\bbased? (?:off|on)\b"
    r"|\bclosed\b|\bno longer\b|\bsuspended\b|\bpossible\b|\bother services\b|\balso called\b"
    r"|\bown\b|\bcontact\b|\bbrought\b|\bingredients\b|\bMLK\b|\blinks callers\b",
    r"\bthanksgiving\b|\bchristmas\b|\bholidays?\b|\bonce an? month\b|\bpurchase\b|\bvouchers?\b"
    r"|\binstead\b|\bapply\b|\bstore\b|\bspecialty\b",
    r"\b(?:for|during|before|after|until) (?:lunch|dinner|breakfast)\b|\bbreak\b|\busually\b"
    r"|\btypically\b|\ba veces\b|\bseg[uú]n\b|\bsujeto\b",
)


def read_food(clause: str) -> list[Finding]:
    """Return `food_types` (code) promised by the clause."""
    if _NO_PROMISE.search(clause):
        return []
    codes = [code for code, words in FOOD.items() if words.search(clause)]
    if "hot_meals" in codes and "prepared_meals" not in codes:
        codes.append("prepared_meals")
    return [Finding("food_types", code, clause) for code in codes]


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


def read_people(clause: str, *, is_eligibility: bool = False) -> list[Finding]:
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
    if not (is_eligibility or _AGE_LIMIT.search(clause)) or _NO_AGE.search(clause):
        return results
    for field, words in (("minimum_age", _MINIMUM), ("maximum_age", _MAXIMUM)):
        ages = {int(next(g for g in match.groups() if g)) for match in words.finditer(clause)}
        if len(ages) == 1:
            results.append(Finding(field, ages.pop(), clause))
    return results


VISIT_LIMIT = "visit_limit_text"
_PERIOD = (
    r"(?:(?:calendar )?(?:day|week|month|quarter|year)|\d+[ -]?(?:days?|weeks?|months?)"
    r"|(?:two|three|four|six) (?:weeks|months))"
)
_TIMES = r"(?:once|twice|(?:one|two|three|four|\d) (?:times?|visits?)(?: (?:is |are )?allowed)?)"
_VISIT_LIMIT = pattern(
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


def read_visit_limit(clause: str) -> list[Finding]:
    """Return the clause if it limits how often a household may come."""
    if not _VISIT_LIMIT.search(clause) or _EVERY_DAY.search(clause):
        return []
    is_of_visitors = _VISITORS.search(clause) and not _PLACE.search(clause)
    return [Finding(VISIT_LIMIT, clause, clause)] if is_of_visitors else []


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


def read_visit(clause: str) -> list[Finding]:
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
