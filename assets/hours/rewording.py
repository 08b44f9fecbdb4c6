"""Phrases of publishers in the words of the grammar: how often one may come, when the line forms,
weekdays that only a calendar can find."""

from __future__ import annotations

import re

SPANISH_MONTHS = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre"
DAY_NAMES = (
    "Mo|Tu|We|Th|Fr|Sa|Su|Lu|Ma|Mi|Ju|Vi|S[aá]b|Do|Daily|Every|First|Second|Third|Fourth|Last|Cada"
)
WEEKDAY = r"(?:mon|tue?s?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?"
MONTH = rf"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?|{SPANISH_MONTHS})(?: \d{{1,2}})?"
ORDINAL = r"(?:1st|2nd|3rd|4th|5th|first|second|third|fourth|fifth|last)"
_SEASONS = "summer|winter|spring|fall|autumn|verano|invierno|primavera|otoño"
_TIMES = r"(?:once|twice|(?:one|two|three|1|2|3)(?: ?x| times?)?)"
_VISITORS = r"(?:(?:each|all) )?(?:clients?|guests?|households?|famil(?:y|ies)|individuals?|people|participants?|residents?|neighbors?|members?|visitors?|shoppers?|you)"
_PERIOD = r"(?:(?:per|a|every|each|in a) (?:calendar )?(?:month|week|day|year|quarter)|(?:per|every|each) (?:\d{1,2}|two|thirty|sixty) (?:days|weeks|months))"
# How often one may come, which says nothing about when.
_VISITS = (
    rf"(?:{_VISITORS} (?:are )?)?(?:limited to|limit(?: of)?) {_TIMES}(?: visits?)? {_PERIOD}"
    rf"|(?:{_VISITORS} )?(?:may|can|are (?:able|allowed|welcome|eligible) to) (?:visit|come|shop|receive (?:food|groceries|services)|get food|use (?:the|our) pantry|be used)(?: the pantry)? (?:{_TIMES}(?: {_PERIOD})?|every other week)"
    rf"|{_TIMES} (?:visits? )?(?:per|every|each) (?:\d{{1,2}}|thirty|sixty) (?:days|weeks)(?: (?:per|for each) [a-z]+)?"
    rf"|(?:one|1|two|2) visits? {_PERIOD}(?: (?:per|for each) [a-z]+)?"
    rf"|{_TIMES} {_PERIOD} (?:per|for each) [a-z]+"
)
# A time that ends there: no other clock and no days belong to it.
_LONE_TIME = (
    r"\d{1,2}(?::\d\d)?(?: ?[ap]m)?\b(?!:)(?! ?[ap]m\b)(?! ?(?:-|to\b|until\b|till?\b|thru\b|through\b|and\b|&))"
    rf"(?!,? (?:on )?(?:{WEEKDAY})\b)"
)
# A sentence and its rewording, in this order, after the repairs of `normalise.py`.
REWORDINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    # "serving since 1998", "open to all Durham County residents" say nothing about when
    (
        re.compile(
            r"\b(?:serving (?:the community )?since|established(?: in)?|founded(?: in)?) (?:19|20)\d\d\b",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"\b(?:[Oo]pen to|[Ff]or|[Ss]erving|[Ss]erves) (?:all )?(?:[A-Z][a-z]+ ){1,3}(?:area )?residents(?: only)?\b"
        ),
        "",
    ),
    # ages 18-60, ages 0 to 5
    (
        re.compile(
            r"\b(?:(?:for|between) )?(?:the )?ages? (?:of )?\d{1,2} ?(?:-|–|to|and|through) ?\d{1,2}\b(?! ?[ap]\.?m)",
            re.IGNORECASE,
        ),
        "agelimit",
    ),
    (
        re.compile(
            r"\b(?:please |must )?(?:schedule|make) an appointment by calling(?: +phonenumber)?",
            re.IGNORECASE,
        ),
        "by appointment",
    ),
    # "Call for an appointment Mon-Fri 9-5" gives the hours of the telephone
    (
        re.compile(
            rf"\bcall[a-z ]{{0,30}}\b(?:appointments?|appts?)(?=[ ,:]+(?:{DAY_NAMES}|M-)[a-z]*[-., ])",
            re.IGNORECASE,
        ),
        "call for details",
    ),
    (
        re.compile(
            r"\b(?:please |must )?call[a-z ]{0,30}\b(?:appointments?|appts?)\b", re.IGNORECASE
        ),
        "by appointment",
    ),
    # "limit one visit per month", "clients may visit once every 30 days"
    (re.compile(rf"\b{_VISITS}\b", re.IGNORECASE), "visitlimit"),
    (
        re.compile(
            r"\b(?:please |must )?(?:be in line|arrive|check in|sign in) (?:by|before|no later than) \d{1,2}(?::\d\d)? ?(?:am|pm)?\b",
            re.IGNORECASE,
        ),
        "inlineby",
    ),
    (
        re.compile(
            r"\b(?:please |must )?(?:arrive|come) (?:at least )?\d{1,2} min(?:ute)?s? (?:early|before)\b",
            re.IGNORECASE,
        ),
        "inlineby",
    ),
    (
        re.compile(
            rf"\b(?:the )?(?:registration|check-?in|sign-?in|sign-?up|tickets?|numbers?)(?: (?:is|are|will be))? (?:starts?|starting|opens?|begins?|beginning|(?:given|handed|passed) out|distributed)(?: promptly)? (?:at )?{_LONE_TIME}",
            re.IGNORECASE,
        ),
        "registrationbefore",
    ),
    (
        re.compile(
            r"\b(?:the )?(?:line|lines|line up|lineup|parking lot) (?:starts?|forms?|opens?|begins?) (?:at|by) \d{1,2}(?::\d\d)? ?(?:am|pm)?\b",
            re.IGNORECASE,
        ),
        "lineforms",
    ),
    # "last serving 12:30pm", "last seating at 6"
    (
        re.compile(
            r"\b(?:last|final) (?:serving|seating|entry|call|intake|check-?in|admission|appointment|client|pick-?up|car|meal)(?: served| admitted| seen)?(?: is| at| by)*:? \d{1,2}(?::\d\d)? ?(?:am|pm)?\b",
            re.IGNORECASE,
        ),
        "inlineby",
    ),
    # "doors close at 1:45", "new clients must register before 11"
    (
        re.compile(
            r"\b(?:(?:the )?doors? (?:will )?closes? (?:promptly )?at|(?:new (?:clients|families) )?must register (?:by|before)) \d{1,2}(?::\d\d)? ?(?:am|pm)?\b",
            re.IGNORECASE,
        ),
        "inlineby",
    ),
    # "(3rd Thursday in Nov. & Dec.)", "(Nov and Dec: 3rd Thursday)"
    (
        re.compile(
            rf"\((?:but )?(?:the )?({ORDINAL} {WEEKDAY})(?: of the month)? in ({MONTH}(?: ?(?:and|&|,) ?{MONTH})*)\)",
            re.IGNORECASE,
        ),
        r"; \1 in \2 ;",
    ),
    (
        re.compile(
            rf"\((?:in )?({MONTH}(?: ?(?:and|&|,) ?{MONTH})*): ?(?:the )?({ORDINAL} {WEEKDAY})\)",
            re.IGNORECASE,
        ),
        r"; \2 in \1 ;",
    ),
    # "doors open at 11:30" before a meal
    (
        re.compile(rf"\b(?:the )?doors (?:will )?open (?:at )?{_LONE_TIME}", re.IGNORECASE),
        "doorsbefore",
    ),
    # "Soup kitchen serves lunch daily": the meal is what the hours are for
    (
        re.compile(
            r"\b(?:(?:we|which) )?(?:serves?|serving) (?=(?:hot |free |a )*(?:breakfast|lunch|dinner|supper|meals?)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    # "Quarterly: Mar, Jun, Sep, Dec", "every other month (Jan, Mar, May)": the months say it
    (
        re.compile(
            rf"\b(?:quarterly|every other month|every (?:two|three|2|3) months|bi-?monthly|trimestral(?:mente)?|bimestral|cada (?:dos|tres|2|3) meses)[:,]? ?(?=\(?(?:in |en )?{MONTH}(?:,| and\b| &| y\b))",
            re.IGNORECASE,
        ),
        "",
    ),
    # "Summer meals June 9 - August 1: ...", "Winter hours Nov-Mar: ..." give the dates themselves
    (
        re.compile(
            rf"\b(?:(?:during )?(?:the )?school year|{_SEASONS})(?: (?:meals?|lunch(?:es)?|food|program|programa|hours|schedule))*[:,]? (?=(?:from |del? )?{MONTH} ?(?:-|to|thru|through|al?) ?{MONTH})",
            re.IGNORECASE,
        ),
        "",
    ),
    # "Summer (June-August): ..." gives the dates of the summer
    (
        re.compile(
            rf"\b(?:(?:during )?(?:the )?school year|{_SEASONS})(?: hours| schedule| months)?:? ?\(({MONTH} ?(?:-|to|thru|through|a|al) ?{MONTH})\)",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    # "first three Thursdays"; which the last two are is not the same in every month
    (re.compile(rf"\b(?:1st|first) (?:2|two) (?={WEEKDAY}\b)", re.IGNORECASE), "1st and 2nd "),
    (
        re.compile(rf"\b(?:1st|first) (?:3|three) (?={WEEKDAY}\b)", re.IGNORECASE),
        "1st, 2nd and 3rd ",
    ),
    (re.compile(rf"\blast (?:2|two|3|three) (?={WEEKDAY}\b)", re.IGNORECASE), "some "),
    # once a month on a Saturday
    (re.compile(rf"(?<=month) on (?:a|one) (?={WEEKDAY}\b)", re.IGNORECASE), " on "),
    # "Sundays after the 11 am service" is a day without its time
    (
        re.compile(
            r"\b(?:immediately |right )?(?:after|following) (?:the )?(?:\d{1,2}(?::\d\d)? ?(?:am|pm)? )?(?:sunday |morning |church |worship )*(?:services?|mass|worship)\b",
            re.IGNORECASE,
        ),
        " aftermass ",
    ),
    # "Temporarily drive-through" changes how, not when
    (
        re.compile(
            r"\btemporar(?:il)?y (?=drive|to-?go|grab|curbside|outdoor|outside|walk-?up)",
            re.IGNORECASE,
        ),
        "",
    ),
    # when Wake County schools are closed
    (
        re.compile(
            r"\b(when(?:ever)?|if) (?:the )?(?:[A-Z][A-Za-z]+ ){1,3}(?:public )?schools? (?:district )?(?:are|is) closed"
        ),
        r"\1 schools are closed",
    ),
    # "Closed July and August. Otherwise ...", "en agosto cerrado"
    (re.compile(r"(\b[Cc]losed [^.;]*[.;,])\s+[Oo]therwise,?(?: open)? "), r"\1 "),
    (
        re.compile(rf"\ben ({SPANISH_MONTHS}),? (?:cerrad[oa]|no abre)\b", re.IGNORECASE),
        r"cerrado en \1",
    ),
    # every day but Sunday
    (
        re.compile(
            rf"\b(every ?day|daily|7 days a week|seven days a week) but (?={WEEKDAY}\b)",
            re.IGNORECASE,
        ),
        r"\1 except ",
    ),
    # "9-4, open until 7 on Wed" -> "9-4, (Wed until 7)"
    (
        re.compile(
            rf"(?<=[\dm][,;] )(?:and )?(?:open )?(?:until|till?) (\d{{1,2}}(?::\d\d)?(?: ?[ap]m)?) (?:on )?({WEEKDAY})\b(?=\.?\s*$)",
            re.IGNORECASE,
        ),
        r"(\2 until \1)",
    ),
    # two blanks are the last trace of a full stop: "starts at 9:30 am. Thursdays 10-12"
    (re.compile(r"[ ]+"), " "),
)
