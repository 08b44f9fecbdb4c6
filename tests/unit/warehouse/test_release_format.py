"""A release of another format is refused by name, by the service and by the store."""

from pathlib import Path

import msgspec
import pytest

from tests.support.releases import resource, write_release
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FORMAT_VERSION, read_manifest, write_manifest
from warehouse.release.store import ReleaseError, ReleaseStore


def test_another_format(tmp_path: Path) -> None:
    release_id = write_release(tmp_path, [resource(1)])
    folder = ReleaseStore(tmp_path).folder(release_id)
    older = msgspec.structs.replace(read_manifest(folder), format_version=FORMAT_VERSION - 1)
    write_manifest(folder, older)
    message = f"{release_id} has format {FORMAT_VERSION - 1}.*build a release with this version"
    with pytest.raises(ValueError, match=message):
        OpenRelease(folder)
    with pytest.raises(ReleaseError, match=message):
        ReleaseStore(tmp_path).verify(release_id)
