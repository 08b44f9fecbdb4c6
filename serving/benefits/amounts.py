"""Money as exact decimals, and the two roundings of the rules."""

from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")
ZERO = Decimal(0)


def cents(value: float | int | str | Decimal) -> Decimal:
    """Return the amount in whole cents, half a cent up."""
    return Decimal(str(value)).quantize(_CENT, ROUND_HALF_UP)


def nearest_dollar(value: Decimal) -> int:
    """Return cents 1-49 down, 50-99 up, of the amount in whole cents (7 CFR
    273.10(e)(1)(ii)(A))."""
    return int(cents(value).to_integral_value(ROUND_HALF_UP))


def next_dollar(value: Decimal) -> int:
    """Return any cents up (7 CFR 273.10(e)(2)(ii)(A)(1))."""
    return int(cents(value).to_integral_value(ROUND_CEILING))
