"""The catalogue of the stored releases for DuckLake: one query reads any of them."""

import hashlib
import shutil
import weakref
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from litestar import get
from litestar.types import Scope

from schemas.bulk import BULK_FOLDER
from serving.context import context_of
from serving.exports.files import exports_index
from serving.exports.routes import file_answers
from serving.http.answers import FIVE_MINUTES
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer
from serving.http.per_release import per_release
from warehouse.exports.lake import LakeFile, LakeRelease, write_lake
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

_MEDIA_TYPE = b"application/octet-stream"


@dataclass(frozen=True)
class _Lake:
    """The file, whose folder goes when its release is closed."""

    stored: StoredFile


@per_release
def _lake(release: OpenRelease, store: ReleaseStore, url: str) -> _Lake:
    index = exports_index(store, release, url)
    releases = [
        LakeRelease(
            entry.release_id,
            entry.created_at,
            tuple(
                LakeFile(
                    Path(name).stem, store.folder(entry.release_id) / BULK_FOLDER / name, address
                )
                for name, address in entry.files.items()
                if name.endswith(".parquet")
            ),
        )
        for entry in reversed(index.releases)
    ]
    if not releases:
        raise ServiceProblem("not-found", "No release with bulk files is stored here.")
    path = Path(mkdtemp(prefix="larder-lake-")) / "releases.ducklake"
    write_lake(path, releases)
    content = path.read_bytes()
    # Every process writes the same bytes, so parts of the file may come from several.
    etag = b'"%s"' % hashlib.sha256(content).hexdigest()[:32].encode()
    found = _Lake(StoredFile(path, len(content), etag, _MEDIA_TYPE))
    weakref.finalize(found, shutil.rmtree, path.parent, ignore_errors=True)
    return found


@get(
    "/exports/releases.ducklake",
    summary="Releases as a DuckLake catalogue",
    tags=["data"],
    responses=file_answers(404, 416),
)
async def get_releases_catalogue(scope: Scope) -> FileAnswer:
    """Return a catalogue in which every stored release is a snapshot (DuckLake 1.0). Attach it in
    DuckDB; the tables are read from the Parquet files of the releases."""
    release, context = release_of(scope), context_of(scope)
    found = await _lake.in_thread(release, context.watch.store, context.settings.url)
    return file_answer(scope, found.stored, max_age=FIVE_MINUTES)
