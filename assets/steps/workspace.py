"""The workspace of a build: the data folder with its tables, and the profile of its sources.

Every intermediate is a Parquet file that any reader can open, and no two processes ever open one
DuckDB file.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from pathlib import Path
from socket import gethostname
from typing import Any, Literal

import dagster as dg
import msgspec
import pandas as pd
from pydantic import Field

from assets.geography.model import Geography
from schemas.sources.registry import Source
from schemas.sources.rights import Right, RightsPolicy, read_policy, right_of
from schemas.table import Table
from warehouse.files import remove_abandoned, write_text
from warehouse.parquet import notes_of, read_frame
from warehouse.raw_store import RawStore
from warehouse.release.changes import Edition, edition_of
from warehouse.release.store import ReleaseError, ReleaseStore

_RELEASE_NOTE = "tables/release_in_making"


def _setting(default: Any, description: str) -> Any:
    return Field(default=default, description=description)


class Workspace(dg.ConfigurableResource):
    """The data folder of a build, and the settings of its profile."""

    data_dir: str = Field(description="Data folder: tables, products, releases.")
    profile: Literal["demo", "folder", "live"] = _setting(
        "demo",
        "Where files come from: demo writes synthetic publishers' files first, folder reads files "
        "on disk, live fetches them.",
    )
    sources_dir: str = _setting("", "Folder of publishers' files (profile folder).")
    geography_dir: str = _setting("", "Folder of official reference geography files.")
    demo_rows: int = _setting(2_000, "Rows of the demo.")
    demo_seed: int = _setting(1, "Seed of the demo.")
    as_of: str = _setting("", "Date on which freshness is judged, YYYY-MM-DD; today if empty.")
    accept_drops: bool = _setting(
        False, "Release although a source or state lost more rows than the checks allow."
    )
    accept: list[str] = _setting(
        [], "Updates of sources to accept beyond their limits, each as SOURCE:FIELD."
    )
    change_profile: bool = _setting(
        False, "Replace a release of publishers' files by one of another profile."
    )
    geocode: Literal["off", "census"] = _setting(
        "off",
        "census sends addresses without a point to the Census Bureau; off sends none and uses the "
        "answers of earlier builds.",
    )
    geocode_url: str = _setting("", "Mirror of the Census geocoder.")
    geocode_benchmark: str = _setting("Public_AR_Current", "Benchmark of the Census geocoder.")
    geocode_vintage: str = _setting("Census2020_Current", "Vintage of the Census geocoder.")
    geocode_max_addresses: int = _setting(
        200_000, "Addresses sent to the geocoder per source and build."
    )
    probe_urls: bool = _setting(False, "Probe listed websites.")
    probe_max_urls: int = _setting(5_000, "Websites probed per build.")
    probe_max_seconds: float = _setting(1_800.0, "Seconds of probing per build.")
    data_license: str = _setting("CC-BY-4.0", "Licence of the published data.")
    licenses_file: str = _setting(
        "", "The operator's policy of rights; content/licences.yaml if empty."
    )
    rights: Literal["", "withhold", "facts_only", "match_only"] = _setting(
        "", "Use of lists whose publisher states no licence, instead of the policy's rule."
    )
    processes: int = _setting(
        0, "Processes among which large steps divide their work; 0 for one per core."
    )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the settings, for other processes; Dagster's schema of them cannot be
        pickled."""
        return partial(Workspace, **self.model_dump()), ()

    @property
    def root(self) -> Path:
        return Path(self.data_dir)

    @property
    def is_synthetic(self) -> bool:
        return self.profile == "demo"

    @property
    def as_of_date(self) -> date:
        return date.fromisoformat(self.as_of) if self.as_of else datetime.now(UTC).date()

    @property
    def raw_store(self) -> RawStore:
        return RawStore(self.root)

    @property
    def releases(self) -> ReleaseStore:
        return ReleaseStore(self.root)

    def require_served_profile(self) -> None:
        """Raise ReleaseError if the served release came from publishers' files by another profile:
        a build without the right settings would replace it, by the demo above all."""
        current = self.releases.current()
        if current is None or self.change_profile:
            return
        served = self.releases.manifest(current)
        # A release of an older version does not name its profile.
        is_other = self.is_synthetic if not served.profile else served.profile != self.profile
        if not served.is_synthetic and is_other:
            raise ReleaseError(
                f"release {current} in {self.root} was built with the profile"
                f" {served.profile or 'folder or live'}, this build has {self.profile}: choose that"
                " profile (--profile, LARDER_PROFILE), or replace the release by it:"
                " larder build --change-profile, in the launchpad change_profile: true"
            )

    def rights_of(self, *registry: Source) -> dict[str, Right]:
        """Return the rights to sources in this build, by id. Raises ValueError for an invalid
        policy."""
        policy = self.rights_policy()
        return {source.id: right_of(source, policy, self.as_of_date) for source in registry}

    def rights_policy(self) -> RightsPolicy:
        """Return the operator's policy with this build's rule. Raises ValueError."""
        own = Path(self.licenses_file) if self.licenses_file else None
        policy = read_policy(own, recorded=self.root)
        return (
            msgspec.structs.replace(policy, no_stated_license=self.rights)
            if self.rights
            else policy
        )

    def path(self, name: str) -> Path:
        """Return the Parquet file of a table."""
        return self.root / "tables" / f"{name}.parquet"

    def product(self, name: str) -> Path:
        """Return the folder of a product: files that releases link (`assets.steps.tables`)."""
        return self.root / "products" / name

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Yield an empty folder on the disk of the tables; what is left in it after the block is
        deleted, and after a kill by the next build."""
        products = self.root / "products"
        products.mkdir(parents=True, exist_ok=True)
        ending = f".{gethostname()}.{os.getpid()}.tmp"
        with tempfile.TemporaryDirectory(ending, ".scratch.", products) as private:
            folder = Path(private) / "files"
            folder.mkdir()
            yield folder

    @property
    def release_in_making(self) -> str:
        """The id of the next release, set by `begin_release`. Raises FileNotFoundError."""
        return (self.root / _RELEASE_NOTE).read_text(encoding="utf-8").strip()

    def begin_release(self, release_id: str) -> None:
        """Set the release that the tables are made for. Deletes partial files of killed builds."""
        for folder in ("raw", "tables", "products", "releases"):
            remove_abandoned(self.root / folder)
        write_text(self.root / _RELEASE_NOTE, release_id + "\n")

    def read(self, name: str, columns: list[str] | None = None) -> pd.DataFrame:
        """Return a table as a frame. Raises FileNotFoundError if no build has written it."""
        return read_frame(self.path(name), columns)

    def notes(self, name: str) -> dict[str, Any]:
        """Return the notes on a table; empty without them."""
        return notes_of(self.path(name))

    def geography(self) -> Geography:
        """Return the reference geography, read once per process while its tables are unchanged."""
        zips, cities = (self.path(f"core_geography__{name}") for name in ("zips", "cities"))
        return _geography(zips, cities, self.geography_dir, _which(zips), _which(cities))


def _which(path: Path) -> tuple[int, int, int]:
    """Identify the current version of a file by inode, size and time. Raises FileNotFoundError."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=2)
