"""Converts a publisher's text to plain form: lower case, no accents, no tags, one kind of dash and
quote; `spellings` of patterns.yaml repair it."""

import html
import re
import unicodedata
from calendar import month_abbr

from assets.hours.lexicon import PHRASES, Kind, with_whole_days
from assets.hours.patterns import SPELLINGS
from assets.hours.times import CannotTell

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
        **dict.fromkeys("¡¿", " "),
        "\u00a0": " ",
        "\u200b": "",
        "\ufeff": "",
        "\t": " ",
        "º": "o",
        "°": "o",
        "ª": "a",
        "…": ".",
        "!": ".",
    }
)
# An en dash decoded in the wrong encoding.
_MOJIBAKE = re.compile("GÇô|ΓÇô|â€“|â€”|ÔÇô")

# "Wed 1-3, 555-6789": no times
_SHORT_TELEPHONE = re.compile(
    r"(?<![\d)-])(?<!\) )([2-9])(\d\d)-(\d\d)(\d\d)(?![\d-])(?! ?[ap]\.?m)"
)
# a row of a table: "Mon|9:00 AM|12:00 PM", "Monday,09:00,12:00"
_ROW = re.compile(
    r"(?<=[a-z])([|,;])(\d{1,2}:\d\d ?[ap]m|\d\d:\d\d)\1(\d{1,2}:\d\d ?[ap]m|\d\d:\d\d)"
    r"(?=[|,;\n]|\s*$)",
    re.IGNORECASE,
)


# a time in the cell after its day: "1st Tuesday | 9-11"
_CELL = re.compile(
    r"(?<=[a-z.)])(?<![ap]m)(?<!m\.) ?\| ?(?=\d\d?(?:[:ap -]|$)|noon|from|between)", re.IGNORECASE
)
# Letters of other scripts, and of Vietnamese, whose "thứ" (day) is no Thursday.
_OTHER_SCRIPT = re.compile(
    "[\u0110\u0111\u01a0\u01a1\u01af\u01b0\u0370-\u1fff\u3040-\ud7ff\uf900-\ufaff]"
)
# Notation of machines: JSON, and recurrence rules of iCalendar.
_NOTATION = re.compile(r"\s*\(\s*[\"'(]|.*\bFREQ=", re.DOTALL)
# cells of such a row: "Mon","9:00 AM","12:00 PM"
_QUOTED = re.compile(r'"([^"\n]*)"(?=[,;|\t]")|(?<="[,;|\t])"([^"\n]*)"')


def _without_telephone(match: re.Match[str]) -> str:
    minute, to_hour, to_minute = (int(part) for part in match.groups()[1:])
    is_span = minute < 60 and to_hour <= 24 and to_minute < 60
    is_span &= not (minute % 5 or to_minute % 5) and match[3][0] != "0"
    return match[0] if is_span else "phonenumber"


# "closed 11/26 and 12/24"
_CLOSED_DATES = re.compile(
    r"\b(?:closed|except|no pantry|not open)\b[^.;\n\d]{0,30}\d{1,2}/\d{1,2}(?![/\d])"
    r"(?:(?:,? (?:and|&) |, ?)\d{1,2}/\d{1,2}(?![/\d]))*",
    re.IGNORECASE,
)
_SLASHED_DATE = re.compile(r"(\d{1,2})/(\d{1,2})")


def _with_named_month(match: re.Match[str]) -> str:
    month = int(match[1])
    return f"{month_abbr[month]} {match[2]}" if 1 <= month <= 12 else match[0]


# Pictures end a sentence, unless a time follows: "Tuesdays", a clock, "4-6".
_PICTURE = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+")
_PICTURE_BEFORE_TIME = re.compile(rf"{_PICTURE.pattern}\s*(?=\d)")


# "12 pm. Clothing closet: ..." begins a sentence; "12 pm. Mon" and "12 p.m. Mon" may not.
_SENTENCE_END = re.compile(r"(\d ?[AaPp]\.?[Mm])\.+(\s+)([A-Z][a-z]+)")
_CONTINUES = (Kind.DAYS, Kind.EVERY, Kind.ORDINAL)
_TIME_ZONES = ("eastern", "central", "mountain", "pacific")


def _with_break(end: re.Match[str]) -> str:
    word = end[3].lower()
    goes_on = word in _TIME_ZONES or PHRASES.get(word, (None, None))[0] in _CONTINUES
    return end[0] if goes_on else f"{end[1]} ; {end[3]}"


def plain_text(text: str) -> str:
    """Return the text in plain form; line breaks, list marks and table rows become newlines.

    Raises CannotTell for another script and for the notation of a machine.
    """
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", _BLOCK_TAG.sub("\n", text))
    text = _QUOTED.sub(r"\1\2", text)
    text = _CELL.sub(": ", _ROW.sub(r" \2-\3", text))
    text = _LINE_BREAK.sub("\n", _MOJIBAKE.sub("-", text)).translate(_PLAIN)
    if _OTHER_SCRIPT.search(text) or _NOTATION.match(text):
        raise CannotTell("another script or notation")
    if not text.isascii():
        text = _PICTURE.sub("\n", _PICTURE_BEFORE_TIME.sub(" ", text))
    text = with_whole_days(text)
    text = _CLOSED_DATES.sub(lambda dates: _SLASHED_DATE.sub(_with_named_month, dates[0]), text)
    text = _SHORT_TELEPHONE.sub(_without_telephone, text)
    text = _SENTENCE_END.sub(_with_break, text)
    for pattern, replacement in SPELLINGS:
        text = pattern.sub(replacement, text)
    return fold(text).strip()


def fold(text: str) -> str:
    """Convert to lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
