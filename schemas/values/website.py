"""Web addresses: http and https only, with a host that can exist and without tracking
parameters."""

import re
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

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