def _geography(zips: Path, cities: Path, folder: str, *_which: tuple[int, ...]) -> Geography:
    from assets.geography.model import load_boundaries  # noqa: PLC0415 - geopandas costs a second

    boundaries = load_boundaries(Path(folder)) if folder else None
    notes = tuple(notes_of(zips).get("notes", ()))
    return Geography(
        read_frame(zips), read_frame(cities), boundaries, notes, notes_of(zips).get("vintage", "")
    )


# ------------------------------------------------------------------ digests


def digest_of(*parts: object) -> str:
    """Digest several values with unambiguous text."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


# Reads the served release, whose ids, retired ids, history and findings a build continues.


def open_served_tables(workspace: Workspace) -> Path | None:
    """Return the folder of the served release's tables; None before the first release."""
    current = workspace.releases.current()
    return workspace.releases.folder(current) / "exports" if current else None


def find_served_file(workspace: Workspace, name: str) -> Path | None:
    """Return the file of a table in the served release; None without it."""
    folder = open_served_tables(workspace)
    path = folder / f"{name}.parquet" if folder else None
    return path if path and path.is_file() else None


def read_served_table(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """Read a table of the served release; None without it."""
    path = find_served_file(workspace, table.name)
    return read_frame(path)[table.field_names] if path else None


def read_served_edition(workspace: Workspace) -> Edition | None:
    """Return the served release for `warehouse.release.changes`; None before the first.

    Raises FileNotFoundError if it has no resources.
    """
    folder = open_served_tables(workspace)
    return edition_of(folder.parent) if folder else None
