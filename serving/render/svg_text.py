"""Text on pictures: measured in the font that draws it, wrapped by its width, safe in XML.

The font is DejaVu Sans, in `fonts/`. A browser that shows the SVG itself may not have it; the
families named after it are as wide or narrower, so nothing runs over.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import resvg_py

_FONTS = Path(__file__).with_name("fonts")
REGULAR, BOLD = str(_FONTS / "DejaVuSans.ttf"), str(_FONTS / "DejaVuSans-Bold.ttf")
FAMILY = "DejaVu Sans"
FAMILIES = f"{FAMILY}, Verdana, Geneva, sans-serif"
# Characters that XML 1.0 does not allow (section 2.2), and marks that turn the direction of text
# that follows.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
_BLANKS = re.compile(r"\s+")
_ELLIPSIS = "…"


class Lines(NamedTuple):
    """A text in lines that fit, and the size in pixels at which they do."""

    lines: list[str]
    size: float


@cache
def _advances(is_bold: bool) -> tuple[dict[int, int], int, int]:
    """Return width of every character, of one without a glyph, and of the em, all in units of
    the font."""
    import freetype  # noqa: PLC0415 - only for pictures

    face = freetype.Face(BOLD if is_bold else REGULAR)
    widths = {
        code: face.get_advance(glyph, freetype.FT_LOAD_NO_SCALE) for code, glyph in face.get_chars()
    }
    return widths, face.units_per_EM, face.units_per_EM


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return width in pixels, kerning not counted; a character that the font lacks counts as a
    whole em."""
    widths, other, em = _advances(is_bold)
    return sum(widths.get(ord(c), other) for c in text if not unicodedata.combining(c)) * size / em


def plain(text: str) -> str:
    """Return one line of composed characters, without characters that XML forbids and marks that
    turn text around.
    """
    return unicodedata.normalize("NFC", _BLANKS.sub(" ", _FORBIDDEN.sub(" ", text)).strip())


def wrap(
    text: str, size: float, width: float, max_lines: int, *, is_bold: bool = False
) -> list[str]:
    """Return the text in lines no wider than `width`; text beyond the last one is an ellipsis."""
    lines = _all_lines(plain(text), size, width, is_bold)
    if len(lines) <= max_lines:
        return lines
    visible = lines[:max_lines]
    last = visible[-1]
    while last and text_width(last + _ELLIPSIS, size, is_bold=is_bold) > width:
        last = last[:-1]
    return [*visible[:-1], last.rstrip(" ,.-") + _ELLIPSIS]


def fit(
    text: str, sizes: tuple[float, ...], width: float, max_lines: int, *, is_bold: bool = False
) -> Lines:
    """Return the text at the largest size at which it fits whole; at the smallest, cut."""
    for size in sizes:
        lines = _all_lines(plain(text), size, width, is_bold)
        if len(lines) <= max_lines:
            return Lines(lines, size)
    return Lines(wrap(text, sizes[-1], width, max_lines, is_bold=is_bold), sizes[-1])


def _all_lines(text: str, size: float, width: float, is_bold: bool) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, is_bold=is_bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = _pieces(word, size, width, is_bold)
        lines += whole
    return [*lines, line] if line else lines


def _pieces(word: str, size: float, width: float, is_bold: bool) -> list[str]:
    """Return a word in parts that fit a line each; nearly always one."""
    pieces, piece = [], ""
    for character in word:
        if piece and text_width(piece + character, size, is_bold=is_bold) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def text_element(
    text: str, x: float, y: float, size: float, colour: str, *, is_bold: bool = False
) -> str:
    """Return a `text` element; the text is escaped here and nowhere else."""
    weight = ' font-weight="700"' if is_bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight} fill="{colour}">'
        f"{escape(plain(text))}</text>"
    )


def picture(width: int, height: int, title: str, inside: str) -> bytes:
    """Return an SVG document with an accessible title. `inside` is markup."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(plain(title))}'
        f' font-family="{FAMILIES}">'
        f"<title>{escape(plain(title))}</title>{inside}</svg>"
    ).encode()


def png_of(svg: bytes, width: int | None = None) -> bytes:
    """Return a picture as PNG, at its own size or `width` pixels wide. Reads only its own fonts."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg.decode(),
        width=width,
        font_files=[REGULAR, BOLD],
        skip_system_fonts=True,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return bytes(png)
