"""A release of another format is refused by name, by the service and by the store."""

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from tests.support.releases import resource, write_release
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FORMAT_VERSION, read_manifest, write_manifest
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.release.tables import open_tables


def test_another_format(tmp_path: Path) -> None:
    release_id = write_release(tmp_path, [resource(1)])
    folder = ReleaseStore(tmp_path).folder(release_id)
    older = msgspec.structs.replace(read_manifest(folder), format_version=FORMAT_VERSION - 2)
    write_manifest(folder, older)
    message = f"{release_id} has format {FORMAT_VERSION - 2}.*build a release with this version"
    with pytest.raises(ValueError, match=message):
        OpenRelease(folder)
    with pytest.raises(ReleaseError, match=message):
        ReleaseStore(tmp_path).verify(release_id)


def test_a_table_of_an_earlier_version_has_the_columns_of_its_time(tmp_path: Path) -> None:
    folder = ReleaseStore(tmp_path).folder(write_release(tmp_path, [resource(1), resource(2)]))
    path = folder / "exports" / "core_directory__resources.parquet"
    path.chmod(0o644)
    pq.write_table(pq.read_table(path).drop_columns(["notes"]), path)
    with open_tables(folder) as db:
        rows = db.execute('SELECT * FROM "core_directory__resources" ORDER BY rowid')
        assert "notes" not in {column[0] for column in rows.description or ()}
        assert len(rows.fetchall()) == 2
