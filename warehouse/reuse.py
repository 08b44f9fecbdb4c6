"""What an earlier release already holds, and how what it holds is known again."""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from warehouse.duck import content_sql, quoted, shared_connection
from warehouse.files import sha256_of
from warehouse.manifest import Manifest, TableEntry, read_manifest

_LOG = logging.getLogger("larder.reuse")


def tell_of_damage(what: object) -> None:
    """Warn that something of the served release is damaged, and is made anew."""
    _LOG.warning("%s: damaged since it was sealed, made anew", what)


@dataclass(frozen=True)
class EarlierRelease:
    """The folder of a sealed release that this very code has written: its texts are as ours would
    be.
    """

    folder: Path

    def table(self, name: str) -> Path:
        """The Parquet file of a published table, which may be missing."""
        return self.folder / "exports" / f"{name}.parquet"

    def has(self, table: Path) -> bool:
        """True when a published table's file is the release's own: nobody writes to it again."""
        own = self.table(table.stem)
        return own.is_file() and own.samefile(table)

    def entry_of(self, table: Path) -> TableEntry | None:
        """Rows and digest of a published table whose file is the release's own; None of any other."""
        return self._entries.get(table.stem) if self.has(table) else None

    def copy_file(self, name: str, place: Path) -> bool:
        """A file of the release at a second place, where it may be written to.

        False, and no file there, when it is not what was sealed: what is not looked at again is
        taken over
        only when its bytes are known to be right.
        """
        try:
            shutil.copyfile(self.folder / name, place)
        except FileNotFoundError:
            return False
        if self._is_sealed(place, name):
            return True
        place.unlink()
        return False

    def is_whole(self, name: str) -> bool:
        """Whether a file of the release is what was sealed: its bytes may be taken over without
        looking at them.
        """
        path = self.folder / name
        return path.is_file() and self._is_sealed(path, name)

    def _is_sealed(self, path: Path, name: str) -> bool:
        if sha256_of(path) == self._sealed.get(name):
            return True
        tell_of_damage(f"{name} of release {self.folder.name}")
        return False

    def sealed_digests(self, folder: Path, name: str) -> dict[str, str]:
        """SHA-256, as they were sealed, of those files of a folder that are the release's own, by
        their path in it.

        `name` is what the folder is called in the release.
        """
        own = {}
        for path in sorted(folder.rglob("*")):
            inner = str(path.relative_to(folder))
            place = self.folder / name / inner
            if path.is_file() and place.is_file() and place.samefile(path):
                own[inner] = self._sealed.get(f"{name}/{inner}", "")
        return own

    @cached_property
    def _manifest(self) -> Manifest:
        return read_manifest(self.folder)

    @cached_property
    def _sealed(self) -> dict[str, str]:
        return {entry.path: entry.sha256 for entry in self._manifest.files}

    @cached_property
    def _entries(self) -> dict[str, TableEntry]:
        return {entry.name: entry for entry in self._manifest.tables}


def member_digests(
    located: Path, clusters: Path, members: pa.Table, columns: list[str]
) -> pa.Table:
    """`resource_id` and `digest` of the records that are one resource, in order of id.

    `members` says of each record (source_id, source_key) which resource_id it is part of; of a
    record the
    `columns` of the file `located` count and its reason in the file `clusters`.
    """
    content = content_sql(columns, "l.", "c.match_reason")
    with shared_connection() as db:
        db.register("members", members)
        return db.sql(
            f"""SELECT resource_id, concat_ws('|', {content}) AS digest
            FROM members JOIN read_parquet({quoted(located)}) l USING (source_id, source_key)
            JOIN read_parquet({quoted(clusters)}) c USING (source_id, source_key)
            GROUP BY resource_id ORDER BY resource_id"""
        ).to_arrow_table()


def rows_of_file(path: Path) -> str:
    """SQL of the rows of a Parquet file."""
    return f"SELECT * FROM read_parquet({quoted(path)})"
