"""The manifest of a release: its files, its inputs, and their checks."""

from pathlib import Path

import msgspec

MANIFEST_NAME = "manifest.json"
# Format of a release's files: incremented when older versions of the service cannot read them.
FORMAT_VERSION = 5


class FileEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of the release; `rows`, `media_type` and `license` if it is published as a whole.

    A file with `stored_in` is not on disk itself: the gzip file at that path contains it.
    """

    path: str
    size_bytes: int
    sha256: str
    rows: int | None = None
    media_type: str | None = None
    license: str | None = None
    stored_in: str | None = None


class TableEntry(msgspec.Struct, frozen=True):
    """A published table's rows; `digest` covers content, not file layout."""

    name: str
    rows: int
    digest: str


class SourceEntry(msgspec.Struct, frozen=True):
    """One source in this release. Invariant: read = published + merged + rejected + withheld."""

    id: str
    rows_read: int
    rows_published: int
    rows_merged: int
    rows_rejected: int
    rows_withheld: int
    rejects: dict[str, int]
    newest_vintage: str | None
    retrieved_at: str | None
    # After a failed last attempt the rows are those of an earlier build.
    failed_at: str | None = None
    failure: str | None = None


class CheckEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last result of a blocking check of a table or product.

    `digest` covers the content of `asset` that the check read, `seen` its other inputs.
    """

    name: str
    passed: bool
    detail: str
    asset: str = ""
    digest: str = ""
    seen: dict[str, str] = {}
    checked_at: str = ""


class Manifest(msgspec.Struct, frozen=True):
    """`content_digest` covers the tables only: two builds of the same inputs share it.

    `profile` names where the files came from; "" in releases of older versions.
    """

    release_id: str
    created_at: str
    format_version: int
    code_version: str
    parent: str | None
    is_synthetic: bool
    as_of_date: str
    data_license: str
    content_digest: str
    tables: list[TableEntry]
    files: list[FileEntry]
    sources: list[SourceEntry]
    checks: list[CheckEntry]
    notes: list[str] = []
    profile: str = ""

    @property
    def stored_files(self) -> list[FileEntry]:
        """The files that are on disk."""
        return [entry for entry in self.files if entry.stored_in is None]

    def table(self, name: str) -> TableEntry:
        """Return the entry of a table. Raises KeyError."""
        for entry in self.tables:
            if entry.name == name:
                return entry
        raise KeyError(name)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a release folder.

    Raises FileNotFoundError, or msgspec.ValidationError when it is damaged.
    """
    return msgspec.json.decode((folder / MANIFEST_NAME).read_bytes(), type=Manifest)


def check_format(manifest: Manifest, release_id: str) -> None:
    """Raise ValueError for another release's manifest or an unreadable format."""
    if manifest.release_id != release_id:
        raise ValueError(f"{release_id}: the manifest is of {manifest.release_id}")
    if manifest.format_version != FORMAT_VERSION:
        raise ValueError(
            f"{release_id} has format {manifest.format_version}, this version reads format "
            f"{FORMAT_VERSION}: build a release with this version"
        )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    (folder / MANIFEST_NAME).write_bytes(text + b"\n")
