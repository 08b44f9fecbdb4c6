"""Text of a publisher as one plain form: lower case, no accents, no tags, one kind of dash and
quote.
"""

from __future__ import annotations

import html
import re
import unicodedata

from assets.hours.rewording import DAY_NAMES, ORDINAL, REWORDINGS, SPANISH_MONTHS, WEEKDAY

_BLOCK_TAG = re.compile(r"<\s*/?\s*(?:br|p|div|tr|li|ul|table|h\d)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_LINE_BREAK = re.compile(r"\\r\\n|\\[nr](?![a-z]{3,}\\)|[\r\n\v\f]+")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("“”„«»″", '"'),
        **dict.fromkeys("‘’‛`´", "'"),
        **dict.fromkeys("•·●▪|*", "\n"),
        **dict.fromkeys("[{", "("),
        **dict.fromkeys("]}", ")"),
        "\u00a0": " ",
        "\u200b": "",
        "\ufeff": "",
        "\t": " ",
        "º": "o",
        "°": "o",
        "ª": "a",
        "…": ".",
    }
)
# An en dash that was read in the wrong encoding.
_MOJIBAKE = re.compile("GÇô|ΓÇô|â€“|â€”|ÔÇô")
# A house number, up to three names, the kind of street.
_STREET = (
    r"(?<![-:./\d])(?<!to )(?<![apAP]m )\b\d{1,5} "
    r"(?:(?!AM\b|PM\b|Noon|Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[A-Z][\w'.]*|\d{1,3}(?:st|nd|rd|th)) ){1,3}"
    r"(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Hwy|Highway|Pkwy|Parkway"
    r"|Ct|Court|Pl|Place|Way|Pike|Cir|Circle|Terrace|Square)\b\.?"
)
_REPAIRS: tuple[tuple[re.Pattern[str], str], ...] = (
    # sentence ends would be lost with the capitals
    (re.compile(r"(?<=[A-Za-z)0-9])\.(?=\s+[A-Z])"), ". "),
    # "12 pm. Clothing closet: ..." begins a sentence; "12 pm. Mon" and "12 p.m. Mon" may not
    (re.compile(rf"(?<=\d)( ?[AaPp][Mm])\.(?=\s+(?!(?:{DAY_NAMES}))[A-Z][a-z])"), r"\1 ; "),
    # "call for an appt. at 10 am" is one sentence
    (re.compile(r"\b(appts?)\.(?= [a-z\d])"), r"\1"),
    # phone numbers are not times
    (
        re.compile(
            r"(?:\b(?:tele)?phone:? ?|\btel[eé]?f?o?n?o?[.:]{0,2} ?)?(?:\(\d{3}\)\s?|\b\d{3}[-. ]{1,2})\d{3}[-. ]\d{4}\b(?:\s*(?:x|ext\.?)\s*\d+)?",
            re.IGNORECASE,
        ),
        " phonenumber ",
    ),
    (
        re.compile(r"(?:https?://|www\.)\S+|\b[\w-]+\.(?:org|com|net|gov|us)\b(?:/\S*)?"),
        " website ",
    ),
    (
        re.compile(
            r"\b(call|text|phone|tel\.?|ll[aá]m[ea](?:r|nos)? al) \d{3}-\d{4}\b", re.IGNORECASE
        ),
        r"\1 phonenumber",
    ),
    # the numbers of a street address are no times: "1200 W 3rd St", "Av. Rivadavia 4500"
    (re.compile(_STREET), " streetaddress "),
    (
        re.compile(r"\b(?:Av|Avda|Avenida|Calle)\.? (?:[A-Z][a-z]+ ){1,3}\d{2,5}\b(?![:.-])"),
        " streetaddress ",
    ),
    (
        re.compile(
            r"\b(?:suite|ste\.?|room|rm\.?|unit|apt\.?|bldg\.?) ?#? ?\d{1,4}[a-z]?\b(?! ?(?:[-:.]|to\b|until\b|till?\b|[ap]\.?m|noon))",
            re.IGNORECASE,
        ),
        " roomnumber ",
    ),
    (
        re.compile(r"\b\d{1,2}(?:st|nd|rd|th) (?:floor|fl)\b\.?", re.IGNORECASE),
        " roomnumber ",
    ),
    # Th[-1]
    (re.compile(r"\b(Mo|Tu|We|Th|Fr|Sa|Su)\(-1\)"), r"last \1"),
    # "Office: M-F 9-4 / Pantry: W 1-4"
    (re.compile(r"(?<=[\dm]) / (?=[A-Z][A-Za-z ]{2,25}: )"), "; "),
    # 6::00 pm, 10:0 am, 13: a 14
    (re.compile(r"(?<=\d)::+(?=\d)"), ":"),
    (re.compile(r"(?<=\d):0(?= ?[ap]\.?m\b)", re.IGNORECASE), ":00"),
    (re.compile(r"(?<=\d):(?= ?(?:a|to)\b| ?- ?\d)", re.IGNORECASE), ""),
    # ~4:45pm is no exact time; 9am ~ 5pm is a span
    (re.compile(r"(?<![\dm] )(?<![\dm])~ ?(?=\d)"), " approximately "),
    (re.compile("~"), "-"),
    # 5 :00
    (re.compile(r"(?<=\d) :(?=[0-5]\d\b)"), ":"),
    # "1-4p M, W", "1-4P M/W/F": the M is a Monday
    (re.compile(r"(?<=\d)([ap])(?= M\b(?!\.))"), r"\1m"),
    (re.compile(r"(?<=\d)([AP])(?= M ?[-/&,] ?(?:T|W|Th|Tu|We|F|Fr|TH|TU|WE|FR)\b)"), r"\1m"),
    # a.m., a . m, AM. -> am; 9a, 4p -> 9am, 4pm
    (re.compile(r"(?<=[\d ])(?!pm M\b)([ap])\s?\.?\s{0,2}m\b\.?", re.IGNORECASE), r"\1m"),
    (re.compile(r"(?<=\d)([ap])\.?(?![a-z])", re.IGNORECASE), r"\1m"),
    (re.compile(r"(?<=\d)\s?(am|pm)\b\.?", re.IGNORECASE), r"\1"),
    (re.compile(r"\b12 ?n\b\.?", re.IGNORECASE), "noon"),
    (re.compile(r"(?<=\b[1-5])\.(?=[oa]\b)"), ""),
    # 6:pm, 010:00 AM
    (re.compile(r"(?<=\d):(?=[ap]m\b)", re.IGNORECASE), ""),
    (re.compile(r"\b0(?=1[0-2]:[0-5]\d)"), ""),
    # 830am
    (re.compile(r"\b(\d{1,2})([0-5]\d)(?=[ap]m\b)", re.IGNORECASE), r"\1:\2"),
    # Tues 930-1130
    (
        re.compile(
            rf"\b({WEEKDAY}[.,:]{{0,2}} )([1-9])(00|15|30|45) ?- ?(1[0-2]|[1-9])(00|15|30|45)\b(?!-)",
            re.IGNORECASE,
        ),
        r"\1\2:\3-\4:\5",
    ),
    # Wed. or Thurs.
    (
        re.compile(
            rf"(?<!, )(?<![,/])(?<!and )(?<!& )\b({WEEKDAY})\.? or ({WEEKDAY})\b(?!,? or)",
            re.IGNORECASE,
        ),
        r"some \1 and some \2",
    ),
    # 0900-1200
    (re.compile(r"\b(0\d|1[0-8])([0-5]\d)\s?-\s?([01]\d|2[0-4])([0-5]\d)\b"), r"\1:\2-\3:\4"),
    # 2nd floor, 5th Avenue
    (
        re.compile(
            r"\b\d{1,3}(?:st|nd|rd|th)\.? (?:floor|fl|level|street|str|ave|avenue|grade|ward)\b\.?",
            re.IGNORECASE,
        ),
        "address",
    ),
    # "Walk-in hours:" above its times
    (re.compile(r"(?<=hours):[ ]*\n\s*", re.IGNORECASE), ": "),
    # seniors 60+, seniors 60 and older
    (
        re.compile(
            r"\b(?:(?:seniors?|older adults?|adults?),? )?(?:ages? |aged )?(?:5[05]|6[025])(?: ?\+| (?:years )?(?:and|or|&) (?:over|older|up|above)\b)",
            re.IGNORECASE,
        ),
        "seniors",
    ),
    # 8am-12m, 12:00 m a 2:00 pm: noon in Spanish; "9-12 m" alone may end with a Monday
    (re.compile(r"\b(?:12m|12:00 ?m)\b\.?(?=\s*(?:$|[;,)\n]|(?:y|a|hasta)\b|-\s*\d))"), "noon"),
    (re.compile(r"(?<=[\dm.] a )12 m\b\.?(?=\s*(?:$|[;,)\n]))"), "noon"),
    # 12:00 m., 12 MD: noon in Spanish
    (re.compile(r"\b12(?::00)?\s?(?:[Mm]\.?[Dd]\b\.?)|\b12:00\s?m\.(?=\W|$)"), "noon"),
    (re.compile(r"\b12(?::00)? ?mediod[ií]a\b", re.IGNORECASE), "noon"),
    # "Seniors: Tue 9-10; all: Tue 10-12" names visitors, no days
    (re.compile(r"\b(?:all|todos)(?=\s?:)", re.IGNORECASE), "everyone"),
    # 10am-12pm or 4pm-6pm
    (
        re.compile(
            r"(?<=\d|m) or (?=\d{1,2}(?::\d\d)? ?(?:[ap]m)? ?(?:-|to\b) ?\d)", re.IGNORECASE
        ),
        " and ",
    ),
    # Wed @ 1-3 pm
    (re.compile(r"(?<=[\s.])@ ?(?=\d)"), " "),
    # 1 de junio
    (re.compile(rf"\b(\d{{1,2}}) de ({SPANISH_MONTHS})\b", re.IGNORECASE), r"\2 \1"),
    # los dias 1 y 15 de cada mes
    (
        re.compile(r"\bd[ií]as? (\d{1,2}) y (\d{1,2}) (?=de(?:l| cada) mes)", re.IGNORECASE),
        r"\1th and \2th ",
    ),
    # Mon-Thru, but "drive-thru" is none
    (re.compile(r"(?<!drive)-thru\b(?!\s*[a-z])", re.IGNORECASE), "-thur"),
    # Tuesday: N/A
    (re.compile(r"\bn\s?/\s?a\b", re.IGNORECASE), "none"),
    (re.compile(r"(?<=/\d{4})(?=[A-Za-z])"), " "),
    # "the following Tuesday", "the Friday before", "Friday before the 4th Saturday", "second to last
    # Monday", "the Wednesday closest to the 15th": a weekday, in weeks that no rule can name
    (
        re.compile(
            rf"\b(?:the )?(?:following|previous|preceding|closest|nearest|(?:2nd|second|3rd|third)[- ]to[- ](?:the[- ])?last) ({WEEKDAY})\b(?: to the \d{{1,2}}th\b)?",
            re.IGNORECASE,
        ),
        r"some \1",
    ),
    (
        re.compile(
            rf"\b(?:the |every )?({WEEKDAY}) (?:immediately )?(?:before|after|following|preceding|prior to|closest to|nearest) (?:the )?(?:{ORDINAL}(?:,? ?(?:and|&|,) {ORDINAL})* {WEEKDAY}|15th|20th)\b",
            re.IGNORECASE,
        ),
        r"some \1",
    ),
    (
        re.compile(
            rf"\bthe ({WEEKDAY}) (?:before|after|prior)(?=,? (?:from |at )?\d|\s*$)", re.IGNORECASE
        ),
        r"some \1",
    ),
    # PH off
    (re.compile(r"\bPH (?:off|closed)\b"), "closed on public holidays"),
    # 10AM-6PMFriday, Friday11AM: line breaks that somebody lost
    (re.compile(r"(?<=\d)(am|pm)(?=[a-z])", re.IGNORECASE), r"\1 "),
    (re.compile(r"(?<=\d )([ap]m)(?=[A-Z])"), r"\1 "),
    # 2012Monday, 12/31/10Monday
    (re.compile(r"(?<=/\d\d)(?=[A-Z][a-z])"), " "),
    (re.compile(r"(?<=[a-z]{3})(?=\d)", re.IGNORECASE), " "),
    (re.compile(r"(-\s?\d{1,2}(?::[0-5]\d)?)(?=[A-Z][a-z]{2})"), r"\1 "),
    (re.compile(r"(?<=\b(?:19|20)\d\d)(?=[A-Z][a-z]{2})"), " "),
    # 9;00 am
    (re.compile(r"\b(1?\d);(?=[0-5][05](?: ?[ap]m\b| ?-))", re.IGNORECASE), r"\1:"),
    # 7:30-4;30
    (re.compile(r"(-\s?\d{1,2});(?=(?:00|15|30|45)\b(?!\s*[-:]))"), r"\1:"),
    # 10: 00, 09: 30am
    (re.compile(r"(?<=\d): (?=[0-5]\d(?:\b|[ap]m))"), ":"),
    # 29tth, 6p30m
    (re.compile(r"(?<=\d)tth\b", re.IGNORECASE), "th"),
    (re.compile(r"(?<=\d)p([0-5]\d)m\b", re.IGNORECASE), r":\1pm"),
    # "Sat and", then "Wed" on the next line; "Tue, Thu; and Fri"
    (re.compile(r"(?<=[ ])(and|y|&)[ ]*\n\s*", re.IGNORECASE), r"\1 "),
    (re.compile(r";\s*(?=(?:and|&) )", re.IGNORECASE), " "),
    # Tuesday -- Friday
    (re.compile(r"(?<=\w)( ?)--( ?)(?=\w)"), r"\1-\2"),
)

