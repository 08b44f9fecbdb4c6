"""Drafts sources: YAML, an invented fixture with its expected records, and a map of an undeclared
file."""

import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec
import openpyxl
import pandas as pd
import typst
import yaml

from assets.sources.contract import RawFile
from assets.sources.inference import Proposal, propose, state_of
from assets.sources.mapping import map_file
from pipelines.point_map import extent, write_map
from schemas.sources.mapping import Expression, Mapping, columns_of
from schemas.sources.registry import FileLayout, Source, read_source
from warehouse.fetch.one_file import fetch_file

_SAMPLES = 5
_INVENTED_ROWS = 3
_LAYOUT = "list"
# Invented values by field, used in turn for the rows of a fixture.
_INVENTED: dict[str, tuple[str, ...]] = {
    "name": ("Acorn Food Pantry", "Birch Street Kitchen", "Cedar Community Fridge"),
    "organization": ("Acorn Church", "Birch Street Center", "Cedar Neighbors"),
    "address": ("101 Example St", "202 Sample Ave", "303 Invented Rd"),
    "city": ("Springfield", "Springfield", "Springfield"),
    "state": ("IL", "IL", "IL"),
    "zip": ("62701", "62702", "62703"),
    "county_name": ("Sangamon", "Sangamon", "Sangamon"),
    "lat": ("39.8001", "39.8102", "39.8203"),
    "lng": ("-89.6401", "-89.6502", "-89.6603"),
    "phone": ("217-555-0101", "217-555-0102", "217-555-0103"),
    "website": ("https://acorn.example", "https://birch.example", "https://cedar.example"),
    "hours_text": ("Mon-Fri 9am-12pm", "Tue 5pm-7pm", "Sat 10am-1pm"),
    "whole_address": (
        "101 Example St, Springfield, IL 62701",
        "202 Sample Ave, Springfield, IL 62702",
        "303 Invented Rd, Springfield, IL 62703",
    ),
    "source_updated_date": ("2026-01-15", "2026-02-15", "2026-03-15"),
}


def fetch(file_or_url: str, out: Path) -> Path:
    """Return the path of a file, or of an address's response, stored in `out`.

    Raises FetchError if the address does not respond, FileNotFoundError.
    """
    if not file_or_url.startswith(("http://", "https://")):
        path = Path(file_or_url)
        if not path.is_file():
            raise FileNotFoundError(f"{file_or_url}: no such file")
        return path
    return fetch_file(file_or_url, out)


