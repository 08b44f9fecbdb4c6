"""The pictures that other sites show: badge (240 by 60), Open Graph cards (1200 by 630), as SVG.

Colours are those of web/static/style.css; every text keeps a contrast of 4.5 to 1 or more on its
ground.
"""

from typing import NamedTuple

from serving.render.assets import mark
from serving.render.svg_text import fit, picture, text_element, text_width, wrap

BADGE_WIDTH, BADGE_HEIGHT = 240, 60
CARD_WIDTH, CARD_HEIGHT = 1200, 630
INK = "#1b1f1d"
SOFT = "#4c5551"
PAPER = "#ffffff"
WASH = "#f2f5f3"
ACCENT = "#0b5f43"
WARN = "#7a4b00"
WARN_WASH = "#fdf1dc"
_MARGIN, _WIDE = 72, CARD_WIDTH - 144
_TICK = (
    '<circle cx="28" cy="30" r="17" fill="#ffffff"/>'
    '<path d="m20 30.5 6 6 11-12" fill="none" stroke="#0b5f43" stroke-width="4"'
    ' stroke-linecap="round" stroke-linejoin="round"/>'
)


def _place_mark(x: float, y: float, scale: float) -> str:
    """Return the mark with its upper left corner at a point; it is 32 wide at scale 1."""
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{mark()}</g>'


class BadgeFacts(NamedTuple):
    """Text of a badge: its words, the date in words, the directory's name, and all of it as a
    sentence."""

    words: str
    date: str | None
    directory: str
    is_verified: bool
    description: str


def badge(facts: BadgeFacts) -> bytes:
    """Return the badge: green for a verified place, outlined for a listed one."""
    ground, words = (ACCENT, PAPER) if facts.is_verified else (PAPER, INK)
    sign = _TICK if facts.is_verified else _place_mark(12, 14, 1)
    small = PAPER if facts.is_verified else SOFT
    inside = [
        f'<rect x="1" y="1" width="238" height="58" rx="7" fill="{ground}" stroke="{ACCENT}"'
        ' stroke-width="2"/>',
        sign,
    ]
    width = BADGE_WIDTH - 54 - 10
    lines: list[tuple[str, tuple[float, ...], str]] = [(facts.words, (12.0, 11.0, 10.0), small)]
    if facts.date:
        lines.append((facts.date, (15.0, 13.0, 12.0), words))
    lines.append(
        (facts.directory, (12.0, 11.0, 10.0, 9.0) if facts.date else (15.0, 13.0, 12.0), small)
    )
    tops = (19.0, 36.0, 51.0) if len(lines) == 3 else (26.0, 45.0)
    for (text, sizes, colour), y in zip(lines, tops, strict=True):
        is_bold = colour != small or text == facts.words
        label = fit(text, sizes, width, 1, is_bold=is_bold)
        inside += [
            text_element(line, 54, y, label.size, colour, is_bold=is_bold) for line in label.lines
        ]
    return picture(BADGE_WIDTH, BADGE_HEIGHT, facts.description, "".join(inside))


def place_card(
    *,
    kind: str,
    name: str,
    address: str,
    phone: str | None,
    footer: str,
    warning: str | None,
    description: str,
) -> bytes:
    """Return the card of one place: its kind, name, address and telephone, a line each."""
    title = fit(name, (72, 62, 54, 46), _WIDE, 3, is_bold=True)
    place = fit(address, (38, 34, 30), _WIDE, 2)
    inside = [_frame(), _text(kind, 130, 34, ACCENT)]
    y = 130.0
    for line in title.lines:
        y += title.size * 1.2
        inside.append(text_element(line, _MARGIN, y, title.size, INK, is_bold=True))
    y += 18
    for line in place.lines:
        y += place.size * 1.3
        inside.append(text_element(line, _MARGIN, y, place.size, SOFT))
    if phone:
        y += 62
        inside.append(text_element(phone, _MARGIN, y, 40, ACCENT, is_bold=True))
    inside.append(_foot(footer, warning))
    return picture(CARD_WIDTH, CARD_HEIGHT, description, "".join(inside))


def figure_card(
    *,
    above: str,
    state: str,
    figures: list[tuple[str, str]],
    footer: str,
    warning: str | None,
    description: str,
) -> bytes:
    """Return the card of a state: a line above its name, up to four figures with their words."""
    title = fit(state, (88, 76, 64, 52), _WIDE, 2, is_bold=True)
    inside = [_frame(), _text(above, 130, 36, ACCENT)]
    y = 130.0
    for line in title.lines:
        y += title.size * 1.15
        inside.append(text_element(line, _MARGIN, y, title.size, INK, is_bold=True))
    step = _WIDE / max(1, len(figures))
    for at, (figure, words) in enumerate(figures):
        x = _MARGIN + at * step
        size = fit(figure, (60, 52, 44, 36), step - 24, 1, is_bold=True)
        inside.append(f'<rect x="{x:g}" y="372" width="{step - 24:g}" height="5" fill="{ACCENT}"/>')
        inside.append(text_element(size.lines[0], x, 440, size.size, INK, is_bold=True))
        for n, line in enumerate(wrap(words, 25, step - 24, 3)):
            inside.append(text_element(line, x, 478 + n * 31, 25, SOFT))
    inside.append(_foot(footer, warning))
    return picture(CARD_WIDTH, CARD_HEIGHT, description, "".join(inside))


def _frame() -> str:
    return (
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="{PAPER}"/>'
        f'<rect width="{CARD_WIDTH}" height="14" fill="{ACCENT}"/>'
    )


def _text(text: str, y: float, size: float, colour: str) -> str:
    return text_element(
        wrap(text, size, _WIDE, 1, is_bold=True)[0], _MARGIN, y, size, colour, is_bold=True
    )


def _foot(footer: str, warning: str | None) -> str:
    """Return the last band: the directory's sign and name, and the notice on the data."""
    parts = [
        f'<rect y="548" width="{CARD_WIDTH}" height="82" fill="{WARN_WASH if warning else WASH}"/>',
        _place_mark(_MARGIN, 567, 1.375),
    ]
    left = _MARGIN + 62
    room = float(CARD_WIDTH - _MARGIN - left)
    if warning:
        wide = text_width(warning, 26, is_bold=True)
        parts.append(
            text_element(warning, CARD_WIDTH - _MARGIN - wide, 598, 26, WARN, is_bold=True)
        )
        room -= wide + 24
    label = fit(footer, (26, 24, 22, 20), room, 1)
    parts.append(text_element(label.lines[0], left, 598, label.size, INK if warning else SOFT))
    return "".join(parts)