# "January 5, 12 & 19, 2026": several days of one month with one year
_DAY_LIST = re.compile(
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?) "
    r"((?:\d{1,2}(?:st|nd|rd|th)?(?: ?, ?(?:and|&) ?| ?, ?| ?& ?| and ))+\d{1,2}(?:st|nd|rd|th)?),? (20\d\d)\b",
    re.IGNORECASE,
)


def _with_full_dates(match: re.Match[str]) -> str:
    month, days, year = match.groups()
    return ", ".join(f"{month} {day}, {year}" for day in re.findall(r"\d+", days))


_CHINESE_DAY = re.compile("(?:星期|周|週|礼拜|禮拜)([一二三四五六日天])")
_DAY_OF_CHINESE = dict(
    zip(
        "一二三四五六日天",
        ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun"),
        strict=True,
    )
)


def plain_text(text: str) -> str:
    """Return the text in plain form; line breaks, list marks and table rows become newlines."""
    if "<" in text:
        text = _TAG.sub(" ", _BLOCK_TAG.sub("\n", text))
    if "&" in text:
        text = html.unescape(text)
    text = _LINE_BREAK.sub("\n", _MOJIBAKE.sub("-", text)).translate(_PLAIN)
    if not text.isascii():
        text = _CHINESE_DAY.sub(lambda match: f" {_DAY_OF_CHINESE[match[1]]} ", text)
        text = re.sub("(?<=[a-z0-9 ])[至到](?=[a-z0-9 ])", " - ", text)
    text = _DAY_LIST.sub(_with_full_dates, text)
    for pattern, replacement in (*_REPAIRS, *REWORDINGS):
        text = pattern.sub(replacement, text)
    return fold(text).strip()


def fold(text: str) -> str:
    """Convert to lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
