"""Formats a review of two releases as text, or as Markdown for a pull request."""

from collections.abc import Iterator
from html import escape

from pipelines.options import table
from warehouse.release.review import PlaceChange, ReleaseReview, ReviewGroup, ReviewKind

# Groups with examples in a pull request comment, which may have 65,536 characters.
_COMMENT_GROUPS = 5
_COMMENT_EXAMPLES = 3


def review_text(review: ReleaseReview) -> str:
    """Return a review for a terminal."""
    if not any(review.counts.values()):
        return f"{_heading(review)}\n"
    lines = [_heading(review), "", table(("change", "places"), list(_counts(review)))]
    for title, groups in (("source", review.by_source), ("state", review.by_state)):
        lines += ["", table((title, "changes"), [(g.group, _summary(g)) for g in groups])]
    for group in review.by_source:
        lines += ["", f"{group.group}:"]
        lines += [f"  {_line(change)}" for change in group.examples]
    return "\n".join(lines) + "\n"


def review_markdown(review: ReleaseReview) -> str:
    """Return a review as a comment on a pull request."""
    if not any(review.counts.values()):
        return f"### {_heading(review)}\n"
    lines = [f"### {_heading(review)}", "", "| change | places |", "| --- | ---: |"]
    lines += [f"| {kind} | {count:,} |" for kind, count in _counts(review)]
    for title, groups in (("Source", review.by_source), ("State", review.by_state)):
        lines += ["", f"| {title} | changes |", "| --- | --- |"]
        lines += [f"| {_cell(g.group)} | {_summary(g)} |" for g in groups]
    for group in review.by_source[:_COMMENT_GROUPS]:
        lines += ["", f"<details><summary>{_cell(group.group)}</summary>", ""]
        lines += [f"- {_cell(_line(change))}" for change in _few(group)]
        lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def _heading(review: ReleaseReview) -> str:
    same = "" if any(review.counts.values()) else "; no place has changed"
    totals = f"{review.before:,} to {review.after:,} places listed"
    return f"{review.older} to {review.newer}: {totals}{same}"


def _counts(review: ReleaseReview) -> Iterator[tuple[ReviewKind, int]]:
    yield from ((kind, count) for kind, count in review.counts.items() if count)


def _summary(group: ReviewGroup) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in group.counts.items())


def _line(change: PlaceChange) -> str:
    values = " -> ".join(value for value in (change.before, change.after) if value)
    place = f"{change.name} ({change.resource_type}), {change.city or '?'}, {change.state}"
    return f"{change.kind} {change.resource_id} {place}" + (f": {values}" if values else "")


def _few(group: ReviewGroup) -> Iterator[PlaceChange]:
    """Yield the first examples of each kind."""
    counts: dict[ReviewKind, int] = {}
    for change in group.examples:
        counts[change.kind] = counts.get(change.kind, 0) + 1
        if counts[change.kind] <= _COMMENT_EXAMPLES:
            yield change


def _cell(text: str) -> str:
    """Escape a publisher's text for Markdown."""
    plain = "".join(f"\\{c}" if c in "\\`*_[]|~#" else c for c in text)
    return escape(plain.replace("\n", " "), quote=False)
