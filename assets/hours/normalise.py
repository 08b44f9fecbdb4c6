"""Converts a publisher's text to plain form: lower case, no accents, no tags, one kind of dash and
quote. `spellings` of patterns.yaml repair it, translations.yaml translates other scripts."""

import html
import re
import unicodedata
from calendar import month_abbr
from pathlib import Path

import msgspec

from assets.hours.lexicon import PHRASES, Kind, repair_days
from assets.hours.patterns import SPELLINGS
from assets.hours.structured import write_as_text

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
    """Return the text in plain form; line breaks, list marks and table rows become newlines."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", _BLOCK_TAG.sub("\n", text))
    text = _QUOTED.sub(r"\1\2", write_as_text(text))
    text = _CELL.sub(": ", _ROW.sub(r" \2-\3", text))
    text = _LINE_BREAK.sub("\n", _MOJIBAKE.sub("-", text)).translate(_PLAIN)
    if not text.isascii():
        text = _PICTURE.sub("\n", _PICTURE_BEFORE_TIME.sub(" ", translate(text)))
    text = repair_days(text)
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


_TRANSLATIONS = msgspec.yaml.decode(
    Path(__file__).with_name("translations.yaml").read_bytes(), type=dict[str, list[str]]
)
_ENGLISH = {word.casefold(): english for english, words in _TRANSLATIONS.items() for word in words}
# Chinese, Japanese and Korean words have no spaces; others match whole words only.
_IDEOGRAPHS = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_FOREIGN = re.compile(
    "|".join(
        re.escape(word) if _IDEOGRAPHS.match(word) else rf"(?<!\w){re.escape(word)}(?!\w)"
        for word in sorted(_ENGLISH, key=len, reverse=True)
    ),
    re.IGNORECASE,
)


# "星期二,四", "週一至五"
_WEEK = "(星期|周|週|礼拜|禮拜)"
_OF_WEEK = "[一二三四五六日天]"
_WEEKDAY_LIST = re.compile(f"{_WEEK}{_OF_WEEK}(?: ?[-,和及與与至到] ?{_OF_WEEK}(?![十点點时時]))+")
# "九時", "十一点半", "9點半"
_CHINESE_HOURS = ("", *"一二三四五六七八九十", "十一", "十二")
_CHINESE_TIME = re.compile(
    "(十[一二]?|[一二两兩三四五六七八九]|\\d{1,2})[点點时時](半|(?=[^间間]|$))"
)
# "第二個星期四", "第一、三个周六"
_CHINESE_NTHS = re.compile(
    f"第[一二三四五1-5](?:[, 和及與与]*第?[一二三四五1-5])*[個个](?={_WEEK}{_OF_WEEK})"
)
# "Thứ Bảy thứ hai của tháng": "thứ hai" is also Monday
_VIETNAMESE_NTH = re.compile(
    r"(thứ (?:hai|ba|tư|năm|sáu|bảy|[2-7])|chủ nhật)(?: tuần| lần)? thứ (nhất|hai|ba|tư|[1-4])"
    r"(?:,? và (?:tuần )?(?:thứ )?(nhất|hai|ba|tư|[1-4]))?(?= (?:của|trong|hàng|mỗi) tháng)",
    re.IGNORECASE,
)
_VIETNAMESE_NUMBERS = {"nhất": "1", "hai": "2", "ba": "3", "tư": "4"}


def translate(text: str) -> str:
    """Return a text with the words of other scripts in English: "星期六 9至11"."""
    text = unicodedata.normalize("NFC", text)
    if _IDEOGRAPHS.search(text):
        text = re.sub("[~～〜]", "-", text)
    text = _CHINESE_TIME.sub(_chinese_time, _VIETNAMESE_NTH.sub(_vietnamese_nth, text))
    text = _CHINESE_NTHS.sub(_chinese_nths, text)
    text = _WEEKDAY_LIST.sub(
        lambda days: re.sub(f"(?<!{days[1][-1]})(?={_OF_WEEK})", days[1], days[0]), text
    )
    return _FOREIGN.sub(lambda word: f" {_ENGLISH[word[0].casefold()]} ", text)


def _chinese_time(time: re.Match[str]) -> str:
    number = time[1].replace("两", "二").replace("兩", "二")
    hour = number if number.isdigit() else _CHINESE_HOURS.index(number)
    return f"{hour}:30" if time[2] else f"{hour}{time[0][len(time[1])]}"


def _chinese_nths(nths: re.Match[str]) -> str:
    numbers = re.findall("[一二三四五1-5]", nths[0])
    return " & ".join(f"{'0一二三四五'.find(n) if not n.isdigit() else n}th" for n in numbers) + " "


def _vietnamese_nth(days: re.Match[str]) -> str:
    nths = (word.lower() for word in days.groups()[1:] if word)
    return " & ".join(f"{_VIETNAMESE_NUMBERS.get(nth, nth)}th" for nth in nths) + f" {days[1]}"
