"""The history as pages: the list of releases, and the report on one. Values are escaped by the renderer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from schemas.api.history import Movement, ReleaseList, ReleaseReport
from schemas.vocab.changes import CHANGES, RETIREMENT_REASONS
from warehouse.manifest import Manifest

_TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
_SHOWN_SOURCES = 15


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template(name)


def history_page(found: ReleaseList, is_synthetic: bool) -> bytes:
    """All releases as a page."""
    text = _template("releases.html").render(found=found, is_synthetic=is_synthetic, kinds=CHANGES.items())  # fmt: skip
    return text.encode()


def report_page(manifest: Manifest, report: ReleaseReport | None, *, is_kept: bool) -> bytes:
    """The report on one release as a page; without a report it says so."""
    shown = _tables(report) if report else []
    fields = sorted(report.changed_fields.items(), key=lambda f: (-f[1], f[0])) if report else []
    text = _template("release.html").render(
        manifest=manifest,
        report=report,
        is_kept=is_kept,
        kinds=CHANGES.items(),
        reasons=RETIREMENT_REASONS,
        changed_fields=fields,
        tables=shown,
    )
    return text.encode()


def _tables(report: ReleaseReport) -> list[tuple[str, str, list[Movement]]]:
    """Title, caption and rows of the tables: sources are cut to those that moved most."""
    moved = [s for s in report.by_source if s.before != s.after or s.added or s.changed or s.reactivated or s.merged or s.retired]  # fmt: skip
    return [
        ("By type", "Listed places and changes by type of place", report.by_type),
        ("By state", "Listed places and changes by state or territory", report.by_state),
        ("Biggest movements by source", f"The {_SHOWN_SOURCES} sources with most changes, by the source that leads a place", moved[:_SHOWN_SOURCES]),
    ]  # fmt: skip
