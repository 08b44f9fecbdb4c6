"""Formats a review of two releases as text, as Markdown for a pull request, or as one HTML page."""

from collections.abc import Iterator
from html import escape

import pandas as pd

from pipelines.options import table
from pipelines.point_map import map_svg
from warehouse.release.review import KINDS, PlaceChange, ReleaseReview, ReviewGroup, ReviewKind

# Colours of the dots. The page also names the kind of every place.
_COLORS: dict[ReviewKind, str] = {
    "added": "#00703c",
    "gone": "#d4351c",
    "merged": "#912b88",
    "split": "#f499be",
    "moved": "#1d70b8",
    "hours": "#f47738",
    "renamed": "#6f777b",
    "contact": "#28a197",
    "other": "#b1b4b6",
}
# Groups with examples in a pull request comment, which may have 65,536 characters.
_COMMENT_GROUPS = 5
_COMMENT_EXAMPLES = 3
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.25rem .75rem;text-align:left;vertical-align:top;"
    "border-bottom:1px solid #ccc}td.n{text-align:right}summary{cursor:pointer;padding:.25rem 0}"
    ".dot{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin-right:.4em}"
)


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


def review_page(review: ReleaseReview) -> str:
    """Return a review as one self-contained HTML page."""
    heading = escape(_heading(review))
    points = pd.DataFrame(
        [
            {"lat": p.lat, "lng": p.lng, "name": f"{p.kind}: {p.name}", "color": _COLORS[p.kind]}
            for p in review.points
        ],
        columns=["lat", "lng", "name", "color"],
    )
    rows = "".join(
        '<tr><th scope="row"><span class="dot" '
        f'style="background:{_COLORS[kind]}"></span>{kind}</th><td '
        f'class="n">{count:,}</td><td>{escape(KINDS[kind])}</td></tr>'
        for kind, count in _counts(review)
    )
    sections = "".join(
        f"<h2>By {title}</h2>" + "".join(_section(group) for group in groups)
        for title, groups in (("source", review.by_source), ("state", review.by_state))
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{heading}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>{heading}</h1><table><tbody>{rows}</tbody></table>"
        f"<h2>Map</h2>{map_svg(points)}{sections}</html>\n"
    )


def _section(group: ReviewGroup) -> str:
    rows = "".join(
        f"<tr><td>{change.kind}</td><td>{change.resource_id}</td><td>{escape(_place(change))}</td>"
        f"<td>{escape(change.before or '')}</td><td>{escape(change.after or '')}</td></tr>"
        for change in group.examples
    )
    return (
        f"<details><summary>{escape(group.group)}: {_summary(group)}</summary><table><thead><tr>"
        '<th scope="col">change</th><th scope="col">id</th><th scope="col">place</th>'
        '<th scope="col">before</th><th scope="col">after</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def _heading(review: ReleaseReview) -> str:
    same = "" if any(review.counts.values()) else "; no place has changed"
    totals = f"{review.before:,} to {review.after:,} places listed"
    return f"{review.older} to {review.newer}: {totals}{same}"


def _counts(review: ReleaseReview) -> Iterator[tuple[ReviewKind, int]]:
    yield from ((kind, count) for kind, count in review.counts.items() if count)


def _summary(group: ReviewGroup) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in group.counts.items())


def _place(change: PlaceChange) -> str:
    return f"{change.name} ({change.resource_type}), {change.city or '?'}, {change.state}"


def _line(change: PlaceChange) -> str:
    values = " -> ".join(value for value in (change.before, change.after) if value)
    return f"{change.kind} {change.resource_id} {_place(change)}" + (
        f": {values}" if values else ""
    )


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
