"""Numbers, dates and the like as readers of each language write them (CLDR through Babel)."""

from datetime import date, datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from babel.dates import format_date
from babel.numbers import format_currency, format_percent

from schemas.hours.clock_words import month_day
from schemas.languages import Language, languages


@cache
def _symbols(language: Language) -> tuple[str, str, str]:
    """Return the signs of a language (CLDR): between thousands, before decimals, minus."""
    signs = languages()[language].locale.number_symbols["latn"]
    return signs["group"], signs["decimal"], signs["minusSign"]


def number(value: float | Decimal, language: Language, digits: int = 0) -> str:
    """Return `12345.6` -> `12,346`; at most `digits` decimals, without zeros at the end.

    Babel parses the pattern and the locale for each number, a fifth of the time of a page with many
    of them; this reads the signs of the locale once.
    """
    group, point, minus = _symbols(language)
    if isinstance(value, int):
        text = f"{value:,}".replace(",", group)
    else:
        whole, _, decimals = f"{Decimal(str(value)):,.{digits}f}".partition(".")
        decimals = decimals.rstrip("0")
        text = whole.replace(",", group) + (point + decimals if decimals else "")
    return minus + text[1:] if text[0] == "-" else text


def money(value: float | Decimal, language: Language, cents: bool | None = None) -> str:
    """Format dollars; cents are shown when there are any, or always or never on request."""
    has_cents = value != int(value) if cents is None else cents
    return str(
        format_currency(
            value,
            "USD",
            format="¤#,##0.00" if has_cents else "¤#,##0",
            locale=languages()[language].locale,
            currency_digits=False,
        )
    )


def percent(share: float, language: Language, digits: int = 0) -> str:
    """Return `0.425` -> `43%`."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "") + "%"
    return str(format_percent(share, format=pattern, locale=languages()[language].locale))


@lru_cache(maxsize=4096)
def day(value: date | datetime | str, language: Language) -> str:
    """Return a date in words: `November 22, 2026`, `22 de noviembre de 2026`. Takes ISO texts
    too."""
    when = value if isinstance(value, date) else datetime.fromisoformat(value[:10]).date()
    if languages()[language].months:
        return month_day(when.month, when.day, language, when.year)
    return str(format_date(when, format="long", locale=languages()[language].locale))


def filters(language: Language) -> dict[str, Any]:
    """Return the same as filters of a template: `{{ n | number }}`, `{{ share | percent(1) }}`."""
    return {
        "number": lambda v, digits=0: number(v, language, digits),
        "money": lambda v, cents=None: money(v, language, cents),
        "percent": lambda v, digits=0: percent(v, language, digits),
        "day": lambda v: day(v, language),
    }
