"""Request parameters for handlers' `Annotated` types, with their descriptions from parameters.yaml;
and the rules that values must meet, in words, from the types that check them."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import Scope
from msgspec import inspect

from schemas.api.common import SAYS_SOMETHING, SIX_DIGITS
from schemas.api.history import RELEASE_ID_PATTERN
from schemas.api.operators import EMAIL_PATTERN
from schemas.descriptions import Meaning
from schemas.vocab.constraints import TIME_PATTERN
from serving.context import context_of

_MEANINGS = msgspec.yaml.decode(
    Path(__file__).with_name("parameters.yaml").read_bytes(), type=dict[str, str | Meaning]
)
UNKNOWN = _MEANINGS["unknown"]


def query(
    name: str, *, of: str = "", fill: Mapping[str, object] | None = None, **rules: Any
) -> QueryParameter:
    """Return a query parameter: its name, rules such as `ge=1`, and its description `of` a use,
    with the values named in its text."""
    meaning = _meaning(f"{name}/{of}" if of else name, {**rules, **(fill or {})})
    return QueryParameter(name=name, **meaning, **rules)


def path_part(meaning: str, **rules: Any) -> PathParameter:
    """Return a path parameter: the name of its description, and rules such as `ge=1`."""
    return PathParameter(**_meaning(meaning, rules), **rules)


def _meaning(name: str, values: Mapping[str, object]) -> dict[str, Any]:
    entry = _MEANINGS[name]
    meaning, examples = (entry, []) if isinstance(entry, str) else (entry.meaning, entry.examples)
    return {
        "description": meaning.format(unknown=UNKNOWN, **values),
        "examples": [Example(value=value) for value in examples] or None,
    }


Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", description="`Bearer <token>`, as the operators set it."),
]


def has_admin_token(scope: Scope, authorization: str | None) -> bool:
    """Return whether a request carries the token of LARDER_ADMIN_TOKEN; never if the instance has
    none."""
    token = context_of(scope).settings.admin_token
    scheme, _, given = (authorization or "").partition(" ")
    is_right = scheme.lower() == "bearer" and secrets.compare_digest(
        given.strip().encode(), token.encode()
    )
    return bool(token) and is_right


# ---------------------------------------------------------------- rules in words

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
    """Return a type without its description, and without the None of an optional value."""
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
