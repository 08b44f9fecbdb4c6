"""Writes a new source from a file: its YAML, an invented fixture with its expected records, and a
copy of the file where builds find it."""

import json
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import yaml

from assets.hours.columns import with_hours
from assets.sources.assemble import UnusableRowsError, assemble
from assets.sources.contract import RawFile
from assets.sources.drafts import Draft, draft_mapping
from assets.sources.hours_by_weekday import plan_hours
from pipelines.options import rows_text
from schemas.sources.mapping import TODO, Expression, columns_of
from schemas.sources.registry import FileLayout, Source, is_table_name, read_source
from warehouse.fetch.web import fetch_file

# The checkout that runs.
ROOT = Path(__file__).resolve().parents[1]
_SAMPLES = 10
_INVENTED_ROWS = 3
_LAYOUT = "list"
_WIDEST_CELL = 60
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


@dataclass(frozen=True)
class Facts:
    """What a file does not tell about its source; TODO for what the author has not given yet."""

    publisher: str = TODO
    homepage: str = TODO
    license: str = TODO
    title: str | None = None
    default_type: str | None = None
    state: str | None = None


def fetch(file_or_url: str, folder: Path) -> Path:
    """Return the path of a file, or of an address's response, stored in `folder`.

    Raises FetchError if the address does not respond, FileNotFoundError.
    """
    if not file_or_url.startswith(("http://", "https://")):
        path = Path(file_or_url)
        if not path.is_file():
            raise FileNotFoundError(f"{file_or_url}: no such file")
        return path
    return fetch_file(file_or_url, folder)


def write_source(path: Path, source_id: str | None, facts: Facts, root: Path) -> str:
    """Write a source below `root`, a checkout, and return the report for its author.

    Raises UnreadableFileError for a file that no reader supports, ValueError for an id that is
    none, FileExistsError for a source that is there.
    """
    name = path.name.removesuffix(".gz")
    draft_id = source_id or re.sub(r"[^a-z0-9]+", "_", Path(name).stem.casefold()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", draft_id):
        raise ValueError(f"--id: {draft_id!r} is no name of small letters, digits and _")
    yaml_path = root / "schemas" / "sources" / f"{draft_id}.yaml"
    if yaml_path.exists():
        raise FileExistsError(f"{yaml_path} exists; give another --id, or delete it")
    file = RawFile(draft_id, name, path, "0" * 64, _LAYOUT, datetime.now(UTC))
    draft = draft_mapping(file, facts.title or "")
    if facts.default_type is not None:
        draft.default_type = facts.default_type
        draft.questions.pop("default_type", None)
    if facts.state is not None:
        draft.known = {"state": facts.state}
    text = _yaml(draft_id, name, facts, draft)
    source = read_source(text)
    copy = root / "files" / "sources" / draft_id / path.name
    tests = root / "tests" / "unit" / "assets" / "sources"
    expected_path = tests / "expected" / f"{draft_id}.yaml"
    for each in (yaml_path, copy, expected_path):
        each.parent.mkdir(parents=True, exist_ok=True)
    yaml_path.write_text(text, encoding="utf-8")
    if copy.resolve() != path.resolve():
        shutil.copyfile(path, copy)
    fixture = _write_fixture(tests / "fixtures" / draft_id, name, draft)
    expected_path.write_text(_expected(source, fixture), encoding="utf-8")
    written = [yaml_path, *([fixture] if fixture else []), expected_path, copy]
    return _report(source, draft, file, [str(each.relative_to(root)) for each in written])


def _yaml(draft_id: str, name: str, facts: Facts, draft: Draft) -> str:
    """Return the source as YAML, with a comment on each line that has a TODO."""
    rows = len(draft.rows)
    # The date of an edition is any date.
    pattern = re.sub(r"(?:19|20)\d\d(?:[-_.]?\d\d){0,2}", "*", name)
    files: dict[str, Any] = {"pattern": pattern, "layout": _LAYOUT}
    if draft.known:
        files["known"] = draft.known
    content = {
        "id": draft_id,
        "title": facts.title or draft_id.replace("_", " ").capitalize(),
        "publisher": facts.publisher,
        "homepage": facts.homepage,
        "license": {"id": facts.license},
        "cadence": "irregular",
        "freshness_days": 400,
        "authority": "compiled",
        "plural": "places",
        "description": f"Places listed in {name}.",
        **({"default_type": draft.default_type} if draft.default_type else {}),
        "expected_rows": {"minimum": rows * 8 // 10, "maximum": max(rows * 12 // 10, 1)},
        "files": [files],
        "layouts": {_LAYOUT: msgspec.to_builtins(draft.mapping)},
    }
    lines = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100).splitlines()
    questions = {
        "publisher": "who publishes the list",
        "homepage": "the page on which it is",
        "id": "an id of schemas/vocab/licenses.yaml, or none-stated (docs/licences.md)",
        **draft.questions,
    }
    comments = {
        yaml.safe_dump({key: TODO}, allow_unicode=True, width=1000).strip(): " ".join(why.split())
        for key, why in questions.items()
    }
    result = []
    for line in lines:
        if why := comments.get(line.strip()):
            indent = line[: len(line) - len(line.lstrip())]
            result.append(f"{indent}# {why}")
        result.append(line)
    return "\n".join(result) + "\n"


def _write_fixture(folder: Path, name: str, draft: Draft) -> Path | None:
    """Write three invented rows as CSV under the columns that the reader finds, whatever form of a
    table the list has; None for KML, PDF and other files that are no table by their name."""
    is_own_format = draft.format == "csv" or draft.mapping.platform is None
    if not is_table_name(name) or not is_own_format:
        return None
    header = [column for column in draft.rows if column != "source_row"]
    rows = [_invent_row(header, draft, at) for at in range(_INVENTED_ROWS)]
    path = folder / f"{Path(name).stem}.csv"
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=header).to_csv(path, index=False)
    return path