def draft_source(path: Path, source_id: str | None, origin: str, out: Path) -> str:
    """Write the draft of a source and return notes for its author.

    Raises UnreadableFileError for a file that no reader supports.
    """
    name = path.name.removesuffix(".gz")
    draft_id = source_id or re.sub(r"[^a-z0-9]+", "_", Path(name).stem.casefold()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", draft_id):
        raise ValueError(f"--id: {draft_id!r} is no name of small letters, digits and _")
    file = RawFile(draft_id, name, path, "0" * 64, _LAYOUT, datetime.now(UTC))
    proposal = propose(file)
    text = _yaml(draft_id, name, origin, proposal)
    source = read_source(text)
    places, _ = map_file(file, source, source.layouts[_LAYOUT].resolve())
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{draft_id}.yaml").write_text(text, encoding="utf-8")
    fixture = _write_fixture(out / "fixtures" / draft_id, name, proposal)
    (out / "expected").mkdir(exist_ok=True)
    (out / "expected" / f"{draft_id}.yaml").write_text(_draft_fixture(fixture), encoding="utf-8")
    write_map(places, out / f"{draft_id}.html", draft_id)
    return _report(draft_id, proposal, places, fixture, out)


def _yaml(draft_id: str, name: str, origin: str, proposal: Proposal) -> str:
    """Return the source as YAML: facts to fill in (TODO), then the mapping with its confidence."""
    rows = len(proposal.rows)
    facts: dict[str, Any] = {
        "id": draft_id,
        "title": f"TODO {draft_id}",
        "publisher": "TODO",
        "homepage": origin if origin.startswith("http") else "https://example.org",
        "license": {"id": "none-stated", "name": "TODO No licence stated by the publisher"},
        "cadence": "TODO monthly",
        "cron": "0 7 1 * *",
        "freshness_days": 190,
        "authority": "compiled",
        "plural": "places",
        "description": "TODO",
        "default_type": "food_pantry",
        "expected_rows": {"minimum": rows * 8 // 10, "maximum": max(rows * 12 // 10, 1)},
    }
    state = None if _has_state(proposal) else state_of(_zips(proposal))
    constants = {"state": state} if state else {}
    files = [
        {
            "pattern": _without_date(name),
            "layout": _LAYOUT,
            **({"known": constants} if constants else {}),
        }
    ]
    guesses = "".join(
        f"# {g.confidence:4.2f}  {g.field}: {_rule_text(g.rule)} ({g.why})\n"
        for g in sorted(proposal.guesses, key=lambda g: -g.confidence)
    )
    unused = (
        f"# Columns that nothing reads: {', '.join(proposal.unused)}\n" if proposal.unused else ""
    )
    mapping = {"layouts": {_LAYOUT: msgspec.to_builtins(proposal.mapping)}}
    if not constants and not _has_state(proposal):
        unused += "# TODO if all rows lie in one state: known: {state: XX} in files\n"
    parts = (
        yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=100),
        yaml.safe_dump({"files": files}, sort_keys=False, allow_unicode=True, width=100),
        "# Confidence of each proposal: 1 is sure. Correct what is wrong.\n" if guesses else "",
        guesses,
        unused,
        yaml.safe_dump(mapping, sort_keys=False, allow_unicode=True, width=100),
    )
    return "".join(parts)


def _zips(proposal: Proposal) -> pd.DataFrame:
    rule = proposal.mapping.columns.get("zip")
    column = rule if isinstance(rule, str) and rule in proposal.rows else None
    return pd.DataFrame({"zip": proposal.rows[column]}) if column else pd.DataFrame()


def _has_state(proposal: Proposal) -> bool:
    mapping = proposal.mapping.resolve()
    return "state" in mapping.columns or mapping.whole_address is not None


def _without_date(name: str) -> str:
    """Return the file's name as a pattern for its editions."""
    return re.sub(r"(?:19|20)\d\d(?:[-_.]?\d\d){0,2}", "*", name)


def _rule_text(rule: Any) -> str:
    return json.dumps(msgspec.to_builtins(rule), ensure_ascii=False)


def _write_fixture(folder: Path, name: str, proposal: Proposal) -> Path | None:
    """Write three invented rows in the file's format; None for formats without a writer."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    header = [column for column in proposal.rows if column != "source_row"]
    rows = [_invent_row(header, proposal, at) for at in range(_INVENTED_ROWS)]
    if proposal.format == "csv":
        pd.DataFrame(rows, columns=header).to_csv(path, index=False)
    elif proposal.format == "xlsx":
        book = openpyxl.Workbook()
        for row in (header, *([row.get(column) for column in header] for row in rows)):
            book.worksheets[0].append(row)
        book.save(path)
    elif proposal.format == "html":
        path.write_text(pd.DataFrame(rows, columns=header).to_html(index=False), encoding="utf-8")
    elif proposal.format == "json" and proposal.mapping.platform is None:
        path.write_text(json.dumps([_nest(row) for row in rows], indent=1), encoding="utf-8")
    elif proposal.format == "geojson":
        collection = {"type": "FeatureCollection", "features": [_geojson(row) for row in rows]}
        path.write_text(json.dumps(collection, indent=1), encoding="utf-8")
    elif proposal.format == "kml":
        _write_kml(path, rows)
    elif proposal.format == "pdf":
        _write_pdf(path, header, rows)
    elif proposal.format == "arcgis":
        features = [_feature(row) for row in rows]
        path.write_text(json.dumps({"features": features}, indent=1), encoding="utf-8")
    else:
        return None
    return path


def _invent_row(header: list[str], proposal: Proposal, at: int) -> dict[str, str]:
    """Return a row of invented values for the columns that the mapping reads."""
    mapping = proposal.mapping
    rules = {
        **mapping.columns,
        **({"whole_address": mapping.whole_address} if mapping.whole_address else {}),
    }
    row: dict[str, str] = {}
    for field_name, rule in rules.items():
        names = [name for name in columns_of(rule) if name in header and name not in row]
        values = _INVENTED.get(
            field_name, (f"{field_name} A", f"{field_name} B", f"{field_name} C")
        )
        if isinstance(rule, Expression) and rule.map:
            values = tuple((list(rule.map) * _INVENTED_ROWS)[:_INVENTED_ROWS])
        if isinstance(rule, Expression) and rule.weekdays:
            values = ("9am-12pm", "5pm-7pm", "Closed")
        row.update(dict.fromkeys(names, values[at]))
    for name in columns_of(mapping.key):
        row.setdefault(name, str(at + 1))
    return row


def _nest(row: dict[str, str]) -> dict[str, Any]:
    """Nest a flat row as its paths describe."""
    record: dict[str, Any] = {}
    for name, value in row.items():
        target = record
        *parents, last = name.split(".")
        for parent in parents:
            inner = target.get(parent)
            # A list is a separate column, next to those of its first object.
            target[parent] = target = inner if isinstance(inner, dict) else {}
        target.setdefault(last, value)
    return record


def _geojson(row: dict[str, str]) -> dict[str, Any]:
    """Return a row as a feature; its point is the geometry's (RFC 7946: longitude first)."""
    point = [
        float(row.pop(name, value))
        for name, value in (("longitude", "-89.64"), ("latitude", "39.80"))
    ]
    geometry = {"type": "Point", "coordinates": point}
    return {"type": "Feature", "geometry": geometry, "properties": row}


def _write_kml(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as placemarks with extended data, in a ZIP archive if the list is a KMZ."""
    marks = []
    for row in rows:
        lng, lat = (row.pop(name, value) for name, value in (("lng", "-89.64"), ("lat", "39.80")))
        own = {name: row.pop(name) for name in ("name", "address", "description") if name in row}
        data = "".join(
            f"<Data name={quoteattr(name)}><value>{escape(value)}</value></Data>"
            for name, value in row.items()
            if name not in ("folder", "coordinates")
        )
        texts = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in own.items())
        point = f"<Point><coordinates>{lng},{lat},0</coordinates></Point>"
        marks.append(f"<Placemark>{texts}<ExtendedData>{data}</ExtendedData>{point}</Placemark>")
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">'
        f"<Document>{''.join(marks)}</Document></kml>\n"
    )
    if path.suffix.casefold() == ".kmz":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("doc.kml", text)
    else:
        path.write_text(text, encoding="utf-8")


def _write_pdf(path: Path, header: list[str], rows: list[dict[str, str]]) -> None:
    """Write rows as a ruled table on one page."""
    texts = [header, *([row.get(name, "") for name in header] for row in rows)]
    cells = "".join(
        f"[#{json.dumps(text or '', ensure_ascii=False)}]," for line in texts for text in line
    )
    source = (
        "#set page(width: 60cm, height: auto)\n#set text(size: 8pt)\n"
        f"#table(columns: {len(header)}, {cells})\n"
    )
    pdf = typst.compile(source.encode(), format="pdf", ignore_system_fonts=True, timestamp=0)
    assert isinstance(pdf, bytes), "PDF is one file"
    path.write_bytes(pdf)


def _feature(row: dict[str, str]) -> dict[str, Any]:
    x, y = row.pop("geometry.x", "-89.64"), row.pop("geometry.y", "39.80")
    return {"attributes": row, "geometry": {"x": float(x), "y": float(y)}}


def _draft_fixture(fixture: Path | None) -> str:
    """Return a draft of the rows that the source reads from its fixture: row, field, value by
    case."""
    name = json.dumps(fixture.name if fixture else "TODO")
    return f"""# TODO what is special about this list.
fixtures:
  {name}:
    the name: [1, name, Acorn Food Pantry]
    the ZIP code: [1, zip, '62701']
    the type: [1, resource_type, food_pantry]
    # TODO a case for each oddity of the list
"""


def _report(
    draft_id: str, proposal: Proposal, places: pd.DataFrame, fixture: Path | None, out: Path
) -> str:
    mapping: Mapping = proposal.mapping
    lines = [
        f"{draft_id}: {len(proposal.rows)} rows, format {proposal.format}"
        + (f", platform {mapping.platform}" if mapping.platform else ""),
        "",
    ]
    for guess in sorted(proposal.guesses, key=lambda g: -g.confidence):
        lines.append(
            f"  {guess.confidence:4.2f}  {guess.field:20} {_rule_text(guess.rule)}  ({guess.why})"
        )
    if proposal.unused:
        lines.append(f"  unused: {', '.join(proposal.unused)}")
    lines += ["", "Samples:"]
    columns = [
        c for c in places if c not in ("source_row", "source_key", "reject_reason", "reject_detail")
    ]
    for record in places[columns].head(_SAMPLES).to_dict("records"):
        values = {k: v for k, v in record.items() if isinstance(v, list) or pd.notna(v)}
        lines.append("  " + "; ".join(f"{k}={v}" for k, v in values.items()))
    lines += ["", f"Extent: {extent(places)}", ""]
    names = f"{draft_id}.yaml, expected/{draft_id}.yaml, {draft_id}.html"
    lines.append(f"Written to {out}: {names}")
    lines.append(
        f"Invented fixture: {fixture.name}"
        if fixture
        else "No fixture: write an invented file of this format by hand."
    )
    lines.append(
        "Next: fill in TODO, then: larder source check "
        f"{draft_id} --yaml {out / (draft_id + '.yaml')} --files FILE"
    )
    return "\n".join(lines)


def layout_for(source: Source, name: str) -> FileLayout | None:
    """Return the layout of a file by its name, else the source's only one."""
    match = source.layout_of(name)
    if match is None and len({layout.layout for layout in source.files}) == 1:
        return msgspec.structs.replace(source.files[0], vintage=None)
    return match
