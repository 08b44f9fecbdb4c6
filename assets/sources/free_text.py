"""Helpers for lists of pantries in free text: e-mail addresses, types in names, languages,
dates."""

import re

import pandas as pd

from assets.cleaning.people import without_emails as without_emails_in
from assets.cleaning.text import map_where
from assets.sources.contract import digest_key

# An address typed where a web address belongs: "http://info@example.org". Behind a slash an @ is a
# handle.
_EMAIL_AS_WEBSITE = r"^(?:[a-z]+:[\\/]*)?[^/\\?#\s]*@"
_SAYS_WHEN = (
    r"\b(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?\b|\b(?:mon|tue|tues|wed|thu|thur|thurs|fri"
    r"|sat|sun)\b"
    r"|\b\d{1,2}(?::\d{2})?\s*[ap]\.?\s?m\b|\b\d{1,2}:\d{2}\b|\bnoon\b|\bdaily\b"
)

# The first rule that fits a name decides. "Mobile" alone is a city in Alabama. A pantry that also
# serves meals counts as a pantry. "Food bank" decides nothing: many a pantry calls itself so.
_NAME_RULES: tuple[tuple[str, str], ...] = (
    (
        (
            r"\bmobile (?:food|pantry|markets?|soup|kitchen|distribution|produce|sites?)\b"
            r"|\bfood truck\b"
        ),
        "mobile_pantry",
    ),
    (r"\b(?:fridge|refrigerator)\b", "community_fridge"),
    (r"\b(?:food )?pantry\b", "food_pantry"),
    (
        r"\bsoup kitchen\b|\bcommunity kitchen\b|\bhot meals?\b|\bcommunity meals?\b|\bmeal ?site\b"
        r"|\bbreakfast program\b|\bluncheon club\b",
        "soup_kitchen",
    ),
)


def type_by_name(names: pd.Series) -> pd.Series:
    """Return the resource type that a name states explicitly, else missing."""
    return by_rules(names, _NAME_RULES)


def with_owner(column: pd.Series) -> pd.Series:
    """Return the names of "owner\\nname" that say by themselves whose they are; before others, such
    as HIALEAH, the owner."""
    names = {text: _add_owner(*text.split("\n", 1)) for text in column.dropna().unique()}
    return column.map(names).astype("str")


def _add_owner(owner: str, name: str = "") -> str:
    own, whole = name.casefold(), owner.casefold()
    is_whole = whole in own or (own in whole and len(own) > len(whole) / 2)
    return name if is_whole else f"{owner} - {name}" if name else owner


def by_rules(column: pd.Series, rules: tuple[tuple[str, str], ...]) -> pd.Series:
    """Return the value of the first (pattern, value) found in each text, in any case."""
    result = pd.Series(None, index=column.index, dtype="str")
    for pattern, value in rules:
        result = result.mask(result.isna() & contains(column, pattern), value)
    return result


def contains(column: pd.Series, pattern: str) -> pd.Series:
    """Return whether each text contains the pattern, ignoring case; False for missing texts."""
    return column.str.contains(pattern, case=False, regex=True).fillna(False).astype(bool)


def says_when(column: pd.Series) -> pd.Series:
    """Return whether each text names a weekday or a time of day."""
    return contains(column, _SAYS_WHEN)


def without_emails(column: pd.Series) -> pd.Series:
    """Return texts without e-mail addresses (personal data) and the words that announce them."""
    return map_where(column, contains(column, "@"), without_emails_in)


def website_without_email(column: pd.Series) -> pd.Series:
    """Return web addresses; missing if the cell contains an e-mail address."""
    return column.mask(contains(column, _EMAIL_AS_WEBSITE))


def as_dates(column: pd.Series, form: str) -> pd.Series:
    """Parse texts in the strptime form `form` as dates, else in a form of another edition; None
    for anything else.

    Programs between the publisher and us write a day as ISO text, with a time after it, as a
    spreadsheet's count of days, or in milliseconds since 1970.
    """
    days = pd.to_datetime(column, format=form, errors="coerce").astype("datetime64[us]")
    open_ = days.isna() & column.notna()
    if open_.any():
        days[open_] = _days_otherwise(column[open_])
    return days.dt.date.astype("object").where(days.notna(), None)


def five_digits(zips: pd.Series) -> pd.Series:
    """Return ZIP codes for a key: five digits, with the zeros that an edition lost."""
    plain = zips.str.replace(r"^(\d{5})-?\d{4}$|^(\d{3,5})\.0$", r"\1\2", regex=True)
    return plain.mask(
        plain.str.fullmatch(r"\d{3,4}").fillna(False).astype(bool), plain.str.zfill(5)
    )


_TIME_BEHIND = r"[T ]+\d{1,2}:\d{2}.*$"
_OTHER_DATES = ("%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%m/%d/%y")
# Days from 1982 to 2064 as a spreadsheet counts them, and milliseconds from 1990 on.
_DAYS, _MILLISECONDS = r"[3-5]\d{4}", r"\d{12,13}"


def _days_otherwise(column: pd.Series) -> pd.Series:
    texts = column.astype("str").str.replace(_TIME_BEHIND, "", regex=True)
    days = pd.Series(pd.NaT, index=column.index, dtype="datetime64[us]")
    for form in _OTHER_DATES:
        days = days.fillna(pd.to_datetime(texts, format=form, errors="coerce"))
    numbers = pd.to_numeric(texts, errors="coerce")
    for pattern, unit, origin in ((_DAYS, "D", "1899-12-30"), (_MILLISECONDS, "ms", "unix")):
        day_numbers = numbers.where(texts.str.fullmatch(pattern).fillna(False).astype(bool))
        days = days.fillna(pd.to_datetime(day_numbers, unit=unit, origin=origin, errors="coerce"))
    return days.astype("datetime64[us]")


def digests(*columns: pd.Series) -> pd.Series:
    """Return `digest_key` of the columns, row by row."""
    plain = [column.astype("object").where(column.notna(), None) for column in columns]
    keys = [digest_key(*parts) for parts in zip(*plain, strict=True)]
    return pd.Series(keys, index=columns[0].index, dtype="str")


_TAGS = {
    "english": "en",
    "spanish": "es",
    "espanol": "es",
    "español": "es",
    "french": "fr",
    "portuguese": "pt",
    "haitian creole": "ht",
    "creole": "ht",
    "italian": "it",
    "german": "de",
    "hebrew": "he",
    "yiddish": "yi",
    "russian": "ru",
    "arabic": "ar",
    "chinese": "zh",
    "mandarin": "cmn",
    "cantonese": "yue",
    "vietnamese": "vi",
    "korean": "ko",
    "japanese": "ja",
    "amharic": "am",
    "hindi": "hi",
    "tagalog": "tl",
    "american sign language": "ase",
    "asl": "ase",
    "sign language": "ase",
}
_BETWEEN = re.compile(r"[,;&/]|\band\b|\bonly\b", re.IGNORECASE)


def language_tags(column: pd.Series) -> pd.Series:
    """Return each text's tags in the order named; missing if none is known."""
    tags_of_text = {text: tags_of(text) for text in column.dropna().unique()}
    values = [tags_of_text.get(text) or None if pd.notna(text) else None for text in column]
    return pd.Series(values, index=column.index, dtype="object")


def tags_of(text: str) -> list[str]:
    """Return the tags of a list of names, without parts that are no plain name."""
    parts = (part.strip(" .").casefold() for part in _BETWEEN.split(text))
    return list(dict.fromkeys(_TAGS[part] for part in parts if part in _TAGS))