def _invent_row(header: list[str], draft: Draft, at: int) -> dict[str, str]:
    """Return a row of invented values for the columns that the mapping reads."""
    mapping = draft.mapping
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
        for each in rule if isinstance(rule, list) else [rule]:
            if isinstance(each, Expression) and each.hours:
                row.update(_invent_hours(each.hours, draft.rows, at))
        names = [name for name in names if name not in row]
        row.update(dict.fromkeys(names, values[at]))
    for name in columns_of(mapping.key):
        row.setdefault(name, str(at + 1))
    return row


def _invent_hours(names: list[str], rows: pd.DataFrame, at: int) -> dict[str, str]:
    """Return invented cells for columns that tell hours together."""
    times = {
        "open": ("9:00 AM", "5:00 PM", "10:00 AM"),
        "close": ("11:00 AM", "7:00 PM", "1:00 PM"),
    }
    words = {"day": ("Mon", "Tue", "Sat"), "week": ("2nd", "1st", "3rd")}
    cells: dict[str, str] = {}
    for column in plan_hours(names):
        texts = ("9am-12pm", "5pm-7pm", "10am-1pm")
        values = {**times, **words, "season": ("May-October",) * 3}.get(column.role, texts)
        cells[column.name] = values[at]
    for name in names:
        first = rows[name].dropna().iloc[0] if name in rows and rows[name].notna().any() else ""
        if str(first).startswith(("[", "{")):
            item = json.loads(first)
            cells[name] = json.dumps(item[:1] if isinstance(item, list) else item)
    return cells


