"""Generates documents from the declarations. A test fails if they are out of date."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from assets.matching.rules import TABLE
from schemas.api.record import (
    COMPUTED_MEMBERS,
    DETAIL_FIELDS,
    DETAIL_MEMBERS,
    LIVE_MEMBERS,
    RECORD_MEMBERS,
)
from schemas.bulk import ONLY_IN_FILES
from schemas.fields import FIELDS
from schemas.sources.registry import Source, feeds, sources
from schemas.table import REPRESENTATIONS, Field, Table
from schemas.tables.registry import TABLES
from schemas.update_limits import UPDATE_LIMITS
from schemas.vocab.resource_types import RESOURCE_TYPES

ROOT = Path(__file__).resolve().parent.parent


class MissingCheckoutError(Exception):
    """The code was installed without its documents."""


def write_documents(*, check_only: bool = False) -> list[str]:
    """Write every generated document that differs from its file; return their paths.

    Raises MissingCheckoutError without a folder of documents.
    """
    folder = ROOT / "docs"
    if not folder.is_dir():
        raise MissingCheckoutError(f"there is no folder {folder}: run this from a checkout")
    stale = []
    for name, text in documents().items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check_only:
                path.write_text(text, encoding="utf-8")
    return stale


def documents() -> dict[str, str]:
    """Return path (from the root of the repository) and text of every generated document."""
    blocks = {"data-dictionary": _data_dictionary, "matching-rules": _matching_rules}
    blocks |= {"sources": _sources}
    return {f"docs/{name}.md": "\n\n".join(make()) + "\n" for name, make in blocks.items()}


def _grid(headings: str, rows: Iterable[Iterable[str]]) -> str:
    """Return a table; a heading that ends in ":" is of a column of numbers."""
    names = headings.split(" | ")
    lines = [
        [name.removesuffix(":") for name in names],
        ["---:" if name.endswith(":") else "---" for name in names],
        *rows,
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _matching_rules() -> Iterator[str]:
    yield "# The rules of matching"
    yield (
        "Generated from `assets/matching/rules.yaml` by `make docs`; do not edit. "
        "[matching.md](matching.md) explains how matching uses the rules."
    )
    yield (
        "The first row under Different, Same or Doubtful that applies to two records decides "
        "whether they are one place. A row applies if its relation of the names, its relation of "
        "the addresses and all of its required signs hold, and none of its forbidden signs does. "
        "The last section explains the signs."
    )
    yield (
        f"The last column counts the pairs that the row decided ({TABLE.measured}). The number in "
        "brackets is for the same records without their types, as in most files that people give "
        "to `larder match`."
    )
    for verdict, rules in TABLE.rules.items():
        rows = []
        for name, rule in rules.items():
            pairs = f"{rule.pairs[0]:,} ({rule.pairs[1]:,})" if rule.pairs else ""
            label = f"{name}: *{rule.question}*" if rule.question else name
            signs = [text.replace(" ", ", ") for text in (rule.needs, rule.forbids)]
            cells = (label, rule.names, rule.addresses, *signs, pairs)
            rows.append([cell.replace("|", " or ") for cell in cells])
        yield f"## {verdict.replace('_', ' ').capitalize()}"
        yield _grid("rule | names | addresses | required | forbidden | pairs:", rows)
    for title, words in (
        ("Relations of names", TABLE.names),
        ("Relations of addresses", TABLE.addresses),
        ("Signs", TABLE.signs),
    ):
        yield f"## {title}"
        yield "\n".join(f"- `{name}`: {meaning}" for name, meaning in words.items())


def _data_dictionary() -> Iterator[str]:
    yield "# Data dictionary"
    yield (
        "Generated from `schemas/` by `make docs`; do not edit. A nullable field is empty when "
        "nothing is known."
    )
    for table in TABLES.values():
        yield from _table(table)
    yield from _record()
    yield "## Type catalog"
    yield _grid(
        "id | mode | English | Spanish | meaning",
        (
            (f"`{kind.id}`", kind.mode or "", kind.label, kind.labels.es, kind.description)
            for kind in RESOURCE_TYPES.values()
        ),
    )


def _table(table: Table) -> Iterator[str]:
    yield f"## {table.name}"
    yield table.description + ("" if table.published else " Not part of a release.")
    keys = [f"Key: {', '.join(f'`{name}`' for name in table.key)}."] if table.key else []
    keys += [
        f"`{key.field}` refers to `{key.references}.{key.references_field}`."
        for key in table.foreign_keys
    ]
    if keys:
        yield "\n".join(keys)
    rows = []
    for field in table.fields:
        kind = REPRESENTATIONS[field.type].meaning + (f" ({field.unit})" if field.unit else "")
        example = "" if field.example is None else f"`{field.example}`".replace("|", "\\|")
        required = "yes" if field.name in table.required_names else ""
        rows.append((f"`{field.name}`", kind, required, _meaning(field), example))
    yield _grid("field | type | required | meaning | example", rows)


def _meaning(field: Field) -> str:
    parts = [field.description]
    if field.values and len(field.values) <= 10:
        parts.append("One of: " + ", ".join(field.values) + ".")
    if field.pattern:
        parts.append(f"Pattern `{field.pattern}`.")
    return " ".join(parts).replace("|", "\\|")


def _record() -> Iterator[str]:
    yield "## The record of a resource (JSON, CSV)"
    yield (
        "The members in their order, each with its field of `core_directory__resources`. The "
        "columns of the bulk files have the same names. `services_offered_json` repeats "
        "`services_offered` for old clients and is in the API only."
    )
    notes = {"json_text": " As JSON text in a string.", "json_value": " As JSON."}
    rows = [
        (
            f"`{member.name}`",
            f"`{member.field}`",
            _meaning(FIELDS[member.field]) + notes.get(member.form, ""),
        )
        for member in RECORD_MEMBERS
    ]
    rows += [
        (
            f"`{name}` (bulk files only)",
            f"`{name}`",
            f"{_meaning(FIELDS[name])} Not in the API: {reason}.",
        )
        for name, reason in ONLY_IN_FILES.items()
    ]
    rows += [
        (f"`{name}` (single record only)", f"`{name}`", _meaning(FIELDS[name]))
        for name in DETAIL_FIELDS
    ]
    rows.append(
        (
            "`sources` (single record only)",
            "table `core_directory__record_sources`",
            "The source records behind the resource and the fields each supplies.",
        )
    )
    others = [m for m in DETAIL_MEMBERS if m[0] not in {*DETAIL_FIELDS, "sources"}]
    for members, only, origin in (
        ((*others, *COMPUTED_MEMBERS), " (single record only)", "derived"),
        (LIVE_MEMBERS, "", "computed for each answer"),
    ):
        rows += [
            (f"`{name}`{only}", origin, annotation.__metadata__[0].description)
            for name, annotation in members
        ]
    yield _grid("member | field | meaning", rows)


def _sources() -> Iterator[str]:
    yield "# Sources"
    yield "Generated from `schemas/sources/*.yaml` by `make docs`; do not edit."
    yield (
        "The encoding, separator, format (CSV, workbook, JSON, zip) and order of columns are "
        "detected in each file, since editions differ. The name of a column matches regardless of "
        "case, spaces, punctuation and a year at its end."
    )
    yield "## Limits of an update"
    yield (
        "If one update changes more of a source's rows than this, compared with the served "
        "release, the source keeps its last good tables and the report shows some of the rows. "
        "`larder build --accept SOURCE:FIELD` takes the change. Fewer than "
        f"{UPDATE_LIMITS.least_rows} changed rows, or {UPDATE_LIMITS.least_common} rows with one "
        "value, are never held back."
    )
    rows = []
    for name, limit in UPDATE_LIMITS.fields.items():
        shares = (limit.changed, limit.common, limit.always_open)
        cells = ("" if share is None else f"{share:.0%}" for share in shares)
        rows.append((f"`{name}`", limit.compared, *cells))
    headings = "field | what is compared | changed: | one value common: | opens around the clock:"
    yield _grid(headings, rows)
    for source in sources().values():
        if source.id not in feeds():
            yield f"## {source.title} (`{source.id}`)"
            yield source.description.strip()
            yield "\n".join(_facts(source))
    yield from _feeds()


def _feeds() -> Iterator[str]:
    yield "## Living lists"
    yield (
        "`schemas/feeds/*.yaml`, fetched by profile `live` ([live-sources.md](live-sources.md))."
        " If a publisher keeps the list of its own network current (`is_living`), the hours of a "
        "place on the list are asserted from the day of the fetch for the number of days in the "
        "last column, after which the next fetch is overdue. Only a date in the row itself "
        "asserts them for longer. If the publisher does not run the network, or the age of a "
        "layer is unknown, a fetch asserts no hours."
    )
    yield (
        "A list is `is_living` if the publisher sends people to it today under its own name, and "
        "its address answered. This does not mean that the hours were counted as right. Terms and "
        "addresses come from other projects; the first fetch and the operator check them."
    )
    rows = []
    for source in sorted(feeds().values(), key=lambda each: (each.states, each.id)):
        terms = "needs permission" if source.needs else source.license.name
        holds = f"{source.freshness_days} days" if source.is_living else "no"
        area = source.description.rpartition(" in ")[2].rstrip(".")
        row = (
            f"`{source.id}`",
            f"{', '.join(source.states)}: {area}",
            source.publisher,
            source.live[0].platform,
            source.cadence,
            terms,
            holds,
        )
        rows.append(row)
    yield _grid("list | area | publisher | platform | how often | terms | hours hold", rows)


_GRANTORS = {
    "publisher": "",
    "compiler": "; granted by the compiler of the list, not by the publisher",
    "software": "; granted with the software that holds the list, not by the publisher",
}


def _facts(source: Source) -> Iterator[str]:
    yield f"- Publisher: {source.publisher}, <{source.homepage}>"
    terms = source.license
    quoted = "; answers quote single facts" if terms.may_be_quoted else ""
    use = f"; published only with the publisher's permission (licences.md){quoted}"
    yield f"- License: {terms.name}{_GRANTORS[terms.granted_by] if terms.is_republishable else use}"
    if source.license.attribution:
        yield f"- Attribution: {source.license.attribution}"
    yield f"- Cadence: {source.cadence}; authority: {source.authority}"
    for feed in source.live:
        yield f"- [Live](live-sources.md): {feed.platform}, <{feed.url}>"
    yield (
        f"- A place on the list counts as confirmed for {source.verified_for_days} days."
        if source.verified_for_days
        else "- A place on the list does not count as confirmed."
    )
    yield (
        f"- Rows of a full edition: {source.expected_rows.minimum:,} to "
        f"{source.expected_rows.maximum:,}"
    )
    yield f"- Layouts: {', '.join(sorted({f.layout for f in source.files}))}"
    if source.other_names:
        renamed = "; ".join(
            f"{' '.join(n.split())} ({', '.join(o)})" for n, o in source.other_names.items()
        )
        yield f"- Columns renamed in other editions: {renamed}"
    for note in source.notes:
        yield f"- {note}"
