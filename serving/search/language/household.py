"""Reads household size and monthly income from a question."""

from serving.search.language.tables import number_patterns, number_words

_NUMBERS = number_words().numbers
_RATES = {"yearly": 1 / 12, "twice_monthly": 2.15, "weekly": 4.3}


def household_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return SNAP calculator inputs from a folded question: `household_size`, and the income in
    dollars a month."""
    inputs = dict[str, str]()
    size = _size(text)
    if size and 1 <= size <= 20:
        inputs["household_size"] = str(size)
    income = _income(text)
    if income is not None:
        kind = (
            "monthly_unearned_income"
            if number_patterns()["unearned"].search(text)
            else "monthly_earned_income"
        )
        inputs[kind] = str(income)
    return tuple(inputs.items())


def _size(text: str) -> int | None:
    patterns = number_patterns()
    mention = patterns["household"].search(text)
    if mention:
        return _number(next(part for part in mention.groups() if part))
    children = patterns["children"].search(text)
    if children:
        return 1 + _number(children[1]) + bool(patterns["couple"].search(text))
    if patterns["couple"].search(text):
        return 2
    return 1 if patterns["alone"].search(text) else None


def _number(text: str) -> int:
    return _NUMBERS.get(text) or int(text)


def _income(text: str) -> int | None:
    """Return dollars a month; None for an hourly wage or without an income."""
    patterns = number_patterns()
    mention = patterns["money"].search(text)
    if mention is None or patterns["hourly"].search(text, mention.end(), mention.end() + 20):
        return None
    amount, thousands = next(
        (a, k) for a, k in zip(mention.groups()[::2], mention.groups()[1::2], strict=True) if a
    )
    dollars = int(amount.replace(",", "")[:9] or 0) * (1000 if thousands else 1)
    part = text[mention.start() : mention.end() + 40]
    rate = next((rate for name, rate in _RATES.items() if patterns[name].search(part)), 1.0)
    return round(dollars * rate)
