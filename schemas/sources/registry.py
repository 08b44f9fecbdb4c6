"""The registry of sources: one YAML file of facts per source, read once and checked on reading."""

import os
import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from schemas.sources.feeds import source_facts
from schemas.sources.mapping import TODO, Mapping
from schemas.sources.platforms import platforms
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATES
from schemas.vocab.statuses import AUTHORITIES

# "2026-07", "2026-07-29", "20260729", "2026.07.29", "2026"
_DATE_IN_NAME = re.compile(
    r"(?<!\d)(?P<year>20\d\d)(?:(?P<sign>[-._]?)(?P<month>0[1-9]"
    r"|1[0-2])(?:(?P=sign)(?P<day>\d\d))?)?(?!\d)"
)
_YEARS_IN_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_]((?:19|20)\d\d)(?!\d)")
# An edition with the sign that sets it off: also years before 2000, and school years ("2022-23").
_EDITION_IN_NAME = re.compile(r"[-._ ]?(?<!\d)(?:19|20)\d\d(?:[-._]?\d\d){0,2}(?!\d)")
_FORM_IN_NAME = re.compile(r"\.[a-z]{2,5}$")
# Area of an edition that lists one state, named in the file's name by code or in full.
NAMED_STATE = "state-in-name"
# Cadences that begin with one of these: the publisher publishes no further edition.
_ENDED_CADENCES = ("never again", "retired")
# A table may have another form than the previous edition: the content decides.
_TABLE_FORMS = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".json", ".geojson", ".html")


