"""Asks every living list once and shows what it would give, without keeping anything."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pandas as pd

from assets.hours.columns import with_hours
from assets.sources.assemble import TooManyRejectsError, assemble
from assets.sources.contract import BY_COLUMNS, RawFile, UnreadableFileError
from assets.sources.own_process import ReadingLimitError, read_within
from schemas.sources.registry import Source
from warehouse.fetch.comparing import outline_of
from warehouse.fetch.errors import FetchError
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import FetchSettings
from warehouse.gzip_files import MAX_UNPACKED_BYTES
from warehouse.raw_store import RawStore

_NAMES_SHOWN = 6


class Probe(NamedTuple):
    """What a living list answered: the number of rows received and of rows that would be used,
    columns that are read, columns that nothing reads, the share of used rows whose hours are read,
    and, after a failure, the reason with its remedy."""

    source: Source
    rows: int = 0
    used: int = 0
    known: int = 0
    unread: tuple[str, ...] = ()
    with_hours: int = 0
    failure: str = ""


def probe_feeds(feeds: Iterable[Source], settings: FetchSettings) -> Iterator[Probe]:
    """Yield what each feed answers; a failure never stops the others.

    A list that is asked by areas is asked for the first of them.
    """
    with tempfile.TemporaryDirectory(prefix="larder-probe-") as folder:
        store = RawStore(Path(folder))
        for source in feeds:
            yield _probe(source, store, settings)


def _probe(source: Source, store: RawStore, settings: FetchSettings) -> Probe:
    asked = msgspec.structs.replace(
        source,
        live=[
            msgspec.structs.replace(
                feed, each={names: values[:1] for names, values in feed.each.items()}
            )
            for feed in source.live
        ],
    )
    try:
        stored = fetch_live(settings, asked, store, lambda line: None)
    except FetchError as error:
        return Probe(source, failure=f"{error.cause}. {error.advice}.")
    files, names = [], set[str]()
    for file in stored:
        layout = source.layout_of(file.file_name)
        files.append(
            RawFile(
                source_id=source.id,
                name=file.file_name,
                path=file.path,
                sha256=file.sha256,
                layout=layout.layout if layout else BY_COLUMNS,
                retrieved_at=file.retrieved_at,
                vintage=file.retrieved_at.date(),
                is_synthetic=False,
            )
        )
        names |= outline_of(file.path, file.media_type, MAX_UNPACKED_BYTES).names
    mappings = [mapping.resolve() for mapping in source.layouts.values()]
    read = {name.casefold() for mapping in mappings for name in mapping.column_names()}
    ignored = {name.casefold() for mapping in mappings for name in mapping.ignore}
    unread = tuple(sorted(n for n in names if n.casefold() not in read | ignored))
    known = len(names) - len(unread)
    try:
        rows = read_within(source.limits, assemble, source, files)
    except TooManyRejectsError as error:
        return Probe(source, error.rows.rows_read, 0, known, unread, failure=f"{error}.")
    except (UnreadableFileError, ReadingLimitError) as error:
        # Columns that nothing reads may replace the missing ones.
        new = ", ".join(unread[:_NAMES_SHOWN])
        remedy = f"New columns: {new}. Map them in `layout` of the feed." if new else ""
        return Probe(source, 0, 0, known, unread, failure=f"{error}. {remedy}")
    hours = with_hours(rows.accepted) if len(rows.accepted) else pd.DataFrame()
    count = int(hours["schedules_json"].notna().sum()) if len(hours) else 0
    return Probe(source, rows.rows_read, len(rows.accepted), known, unread, count)


def probe_row(probe: Probe) -> list[str]:
    """Return the cells of a probe: state, list, answer, rows, used, hours, columns, license."""
    share = f"{probe.with_hours / probe.used:.0%}" if probe.used else "-"
    unread = ", ".join(probe.unread[:_NAMES_SHOWN]) + (
        "..." if len(probe.unread) > _NAMES_SHOWN else ""
    )
    return [
        ",".join(probe.source.states) or "-",
        probe.source.id,
        "failed" if probe.failure else "answers",
        str(probe.rows),
        str(probe.used),
        share,
        f"{probe.known} read" + (f"; not {unread}" if unread else ""),
        probe.source.license.name,
    ]
