"""The workspace of a build: folder of its tables, profile of its sources, reports of its steps.

Assets pass files to each other, not frames: memory stays bounded, any Parquet reader can open every
intermediate, and no two processes ever open one DuckDB file.
"""

import hashlib
import resource
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

import dagster as dg
import msgspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from assets.geography.model import Geography
from assets.steps.exchange import RELEASES, bring, send
from schemas.sources.registry import Source
from schemas.sources.rights import Right, read_policy, right_of
from schemas.table import Table
from warehouse.files import remove_abandoned, write_text
from warehouse.parquet import notes_of, read_frame, write_table
from warehouse.raw_store import RawStore
from warehouse.release.store import ReleaseStore

# Tables that a step reads, with their columns; None for all.
Reads = Mapping[str, Sequence[str] | None]
# Note of a table or product: digest of all its inputs.
FINGERPRINT = "input_digest"
_PREVIEW_ROWS, _PREVIEW_COLUMNS = 5, 12
_RELEASE_NOTE = "tables/release_in_making"


class Workspace(dg.ConfigurableResource):
    """Settings of a build.

    `provider` demo writes synthetic publishers' files first; folder reads files on disk below
    `sources_dir`; live fetches them. `as_of` is the reference date of freshness (today if empty).
    `accept_drops` permits a release that lost more rows than the checks allow, `accept` an update
    of a source beyond its limits ("SOURCE:FIELD"). `geocode` census
    sends addresses without a point to the Census Bureau (or the mirror `geocode_url`), at most
    `geocode_max_addresses` per source and build; off sends none and uses the answers of earlier
    builds. `probe_urls` probes listed websites, within `probe_max_urls` and `probe_max_seconds`
    per build. `licenses_file` is the operator's policy of rights (content/licences.yaml if empty);
    `rights` replaces its rule for lists whose publisher states no licence.
    """

    data_dir: str
    profile: str = "demo"
    provider: Literal["demo", "folder", "live"] = "demo"
    sources_dir: str = ""
    geography_dir: str = ""
    demo_rows: int = 2_000
    demo_seed: int = 1
    as_of: str = ""
    accept_drops: bool = False
    accept: list[str] = []  # noqa: RUF012 - pydantic copies it
    geocode: Literal["off", "census"] = "off"
    geocode_url: str = ""
    geocode_benchmark: str = "Public_AR_Current"
    geocode_vintage: str = "Census2020_Current"
    geocode_max_addresses: int = 200_000
    probe_urls: bool = False
    probe_max_urls: int = 5_000
    probe_max_seconds: float = 1_800.0
    data_license: str = "CC-BY-4.0"
    licenses_file: str = ""
    rights: Literal["", "withhold", "facts_only", "match_only"] = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the settings, for other processes; Dagster's schema of them cannot be
        pickled."""
        return partial(Workspace, **self.model_dump()), ()

    @property
    def root(self) -> Path:
        return Path(self.data_dir)

    @property
    def is_synthetic(self) -> bool:
        return self.provider == "demo"

    @property
    def as_of_date(self) -> date:
        return date.fromisoformat(self.as_of) if self.as_of else datetime.now(UTC).date()

    @property
    def raw_store(self) -> RawStore:
        return RawStore(self.root)

    @property
    def releases(self) -> ReleaseStore:
        bring(RELEASES)
        return ReleaseStore(self.root)

    def rights_of(self, *registry: Source) -> dict[str, Right]:
        """Return the rights to sources in this build, by id. Raises ValueError for an invalid
        policy."""
        policy = read_policy(Path(self.licenses_file) if self.licenses_file else None)
        if self.rights:
            policy = msgspec.structs.replace(policy, no_stated_license=self.rights)
        return {source.id: right_of(source, policy, self.as_of_date) for source in registry}

    def path(self, name: str) -> Path:
        """Return the Parquet file of a table."""
        bring(f"tables/{name.partition('/')[0]}")
        return self.root / "tables" / f"{name}.parquet"

    def product(self, name: str) -> Path:
        """Return the folder of a product: files that releases link (`assets.steps.products`)."""
        bring(f"products/{name}")
        return self.root / "products" / name

    def raw_folder(self, source_id: str) -> Path:
        """Return the folder of a source's files in the raw store."""
        bring(f"raw/{source_id}")
        return self.root / "raw" / source_id

    @property
    def release_in_making(self) -> str:
        """The id of the next release, set by `begin_release`. Raises FileNotFoundError."""
        bring(f"one/{_RELEASE_NOTE}")
        return (self.root / _RELEASE_NOTE).read_text(encoding="utf-8").strip()

    def begin_release(self, release_id: str) -> None:
        """Set the release that the tables are made for. Deletes partial files of killed builds."""
        for folder in ("raw", "tables", "products", "releases"):
            remove_abandoned(self.root / folder)
        write_text(self.root / _RELEASE_NOTE, release_id + "\n")
        send(f"one/{_RELEASE_NOTE}")

    def read(self, name: str, columns: list[str] | None = None) -> pd.DataFrame:
        """Return a table as a frame. Raises FileNotFoundError if no build has written it."""
        return read_frame(self.path(name), columns)

    def notes(self, name: str) -> dict[str, Any]:
        return notes_of(self.path(name))

    def write(
        self,
        name: str,
        frame: pd.DataFrame | pa.Table | pa.RecordBatchReader,
        table: Table,
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        """Write a table. Raises ContractError."""
        write_table(frame, table, self.path(name), name=name, notes=notes)

    def show(self, name: str) -> dict[str, Any]:
        """Return Dagster's metadata of a table file. Raises FileNotFoundError."""
        path = self.path(name)
        with pq.ParquetFile(path) as file:
            return {
                "dagster/row_count": file.metadata.num_rows,
                "path": dg.MetadataValue.path(str(path)),
                "preview": dg.MetadataValue.md(_preview(file)),
            }

    def geography(self) -> Geography:
        """Return the reference geography, read once per process while its tables are unchanged."""
        zips, cities = (self.path(f"core_geography__{name}") for name in ("zips", "cities"))
        return _geography(zips, cities, self.geography_dir, _which(zips), _which(cities))


def _preview(file: pq.ParquetFile) -> str:
    """Render the first rows of a table file as a Markdown table, long texts cut."""
    names = file.schema_arrow.names[:_PREVIEW_COLUMNS]
    first = next(file.iter_batches(_PREVIEW_ROWS, columns=names), None)
    if first is None:
        return "no rows"
    cells = [
        ["" if v is None else str(v).replace("|", "/").replace("\n", " ")[:40] for v in row]
        for row in zip(*first.to_pydict().values(), strict=True)
    ]
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _which(path: Path) -> tuple[int, int, int]:
    """Identify the current version of a file by inode, size and time. Raises FileNotFoundError."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=2)
def _geography(zips: Path, cities: Path, folder: str, *_which: tuple[int, ...]) -> Geography:
    from assets.geography.boundaries import load_boundaries  # noqa: PLC0415 - geopandas costs a second

    boundaries = load_boundaries(Path(folder)) if folder else None
    notes = tuple(notes_of(zips).get("notes", ()))
    return Geography(
        read_frame(zips), read_frame(cities), boundaries, notes, notes_of(zips).get("vintage", "")
    )


# ------------------------------------------------------------------ digests


def digest_of(*parts: object) -> str:
    """Digest several values with unambiguous text."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


# ------------------------------------------------------------------ measuring


@dataclass
class Step:
    """Time and memory of one step."""

    seconds: float = 0.0
    peak_mb: float = 0.0

    def metadata(self) -> dict[str, Any]:
        return {"seconds": round(self.seconds, 2), "peak_memory_mb": round(self.peak_mb)}


@contextmanager
def measure() -> Iterator[Step]:
    """Measure the wall time of a block and the process's peak memory at its end."""
    step, started = Step(), time.perf_counter()
    yield step
    step.seconds = time.perf_counter() - started
    step.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
