"""The inline markup of documents: `[words](address)` and `**strong**`, nothing else.

Addresses are paths of this service, full https addresses, `tel:` and `mailto:`. Everything else is
text and is escaped.
"""

import re
from collections.abc import Callable

from markupsafe import Markup, escape

_LINK = re.compile(
    r"\[([^\[\]]+)\]\((/[^\s()]*|https?://[^\s()]+|tel:[+\d]+|mailto:[^\s()]+|#[\w-]+)\)"
)
_MARKS = re.compile(rf"{_LINK.pattern}|\*\*([^*]+)\*\*")


def as_html(text: str, link: Callable[[str], str]) -> Markup:
    """Return the text as HTML. `link` maps a path to that of the page's language."""
    parts, at = [], 0
    for mark in _MARKS.finditer(text):
        parts.append(escape(text[at : mark.start()]))
        words, address, strong = mark.groups()
        if strong is not None:
            parts.append(Markup("<strong>{}</strong>").format(strong))
        else:
            target = link(address) if address.startswith("/") else address
            parts.append(Markup('<a href="{}">{}</a>').format(target, words))
        at = mark.end()
    return Markup("").join([*parts, escape(text[at:])])


def as_plain(text: str, full: Callable[[str], str]) -> str:
    """Return the text without marks. `full` turns a path into a full address, in brackets after
    its words."""

    def replacement(mark: re.Match[str]) -> str:
        words, address, strong = mark.groups()
        if strong is not None:
            return str(strong)
        if address.startswith(("tel:", "#")) or address.removeprefix("mailto:") == words:
            return str(words)
        target = full(address) if address.startswith("/") else address.removeprefix("mailto:")
        return f"{words} ({target})"

    return _MARKS.sub(replacement, text)


def phone_mark(number: str) -> str:
    """Return a telephone number as a mark: `[211](tel:211)`."""
    digits = "".join(c for c in number.partition(" x")[0] if c.isdigit())
    if len(digits) == 10:
        return f"[{number}](tel:+1{digits})"
    return f"[{number}](tel:{'+' if len(digits) == 11 else ''}{digits})"
