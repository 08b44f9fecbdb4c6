"""Rules that values of requests must meet, in words, from the types that check them."""

from typing import Any

from msgspec import inspect

from schemas.api.history import RELEASE_ID_PATTERN
from schemas.api.operators import EMAIL_PATTERN
from schemas.api.patterns import SAYS_SOMETHING, SIX_DIGITS
from schemas.vocab.constraints import TIME_PATTERN

_PATTERNS = {
    SAYS_SOMETHING: "more than blanks",
    SIX_DIGITS: "six digits",
    EMAIL_PATTERN: "an email address, such as pantry@example.org",
    RELEASE_ID_PATTERN: "the id of a release, as in `/api/releases`",
    "^[0-9]{5}$": "a text of five digits",
    "^([0-9]{5})?$": "a text of five digits",
    "^[0-9]{5}(-[0-9]{4})?$": "five digits, or ZIP+4",
    "^[a-z]{2,3}$": "the code of a language, such as es",
    TIME_PATTERN: "a time such as morning, open_now, after 17:00 or 09:00-12:00",
    "^[A-Z]{2}$": "the two-letter code of a state or territory, in capital letters",
    "^https?://[!-~]+$": "an address that begins with https://, of 2,000 characters at most",
}


def rule_of(annotation: Any, member: str = "") -> str | None:
    """Return the rule of a type, or of one member of a body; None where the type has no words."""
    kind = _inside(inspect.type_info(annotation))
    if member:
        fields = kind.fields if isinstance(kind, inspect.StructType) else ()
        kind = next((_inside(f.type) for f in fields if f.encode_name == member), inspect.AnyType())
    return _in_words(kind)


def _inside(kind: inspect.Type) -> inspect.Type:
    """Return a type without its description, and without the None of what may be left out."""
    if isinstance(kind, inspect.Metadata):
        return _inside(kind.type)
    return _inside(kind.types[0]) if isinstance(kind, inspect.UnionType) else kind


def _in_words(kind: inspect.Type) -> str | None:
    words = None
    match kind:
        case inspect.IntType(ge=least, le=most):
            words = _with_bounds("a whole number", least, most)
        case inspect.FloatType(ge=least, le=most):
            words = _with_bounds("a number", least, most)
        case inspect.BoolType():
            words = "true or false"
        case inspect.UUIDType():
            words = "a UUID"
        case inspect.EnumType(cls=choices):
            words = f"one of {', '.join(str(choice.value) for choice in choices)}"
        case inspect.LiteralType(values=choices):
            words = f"one of {', '.join(str(choice) for choice in choices)}"
        case inspect.StrType(pattern=None, min_length=least, max_length=most):
            words = _with_bounds("a text", least, most, " characters")
        case inspect.StrType(pattern=pattern, min_length=least, max_length=most):
            words = _PATTERNS.get(pattern or "")
            if pattern == SAYS_SOMETHING and most is not None:
                words = f"{_with_bounds('a text', least, most, ' characters')}, {words}"
        case inspect.ListType(item_type=item):
            each = _in_words(_inside(item))
            words = each and f"a list, each {each}"
    return words


def _with_bounds(noun: str, least: float | None, most: float | None, unit: str = "") -> str:
    low, high = ("" if n is None else f"{n:,}".removesuffix(".0") for n in (least, most))
    if low and high:
        return f"{noun} from {low} to {high}{unit}"
    return (
        f"{noun}, {low}{unit} or more" if low else f"{noun}, {high}{unit} at most" if high else noun
    )
