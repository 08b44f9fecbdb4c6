"""Whether days stand before times or after them, part by part."""

from __future__ import annotations

from collections.abc import Iterator

from assets.hours.atoms import Atom

_DAYS_OR_TIMES = {"days": "D", "date": "D", "span": "S"}
_COMPLETE = ("DS", "SD")


def orders_of(atoms: list[Atom]) -> list[bool]:
    """For each atom whether times stand before days around it.

    The text's first order holds, but "9-5 Mon-Fri; Sat 10-2" turns round: a part with all its days on one
    side of all its times is read in its own order when the part before it is complete as well.
    """
    orders: list[bool] = []
    first = next((a.what for a in atoms if a.what in _DAYS_OR_TIMES), None)
    order, is_whole_before = first == "span", False
    for part in _parts(atoms):
        shape = _shape(part)
        own = shape == "SD" if shape in _COMPLETE and is_whole_before else order
        orders += [own] * len(part)
        is_whole_before = shape == ("SD" if own else "DS") if shape else is_whole_before
    return orders


def _parts(atoms: list[Atom]) -> Iterator[list[Atom]]:
    part: list[Atom] = []
    for atom in atoms:
        part.append(atom)
        if atom.what == "break":
            yield part
            part = []
    yield part


def _shape(part: list[Atom]) -> str:
    """ "DS" for days and then times; the same kind in a row counts once, parentheses do not count."""
    letters = [_DAYS_OR_TIMES.get(atom.what, "") for atom in part if not atom.in_group]
    text = "".join(letters)
    return "".join(c for n, c in enumerate(text) if n == 0 or text[n - 1] != c)
