"""Files in folders: unknown files are errors."""

import gzip
import re
from datetime import date
from pathlib import Path

import pytest

from schemas.sources.registry import FileLayout, Source
from tests.support.source_files import make_source
from warehouse.fetch.errors import DamagedInputError, FetchError, UnexpectedFileError
from warehouse.fetch.folder import take_from_folder
from warehouse.raw_store import RawStore

SHARED = Path(__file__).resolve().parents[4] / "../shared"


def source_of(folders: list[str], *layouts: FileLayout) -> Source:
    return make_source(files=list(layouts), folders=folders)


SITES = FileLayout("sites.*.csv", "sites", vintage=date(2026, 7, 1))
CODES = FileLayout("codes.json", "codes", media_type="application/json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shared" / "sources" / "agency"
    folder.mkdir(parents=True)
    (folder / "sites.pr.csv.gz").write_bytes(gzip.compress(b"name\nPueblo\n", mtime=0))
    (folder / "sites.ak.csv").write_bytes(b"name\nNome\n")
    (folder / "MANIFEST.md").write_text("what is here")
    (folder / "README.txt.gz").write_bytes(gzip.compress(b"read me", mtime=0))
    (folder / ".DS_Store").write_bytes(b"\0")
    return tmp_path / "shared"


@pytest.mark.parametrize("below", ["", "sources"], ids=["folder of sources/", "folder of folders"])
def test_every_file_with_a_layout_is_in_the_current_set(
    root: Path, tmp_path: Path, below: str
) -> None:
    store, lines = RawStore(tmp_path / "data"), list[str]()
    files = take_from_folder(root / below, source_of(["agency"], SITES, CODES), store, lines.append)
    assert [(f.file_name, f.fetched_from, f.path.name) for f in files] == [
        ("sites.ak.csv", "agency/sites.ak.csv", "sites.ak.csv"),
        ("sites.pr.csv", "agency/sites.pr.csv.gz", "sites.pr.csv.gz"),
    ]
    assert {(f.media_type, f.source_updated_date) for f in files} == {
        ("text/csv", date(2026, 7, 1))
    }
    assert store.files("agency_list") == files
    assert lines == ["agency_list: 2 files, 22 bytes"]


def test_files_that_no_layout_names_stop_the_source_by_name(root: Path, tmp_path: Path) -> None:
    folder = root / "sources" / "agency"
    (folder / "old sites.doc").write_text("x")
    (folder / "archive").mkdir()
    store = RawStore(tmp_path / "data")
    with pytest.raises(UnexpectedFileError) as error:
        take_from_folder(root, source_of(["agency"], SITES), store, print)
    assert str(error.value) == (
        "agency_list: agency: no layout names archive, old sites.doc (layouts: sites.*.csv). Add a layout "
        "to the source's facts, or take the file out of the folder. The last good files stay in use."
    )
    assert store.files("agency_list") == []


def test_a_table_without_a_layout_is_stored(root: Path, tmp_path: Path) -> None:
    (root / "sources" / "agency" / "old sites.2019.xlsx").write_bytes(b"x")
    files = take_from_folder(root, source_of(["agency"], SITES), RawStore(tmp_path), print)
    assert [(f.file_name, f.source_updated_date) for f in files if "old" in f.file_name] == [
        ("old sites.2019.xlsx", date(2019, 1, 1))
    ]


def test_a_missing_folder_is_reported_and_the_others_are_read(root: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    store = RawStore(tmp_path / "data")
    assert (
        len(take_from_folder(root, source_of(["gone", "agency"], SITES), store, lines.append)) == 2
    )
    assert take_from_folder(root, source_of(["gone"], SITES), store, lines.append) == []
    assert lines == [
        "agency_list: folder gone is not there",
        "agency_list: 2 files, 22 bytes",
        "agency_list: folder gone is not there",
        "agency_list: skipped, no files below sources/",
    ]
    assert len(store.files("agency_list")) == 2


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        (
            "sites.x.csv.gz",
            gzip.compress(b"name\n", mtime=0)[:-4],
            "agency_list: agency/sites.x.csv.gz: broken gzip",
        ),
        ("sites.x.csv.gz", b"name\n", "is named .gz and is not gzip"),
        (
            "sites.ak.csv.gz",
            gzip.compress(b"x", mtime=0),
            "has the name of agency/sites.ak.csv. Rename",
        ),
        ("sites.a\nb.csv", b"x", "is not a plain file name"),
    ],
)
def test_a_damaged_file_leaves_the_last_good_set(
    root: Path, tmp_path: Path, name: str, body: bytes, message: str
) -> None:
    store, source = RawStore(tmp_path / "data"), source_of(["agency"], SITES)
    good = take_from_folder(root, source, store, print)
    (root / "sources" / "agency" / name).write_bytes(body)
    with pytest.raises(DamagedInputError, match=re.escape(message)):
        take_from_folder(root, source, store, print)
    assert store.files("agency_list") == good


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"there is no such folder\. Check the path"):
        take_from_folder(tmp_path / "nowhere", source_of([]), RawStore(tmp_path), print)


@pytest.mark.shared
def test_digests_of_publishers_files_are_those_of_the_manifest(tmp_path: Path) -> None:
    folder = SHARED / "sources" / "snap_retailers"
    if not folder.is_dir():
        pytest.skip("the publishers' files are not here")
    layouts = [FileLayout(path.name.removesuffix(".gz"), "any") for path in folder.iterdir()]
    source = source_of(["snap_retailers"], *layouts)
    files = take_from_folder(SHARED, source, RawStore(tmp_path), print)
    digests = {f.file_name: (f.sha256[:16], f.size_bytes) for f in files}
    assert digests["snap-pueblo-county.2026-06.arcgis.json"] == ("86da8c684ef87a6e", 23_668)
    assert digests["snap-response.2022-08.arcgis.json"] == ("cd3490a18d16e2fe", 3_741)