def _expected(source: Source, fixture: Path | None) -> str:
    """Return what the source reads from its fixture as row, field and value by case."""
    if fixture is None:
        return "# Write a small file of this format by hand.\nfixtures: {}\n"
    file = RawFile(source.id, fixture.name, fixture, "0" * 64, _LAYOUT, datetime.now(UTC))
    try:
        rows = assemble(source, [file]).accepted
    except UnusableRowsError as error:
        rows = error.rows.accepted
    cases: dict[str, list[Any]] = {}
    for field in ("name", "address", "city", "state", "zip", "hours_text", "resource_type"):
        values = rows.loc[rows[field].notna() & (rows[field] != TODO), ["source_row", field]]
        if len(values):
            row, value = values.iloc[0]
            cases[f"the {field}"] = [int(row), field, value]
    return yaml.safe_dump({"fixtures": {fixture.name: cases}}, sort_keys=False, allow_unicode=True)


def _report(source: Source, draft: Draft, file: RawFile, written: list[str]) -> str:
    """Return the columns with their interpretation and reason, rows as they would be published, and
    the open questions."""
    lines = [f"{source.id}: {len(draft.rows)} rows of {draft.format}", ""]
    rows = [
        [
            choice.field,
            choice.rule
            if isinstance(choice.rule, str)
            else json.dumps(msgspec.to_builtins(choice.rule), ensure_ascii=False),
            choice.why,
        ]
        for choice in sorted(draft.choices, key=lambda c: -c.confidence)
    ]
    if draft.mapping.platform:
        rows.append(["all fields", f"platform {draft.mapping.platform}", "its columns"])
    lines.append(rows_text(["field", "from", "because of"], rows, False))
    if draft.unused:
        lines += ["", f"Not used: {', '.join(draft.unused)}"]
    lines += ["", f"The first {_SAMPLES} rows as they would be published:"]
    try:
        places = assemble(source, [file]).accepted
    except UnusableRowsError as error:
        lines.append(f"  {error}")
        places = error.rows.accepted
    lines.append(sample_table(places))
    lines += ["", "Written: " + ", ".join(written)]
    questions = [f"  {name}: {why}" for name, why in draft.questions.items()]
    questions += [
        f"  {name}"
        for name in ("publisher", "homepage", "license")
        if (source.license.id if name == "license" else getattr(source, name)) == TODO
    ]
    if questions:
        lines += ["", f"Open questions, TODO in {written[0]}:", *questions]
    lines += ["", f"Next: larder source check {source.id}"]
    return "\n".join(lines)


def sample_table(places: pd.DataFrame) -> str:
    """Return the first rows as a table of what would be published, hours as read."""
    places = with_hours(places.sort_values("source_row").head(_SAMPLES))
    columns = ["source_row", "name", "resource_type", "address", "city", "state", "zip", "phone"]
    cells = [
        [
            *(_cell(record[name]) for name in columns),
            _cell(f"{record['lat']:.4f}, {record['lng']:.4f}" if pd.notna(record["lat"]) else None),
            _hours(record["schedules_json"], record["hours_text"]),
        ]
        for record in places.to_dict("records")
    ]
    return rows_text(["row", *columns[1:], "point", "hours"], cells, False)


def _cell(value: Any) -> str:
    text = "-" if pd.isna(value) else str(value)
    return text if len(text) <= _WIDEST_CELL else text[: _WIDEST_CELL - 1] + "…"


def _hours(schedules_json: object, text: object) -> str:
    """Return hours as they were read, else the text as it will be shown."""
    if not isinstance(schedules_json, str):
        return f"as text: {_cell(text)}" if isinstance(text, str) else "-"
    parts = []
    for each in json.loads(schedules_json):
        times = f"{each.get('opens_at', '')}-{each.get('closes_at', '')}".strip("-")
        months = f"{each['valid_from']}..{each.get('valid_to', '')}" if "valid_from" in each else ""
        words = (each.get("byday"), times, months, each.get("description"))
        parts.append(" ".join(str(word) for word in words if word))
    return "; ".join(parts)


def layout_for(source: Source, name: str) -> FileLayout | None:
    """Return the layout of a file by its name, else the source's only one."""
    match = source.layout_of(name)
    if match is None and len({layout.layout for layout in source.files}) == 1:
        return msgspec.structs.replace(source.files[0], vintage=None)
    return match
