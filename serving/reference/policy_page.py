"""Generates the list of policy parameters in docs/facts.md: `python -m
serving.reference.policy_page`."""

from datetime import date
from itertools import groupby
from pathlib import Path

from serving.reference.policy import Fact, fact_lines

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "facts.md"
BEGIN = "<!-- facts: written by python -m serving.reference.policy_page -->"
_PER_STATE = 2


def _span(fact: Fact) -> str:
    """Format the range of days with values, or the day of the next check."""
    if all(p.unverified for p in fact.periods):
        return "not verified: never shown"
    first = min((p.from_date for p in fact.periods if p.from_date), default=None)
    ends = [p.to_date for p in fact.periods]
    last = None if None in ends else max(end for end in ends if end is not None)
    looks = [p.check_by for p in fact.periods if p.check_by]
    period = f"{_day(first)} to {_day(last)}" if first or last else "always"
    period += f"; look by {max(looks)}" if looks and last is None else ""
    return period + ("; past only" if fact.past else "")


def _day(day: date | None) -> str:
    return "..." if day is None else day.isoformat()


def list_facts() -> str:
    """Return every fact, one line each; those of states and regions share a line."""

    def family_of(line: tuple[str, Fact]) -> str:
        head, _, tail = line[0].rpartition(".")
        return f"{head}.<state>" if tail.isupper() and "." in head else line[0]

    lines = ["| id | what | unit | values |", "| --- | --- | --- | --- |"]
    for family, group in groupby(fact_lines(), key=family_of):
        members = list(group)
        fact_id, fact = members[0]
        is_shared = family != fact_id and len(members) >= _PER_STATE
        name = f"{family} ({len(members)})" if is_shared else fact_id
        what = fact.what.partition(" in ")[0] if is_shared else fact.what
        span = "each its own" if is_shared else _span(fact)
        lines.append(f"| `{name}` | {what} | {fact.unit or ''} | {span} |")
    return "\n".join(lines) + "\n"


def document(text: str) -> str:
    """Return the page with its list regenerated. Raises ValueError when the page has no place
    for it."""
    head, mark, _ = text.partition(BEGIN)
    if not mark:
        raise ValueError(f"{DOCUMENT.name} has no line {BEGIN!r}")
    return f"{head}{BEGIN}\n\n{list_facts()}"


def main() -> None:
    DOCUMENT.write_text(document(DOCUMENT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
