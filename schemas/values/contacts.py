"""Telephone numbers of the North American plan, and web addresses, as a person would use them."""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

import phonenumbers


class Phone(NamedTuple):
    """`display` is "(978) 555-0142 ext. 12"; `e164` leaves the extension out."""

    e164: str
    display: str
    extension: str | None


# Of a text in which numbers are looked for: some twenty numbers with their remarks.
MAX_CHARACTERS = 2000
_REGIONS = frozenset({"US", "PR", "VI", "GU", "AS", "MP"})
# Calling these costs extra: never offered to a hungry person.
_PREMIUM = phonenumbers.PhoneNumberType.PREMIUM_RATE

_NUMBER = re.compile(
    r"(?<![\d+])(?:\+?1[\s.\-/]*)?\(?\s*([2-9]\d\d)\s*\)?[\s.\-/]*([2-9]\d\d)[\s.\-]*(\d{4})(?!\d)"
    r"(?:\s*[,;]?\s*\(?(?:extension|ext|x|#|opt(?:ion)?)[\s.:#]*(\d{1,7})\b)?",
    re.ASCII | re.IGNORECASE,
)
# Seven letters or digits after a toll-free code: 1-866-3-HUNGRY, 1-800-MY-LUNCH.
_VANITY = re.compile(
    r"(?<![\dA-Za-z])(?:\+?1[\s.\-]*)?\(?(8(?:00|33|44|55|66|77|88))\)?[\s.\-]*"
    r"((?:[A-Za-z\d][\-.]?){6}[A-Za-z\d])(?![A-Za-z\d])",
    re.ASCII,
)
# The number of another country after its code; the North American code is 1.
_FOREIGN = re.compile(r"(?:\+\s*(?!1)|\b011[\s.\-]+)\d[\d\s.\-()]*", re.ASCII)
_DASHES = str.maketrans("‐‑‒–—\u00a0", "----- ")
_KEYPAD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_FICTION = re.compile(r"01\d\d", re.ASCII)


def parse_phones(text: str) -> list[Phone]:
    """Return all usable numbers of a text, in order, each once; extensions do not count."""
    # One blank at a time: with any number of blanks, long runs would take quadratic time.
    plain = " ".join(text[:MAX_CHARACTERS].translate(_DASHES).split())
    plain = _FOREIGN.sub(" ", plain)
    by_number: dict[str, Phone] = {}
    for area, exchange, line, extension in _NUMBER.findall(plain):
        if _is_in_use(area, exchange, line):
            phone = _phone(area, exchange, line, extension or None)
            by_number.setdefault(phone.e164, phone)
    return list(by_number.values()) or _vanity_phones(plain)


def parse_phone(text: str) -> Phone | None:
    """Return the first usable number of a text, None without one.

    Placeholders (000-000-0000, 555-555-5555, 123-456-7890), numbers without area code, numbers of
    other countries and premium-rate numbers are not usable.
    """
    return next(iter(parse_phones(text)), None)


def _vanity_phones(text: str) -> list[Phone]:
    match = _VANITY.search(text)
    if match is None:
        return []
    digits = re.sub(r"[^A-Z0-9]", "", match[2].upper()).translate(_KEYPAD)
    area, exchange, line = match[1], digits[:3], digits[3:]
    return [_phone(area, exchange, line, None)] if _is_in_use(area, exchange, line) else []


def _phone(area: str, exchange: str, line: str, extension: str | None) -> Phone:
    display = f"({area}) {exchange}-{line}"
    if extension:
        display = f"{display} ext. {extension}"
    return Phone(f"+1{area}{exchange}{line}", display, extension)


def _is_in_use(area: str, exchange: str, line: str) -> bool:
    """Check for numbers in use: 555-0100 to 555-0199, no other 555 number."""
    if exchange == "555":
        # American Samoa's plan lists its few exchanges; 622 is one of them.
        is_area_code = _is_assigned(area, "555") or _is_assigned(area, "622")
        return _FICTION.fullmatch(line) is not None and is_area_code
    return _is_assigned(area, exchange)


@lru_cache(maxsize=100_000)
def _is_assigned(area: str, exchange: str) -> bool:
    """Return whether the numbering plan assigns the prefix to the United States or a territory.

    The plan's metadata says nothing about the last four digits, so one check serves 10,000 numbers.
    """
    number = phonenumbers.PhoneNumber(country_code=1, national_number=int(f"{area}{exchange}0123"))
    return (
        phonenumbers.region_code_for_number(number) in _REGIONS
        and phonenumbers.number_type(number) != _PREMIUM
    )


# Web addresses: http and https only, with a host that can exist and without tracking parameters.

# "http:/x", "http//x", "HTTP:\\x", "https:x", "htttp://x" were all meant as "http://x".
_SCHEME = re.compile(r"^h?t{1,3}p(s?)(?:\s*[:;]+[/\\\s]*|[/\\]{2,}\s*)", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:/|$))", re.IGNORECASE)
# Commas and semicolons separate addresses only before the start of another: paths may contain them.
_SEPARATOR = re.compile(
    r"[\s|<>\"]+|[,;]+(?=\s|$|https?:|www\.)|(?<=[\w/])(?=https?://)", re.IGNORECASE
)
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_TOP_LEVEL = re.compile(r"[a-z]{2,63}|xn--[a-z0-9-]{1,59}")
_TRACKING = re.compile(
    r"(?:utm_\w*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|igsh|_ga|_gl|yclid|__cft__\S*"
    r"|__tn__)",
    re.IGNORECASE,
)
_SAFE = "!#$%&'()*+,/:;=?@[]~"


def parse_website(text: str) -> str | None:
    """Return the first web address of a text in one form, None without one.

    A missing scheme becomes http, since only the host itself can show that it serves https. E-mail
    addresses, other schemes, bare names and numeric hosts are not web addresses.
    """
    plain = _SCHEME.sub(lambda match: f"http{match[1].lower()}://", text.strip())
    for part in _SEPARATOR.split(plain):
        address = _as_address(part)
        if address:
            return address
    return None


def _as_address(part: str) -> str | None:
    part = part.strip(".,;()[]'").replace("\\", "/")
    if "/" not in part:
        part = re.split("[,;]", part)[0]
    part = _SCHEME.sub(lambda match: f"http{match[1].lower()}://", part)
    if not part.startswith(("http://", "https://")):
        if _OTHER_SCHEME.match(part) or "@" in part.partition("/")[0]:
            return None
        part = f"http://{part}"
    try:
        split = urlsplit(part)
        host, port = _host(split.hostname or ""), split.port
    except ValueError:
        return None
    if host is None or split.username is not None:
        return None
    return _join(split, host if port in {None, 80, 443} else f"{host}:{port}")


def _join(split: SplitResult, host: str) -> str:
    path = quote(split.path, safe=_SAFE)
    query = "&".join(
        parameter
        for parameter in split.query.split("&")
        # A parameter with an @ contains a person's e-mail address.
        if not _TRACKING.fullmatch(parameter.partition("=")[0])
        and "@" not in parameter
        and "%40" not in parameter
    )
    return urlunsplit(
        (split.scheme, host, path, quote(query, safe=_SAFE), quote(split.fragment, safe=_SAFE))
    )


def _host(host: str) -> str | None:
    """Return the host in lower-case ASCII, None when no public host can have that name."""
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    labels = host.lower().rstrip(".").split(".")
    if len(labels) < 2 or not _TOP_LEVEL.fullmatch(labels[-1]):
        return None
    return ".".join(labels) if all(map(_LABEL.fullmatch, labels)) else None
