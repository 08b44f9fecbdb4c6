"""Text of a publisher as one plain form: lower case, no accents, no tags, one kind of dash and
quote.
"""

import html
import re
import unicodedata

from assets.hours.rewording import REWORDINGS, translate
from assets.hours.spelling import with_whole_days

_BLOCK_TAG = re.compile(r"<\s*/?\s*(?:br|p|div|tr|li|ul|table|h\d)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_LINE_BREAK = re.compile(r"\\r\\n|\\[nr](?![a-z]{3,}\\)|[\r\n\v\f]+")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("“”„«»″", '"'),
        **dict.fromkeys("‘’‛`´", "'"),
        **dict.fromkeys("•·●▪|*†‡", "\n"),
        **dict.fromkeys("[{", "("),
        **dict.fromkeys("]}", ")"),
        "\u00a0": " ",
        "\u200b": "",
        "\ufeff": "",
        "\t": " ",
        **dict.fromkeys("、，", ","),
        **dict.fromkeys("。；", ";"),
        "：": ":",
        "（": "(",
        "）": ")",
        "º": "o",
        "°": "o",
        "ª": "a",
        "…": ".",
        "!": ".",
    }
)
# An en dash that was read in the wrong encoding.
_MOJIBAKE = re.compile("GÇô|ΓÇô|â€“|â€”|ÔÇô")

# "January 5, 12 & 19, 2026": several days of one month with one year
_DAY_LIST = re.compile(
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?) "
    r"((?:\d{1,2}(?:st|nd|rd|th)?(?: ?, ?(?:and|&) ?| ?, ?| ?& ?| and ))+\d{1,2}(?:st|nd|rd|th)?),? (20\d\d)\b",
    re.IGNORECASE,
)


# "Dates for 2026: Jan 10, Feb 14"
_DATES_OF_YEAR = re.compile(
    r"\b(20\d\d)(?: [a-z]+){0,2} ?: ?"
    r"((?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?\b(?!:|/| ?[ap]m)(?:, ?and |, ?| ?& ?| and )?)+)",
    re.IGNORECASE,
)


def _with_year(match: re.Match[str]) -> str:
    year, dates = match.groups()
    return re.sub(r"([a-z]\.? \d{1,2})(?:st|nd|rd|th)?", rf"\1, {year}", dates)


def _with_full_dates(match: re.Match[str]) -> str:
    month, days, year = match.groups()
    return ", ".join(f"{month} {day}, {year}" for day in re.findall(r"\d+", days))


# "6/10-7/26", "6/10-8/9": days of two months, where one of them is no month or the other way round
# the first is the later
_SLASH_SEASON = re.compile(
    r"(?<![\d:/])(1[0-2]|0?[1-9])/([0-3]?\d) ?(?:-|to|thru|through) ?(1[0-2]|0?[1-9])/([0-3]?\d)"
    r"(?![\d/]|:\d| ?[ap]\.?m)",
    re.IGNORECASE,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _with_named_months(match: re.Match[str]) -> str:
    month, day, to_month, to_day = map(int, match.groups())
    is_ordered = month < to_month and day > to_day  # as days of months they go back
    if max(day, to_day) <= len(_MONTHS) and not is_ordered:
        return match[0]
    return f"{_MONTHS[month - 1]} {day} - {_MONTHS[to_month - 1]} {to_day}"


# "closed 6/19 and 7/4"
_CLOSED_DATES = re.compile(
    r"\b(?:closed|cerrado|no (?:pantry|distribution|food|meals?|service))\b[^.;\n]{0,40}",
    re.IGNORECASE,
)
_SLASH_DATE = re.compile(
    r"(?<![\d:/])(1[0-2]|[1-9])/([12]\d|3[01]|\d)(?![\d/:]|-(?!\d{1,2}/)|[ap]m)"
)
# "Wed 1-3, 555-6789": no times
_SHORT_TELEPHONE = re.compile(
    r"(?<![\d)-])(?<!\) )([2-9])(\d\d)-(\d\d)(\d\d)(?![\d-])(?! ?[ap]\.?m)"
)
# a row of a table: "Mon|9:00 AM|12:00 PM", "Monday,9:00 AM,12:00 PM"
_ROW = re.compile(
    r"(?<=[a-z])([|,])(\d{1,2}:\d\d ?[ap]m)\1(\d{1,2}:\d\d ?[ap]m)(?=[|,;\n]|\s*$)", re.IGNORECASE
)


def _with_named_dates(match: re.Match[str]) -> str:
    return _SLASH_DATE.sub(lambda day: f"{_MONTHS[int(day[1]) - 1]} {day[2]}", match[0])


def _without_telephone(match: re.Match[str]) -> str:
    minute, to_hour, to_minute = (int(part) for part in match.groups()[1:])
    is_span = minute < 60 and to_hour <= 24 and to_minute < 60
    is_span &= not (minute % 5 or to_minute % 5) and match[3][0] != "0"
    return match[0] if is_span else "phonenumber"


# Pictures end a sentence, unless a time follows: "Tuesdays", a clock, "4-6".
_PICTURE = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+")
_PICTURE_BEFORE_TIME = re.compile(rf"{_PICTURE.pattern}\s*(?=\d)")


def plain_text(text: str) -> str:
    """Return the text in plain form; line breaks, list marks and table rows become newlines."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", _BLOCK_TAG.sub("\n", text))
    text = _ROW.sub(r" \2-\3", text)
    text = _LINE_BREAK.sub("\n", _MOJIBAKE.sub("-", text)).translate(_PLAIN)
    if not text.isascii():
        text = _PICTURE.sub("\n", _PICTURE_BEFORE_TIME.sub(" ", translate(text)))
    text = with_whole_days(text)
    text = _SHORT_TELEPHONE.sub(_without_telephone, text)
    text = _CLOSED_DATES.sub(_with_named_dates, text)
    text = _DATES_OF_YEAR.sub(_with_year, text)
    text = _SLASH_SEASON.sub(_with_named_months, _DAY_LIST.sub(_with_full_dates, text))
    for pattern, replacement in REWORDINGS:
        text = pattern.sub(replacement, text)
    return fold(text).strip()


def fold(text: str) -> str:
    """Convert to lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