class License(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terms of a source. `is_republishable` False: the rows may serve matching, but are never
    published as records or files. A license of schemas/vocab/licenses.yaml needs only its id.

    `may_be_quoted`: single facts of such rows (that a food bank serves a ZIP code, its name and its
    own page) may be quoted in an answer, with the publisher and the date; never the rows as a
    whole.
    """

    id: str
    name: str
    is_republishable: bool
    url: str | None = None
    attribution: str | None = None
    may_be_quoted: bool = False
    # Who granted it: the publisher, whoever compiled the list, or the author of the software whose
    # repository holds it. Only the first speaks for the publisher.
    granted_by: Literal["publisher", "compiler", "software"] = "publisher"


class FileLayout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files of one shape: a name pattern (without .gz), the layout's name and the vintage if known.

    `known` are facts about every row of the file that its rows leave out, by field: {"state":
    "CO"}. `covers` are the areas that an edition lists in full, so that what it omits there is no
    longer listed: "US", a state ("GA"), a county ("PA/Allegheny"), or `NAMED_STATE`, the state in
    the file's name. An extract covers nothing.
    """

    pattern: str
    layout: str
    vintage: date | None = None
    media_type: str = "text/csv"
    known: dict[str, str] = {}
    covers: list[str] = []

    def __post_init__(self) -> None:
        for area in self.covers:
            if area not in {"US", NAMED_STATE} and area.partition("/")[0] not in STATES:
                raise ValueError(
                    f"covers: {area!r} is not US, {NAMED_STATE}, a state or state/county"
                )


class LiveFeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Address from which the live profile fetches a file, and the platform that serves it.

    The file is stored as `file_name`. `params` are sent with every request. `each` sends one
    request per value, {"lat,lng": ["39.96,-83.00", ...]}; a record in several answers is stored
    once.
    `query` is the Overpass QL of platform overpass. `hosts` are further hosts to which the address
    may redirect, "*.example.org" for the subdomains of one. `secrets` maps headers to environment
    variables with their values, {"X-App-Token": "LARDER_SOCRATA_APP_TOKEN"}; a header without a
    value is left out. `ignore_robots` is the reason why robots.txt does not apply, such as a
    documented API for programs.
    """

    platform: str
    url: str
    file_name: str
    page_size: int = 1000
    params: dict[str, str] = {}
    each: dict[str, list[str]] = {}
    query: str | None = None
    hosts: list[str] = []
    secrets: dict[str, str] = {}
    max_pages: int = 5000
    ignore_robots: str | None = None

    def __post_init__(self) -> None:
        platform = platforms().get(self.platform)
        if platform is None:
            raise ValueError(f"platform {self.platform!r} is not one of {', '.join(platforms())}")
        if platform.fetch == "export":
            raise ValueError(f"{self.platform} has no public address; put its export into a folder")
        if len(self.each) > 1:
            raise ValueError(f"each has {len(self.each)} entries; join names that vary together")
        for names, values in self.each.items():
            count = names.count(",")
            if not values or any(value.count(",") != count for value in values):
                raise ValueError(f"each needs values of {count + 1} parts for {names!r}")
        if (self.platform == "overpass") != (self.query is not None):
            raise ValueError("query belongs to platform overpass, which needs one")
        if self.page_size < 1 or self.max_pages < 1:
            raise ValueError("page_size and max_pages are 1 or more")


class ExpectedRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Row range of a full national edition; it does not apply to a build of partial files."""

    minimum: int
    maximum: int


class ReadingLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of reading all files of a source: processor time, memory beyond that of an idle
    process, and rows before any is rejected.

    46,000 rows of the national list of shops take 3 seconds and 200 MB on a slow machine.
    """

    seconds: int = 30
    memory_mb: int = 2_000
    rows: int = 1_000_000


class Identifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Register that issues the identifiers used as a source's keys.

    `pattern` matches such a key completely; its group, if any, is the identifier. It must not match
    digests that replace a missing key.
    """

    scheme: str
    pattern: str


class Columns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Columns of one layout that the source's module reads: publisher's name -> name in the module.

    A file must have the `required` ones.
    """

    required: dict[str, str]
    optional: dict[str, str] = {}

    @property
    def names(self) -> dict[str, str]:
        return {**self.required, **self.optional}


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metadata of one source.

    `yields` names the core table that the source fills: places of the directory, areas of
    disasters, facilities of other registers (hospitals, offices for veterans), or edits of listed
    places. `plural` is the word for its rows, used in the raw table's name. `cron` is the schedule
    that fetches its feeds. `fetch_days` replaces the schedule: the first build that many days after
    a fetch fetches again. `folders` is the source's id by default. `freshness_days`: the age at
    which an edition is late; None if the cadence has ended. `season`: first and last month of a
    list that is published in some months only. `verified_for_days`: how long a row counts as
    confirmed after the publisher's date, for authority `partner` and `registry`; None if a listing
    is no confirmation. `fixes` are known bad values by field:
    {"city": {"SAN FRACISCO": "San Francisco"}}. `other_names` are names of a column in other
    editions, by the name that the source reads: {"Zip_Code": ["Zip5"]}; case, blanks and signs do
    not count. `identifiers` are the registers that issued the rows' keys. `layouts` are mappings by
    name of the layout, for a source without a module; `columns` are those of a module, by layout.
    `copy_of`: sources whose rows this list repeats, or that repeat the same rows: they count as one
    witness. `is_derived`: a program made the rows from other lists. `is_living`: the publisher
    keeps the list of its own network current, so a place in it is listed on the day of the fetch.
    `needs: permission`: it is not fetched until the operator records who permitted it
    (`larder source allow`). `states` are those of a feed's places.
    """

    id: str
    title: str
    publisher: str
    homepage: str
    license: License
    cadence: str
    authority: str
    plural: str
    description: str
    files: list[FileLayout]
    folders: list[str]
    expected_rows: ExpectedRows
    cron: str = "0 7 1 1 *"
    fetch_days: int | None = None
    freshness_days: int | None = None
    season: tuple[int, int] | None = None
    max_rejected_share: float = 0.05
    limits: ReadingLimits = ReadingLimits()
    yields: Literal["places", "areas", "facilities", "edits"] = "places"
    default_type: str | None = None
    verified_for_days: int | None = None
    live: list[LiveFeed] = []
    fixes: dict[str, dict[str, str]] = {}
    other_names: dict[str, list[str]] = {}
    layouts: dict[str, Mapping] = {}
    columns: dict[str, Columns] = {}
    identifiers: list[Identifier] = []
    copy_of: list[str] = []
    is_derived: bool = False
    is_living: bool = False
    needs: Literal["permission"] | None = None
    states: list[str] = []
    notes: list[str] = []

    def __post_init__(self) -> None:
        if self.authority not in AUTHORITIES:
            raise ValueError(f"{self.id}: authority {self.authority!r} is not one of {AUTHORITIES}")
        if self.default_type is not None and self.default_type not in (*TYPE_IDS, TODO):
            raise ValueError(f"{self.id}: default_type {self.default_type!r} is not in the catalog")
        has_ended = self.cadence.startswith(_ENDED_CADENCES)
        if has_ended != (self.freshness_days is None):
            raise ValueError(
                f"{self.id}: a cadence has freshness_days if, and only if, it has not ended"
            )
        if self.season is not None and not 1 <= self.season[0] <= self.season[1] <= 12:
            raise ValueError(f"{self.id}: season is a first and a last month of one year")
        unmapped = {file.layout for file in self.files} - set(self.layouts)
        if self.layouts and unmapped:
            raise ValueError(f"{self.id}: layouts {sorted(unmapped)} have no mapping")
        for mapping in self.layouts.values():
            mapping.resolve()

    @property
    def raw_table(self) -> str:
        return f"raw_{self.id}__{self.plural}"

    @property
    def core_table(self) -> str:
        return f"core_{self.id}__{self.yields}"

    def is_late(self, newest: date, today: date) -> bool:
        """Check whether a newer edition is due; never if the cadence has ended."""
        if self.freshness_days is None:
            return False
        last = today
        if self.season is not None and not self.season[0] <= today.month <= self.season[1]:
            # Out of season: the last day of the last season.
            year = today.year - (today.month < self.season[0])
            last = date(year, self.season[1], monthrange(year, self.season[1])[1])
        return (last - newest).days > self.freshness_days

    def layout_of(self, file_name: str) -> FileLayout | None:
        """Return the first layout whose pattern fits the name, ignoring case (a trailing .gz or
        .zip does not count).

        If none does and the name is that of a table, return the first that fits except for the form
        of the table, then except for the edition in the name. Such a layout has no vintage, because
        its vintage is that of another file.
        """
        plain = file_name.casefold().removesuffix(".gz").removesuffix(".zip")
        patterns = [(layout, layout.pattern.casefold()) for layout in self.files]
        for layout, pattern in patterns:
            if fnmatchcase(plain, pattern):
                return layout
        tables = [each for each in patterns if each[1].endswith(_TABLE_FORMS)]
        is_table = is_table_name(plain) or not _FORM_IN_NAME.search(plain)
        for stem in (_without_form, _without_edition) if is_table else ():
            for layout, pattern in tables:
                if fnmatchcase(stem(plain), stem(pattern)):
                    return msgspec.structs.replace(layout, vintage=None)
        return None

    def vintage_of(self, file_name: str) -> date | None:
        """Return the date that a file describes: that of its layout, else the one in its name
        (`2026-07`, `2026-07-29`, `20260729`, `2026`).

        A month and a year count from their first day, so that no row looks fresher than it is.
        """
        layout = self.layout_of(file_name)
        if layout and layout.vintage:
            return layout.vintage
        # "2005-2025" is the span that a file covers, "2022-2023" is one school year.
        span = _YEARS_IN_NAME.search(file_name)
        is_span = span is not None and int(span[2]) - int(span[1]) > 1
        match = _DATE_IN_NAME.search(file_name, span.start(2) if span and is_span else 0)
        if not match:
            return None
        try:
            return date(int(match["year"]), int(match["month"] or 1), int(match["day"] or 1))
        except ValueError:
            return None


def is_table_name(file_name: str) -> bool:
    """Tell by its name whether a file is a table of any form."""
    plain = file_name.casefold().removesuffix(".gz").removesuffix(".zip")
    return plain.endswith(_TABLE_FORMS)


def _without_form(name: str) -> str:
    return next((name.removesuffix(form) for form in _TABLE_FORMS if name.endswith(form)), name)


def _without_edition(name: str) -> str:
    return _EDITION_IN_NAME.sub("", _without_form(name))


@cache
def _licenses() -> dict[str, dict[str, Any]]:
    content = (resources.files("schemas.vocab") / "licenses.yaml").read_bytes()
    return msgspec.yaml.decode(content, type=dict[str, dict[str, Any]])


def read_source(content: bytes | str) -> Source:
    """Return the source that a YAML file describes. Raises msgspec.ValidationError, ValueError."""
    return source_of(msgspec.yaml.decode(content, type=dict[str, Any]))


def source_of(facts: dict[str, Any]) -> Source:
    """Return the source with these members. Raises msgspec.ValidationError, ValueError."""
    terms = facts.get("license")
    if isinstance(terms, dict):
        known = _licenses().get(terms.get("id", ""), {})
        if terms.get("id") == TODO:
            known = {"name": "Not known yet", "is_republishable": False}
        elif not known and not {"name", "is_republishable"} <= set(terms):
            names = ", ".join(_licenses())
            raise ValueError(f"license: {terms.get('id')!r} needs a name, or is one of {names}")
        facts["license"] = known | terms
    return msgspec.convert({"folders": [facts.get("id")], **facts}, Source)


@cache
def sources() -> dict[str, Source]:
    """Return all sources and feeds by id, in alphabetical order.

    Raises ValueError naming the file if facts are missing, misspelled or out of range.
    """
    return dict(sorted({**_sources_in("schemas.sources", read_source), **feeds()}.items()))


@cache
def feeds() -> dict[str, Source]:
    """Return the feeds as sources by id, in alphabetical order. Raises ValueError."""
    return _sources_in("schemas.feeds", lambda content: source_of(source_facts(content)))


@cache
def built_sources() -> dict[str, Source]:
    """Return the sources that a build of this process reads: all, with profile `live` in
    LARDER_PROFILE; else all but the feeds, which have no files to read."""
    return {
        name: source
        for name, source in sources().items()
        if name not in feeds() or os.environ.get("LARDER_PROFILE") == "live"
    }


@cache
def reference_sources() -> dict[str, Source]:
    """Return publishers of reference geography by id: fetched like sources, without places of
    their own. Raises ValueError."""
    return _sources_in("schemas.reference", read_source)


def _sources_in(package: str, read: Callable[[bytes], Source]) -> dict[str, Source]:
    by_id: dict[str, Source] = {}
    folder = resources.files(package)
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if not entry.name.endswith(".yaml"):
            continue
        content = entry.read_bytes()
        try:
            source = read(content)
        except (msgspec.ValidationError, ValueError) as error:
            raise ValueError(f"{package}: {entry.name}: {error}") from error
        if f"{source.id}.yaml" != entry.name:
            raise ValueError(f"{package}: {entry.name}: id is {source.id!r}")
        # A draft becomes a source once its author has answered.
        if TODO.encode() not in content or not open_questions(source):
            by_id[source.id] = source
    return by_id


def open_questions(source: Source) -> list[str]:
    """Return the members of a source that its author has to fill in, as paths."""
    return list(_todos(msgspec.to_builtins(source), ""))


def _todos(value: object, path: str) -> Iterator[str]:
    if isinstance(value, str) and value.split(" ")[0] == TODO:
        yield path.lstrip(".")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _todos(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _todos(inner, f"{path}[{at}]")
