"""Decides whether days precede or follow times, part by part."""

from collections.abc import Iterator

from assets.hours.atoms import Atom, AtomKind
from assets.hours.days import Days
from assets.hours.times import CannotTell

_DAYS_OR_TIMES = {AtomKind.DAYS: "D", AtomKind.DATE: "D", AtomKind.SPAN: "S"}
_NAMES = (AtomKind.LABEL, AtomKind.SERVICE, AtomKind.WHO)
_COMPLETE = ("DS", "SD")


def orders_of(atoms: list[Atom]) -> list[bool]:
    """Return for each atom whether times precede days around it.

    The first order in the text applies. It changes in "9-5 Mon-Fri; Sat 10-2": a part with all its
    days on one side of all its times uses its own order if the part before it is also complete.
    """
    orders: list[bool] = []
    first = next((a.kind for a in atoms if a.kind in _DAYS_OR_TIMES), None)
    order, is_whole_before = first is AtomKind.SPAN, False
    for part in _parts(atoms):
        shape = _shape(part)
        own = shape == "SD" if shape in _COMPLETE and is_whole_before else order
        is_mixed = shape.startswith("DSD" if own else "SDS") and is_whole_before
        if is_mixed and not any(atom.kind is AtomKind.DAYS and atom.has_colon for atom in part):
            raise CannotTell("days and times out of order")  # "Tue 9-11; 1-3 Thu, Sun 1-2"
        orders += [own] * len(part)
        is_whole_before = shape == ("SD" if own else "DS") if shape else is_whole_before
    return orders


def refuse_named_weeks(atoms: list[Atom]) -> None:
    """Refuse "Sat 9-11 (diapers 2nd Sat only)": the weeks apply to one service; the others may be
    weekly."""
    group: list[Atom] = []
    for atom in [*atoms, Atom(AtomKind.END)]:
        if atom.in_group and atom.kind is not AtomKind.END:
            group.append(atom)
            continue
        is_named = any(atom.kind in _NAMES for atom in group)
        if (
            is_named
            and any(map(_is_some_weeks, group))
            and not any(a.kind is AtomKind.SPAN for a in group)
        ):
            raise CannotTell("weeks of one of the services")
        group = []


def _is_some_weeks(atom: Atom) -> bool:
    is_days = isinstance(atom.value, Days) and not atom.value.is_weekly
    return is_days or atom.kind in (AtomKind.NTHS, AtomKind.OTHER)


def _parts(atoms: list[Atom]) -> Iterator[list[Atom]]:
    part: list[Atom] = []
    for atom in atoms:
        part.append(atom)
        if atom.kind is AtomKind.BREAK:
            yield part
            part = []
    yield part


def _shape(part: list[Atom]) -> str:
    """Return "DS" for days and then times; repeats count once, parentheses do not count."""
    letters = [_DAYS_OR_TIMES.get(atom.kind, "") for atom in part if not atom.in_group]
    text = "".join(letters)
    return "".join(c for n, c in enumerate(text) if n == 0 or text[n - 1] != c)
