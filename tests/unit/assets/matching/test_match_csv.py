"""`larder match`: what comes in, what goes out, and what is said when it cannot."""

from pathlib import Path

import pytest

from assets.matching.match_csv import RecordsError, match_records
from tests.support.cases import cases

HEADER = "id,name,address,city,state,zip,phone,website,lat,lng\n"
ONE = "b7,St. Alda Food Pantry,100 Main St,Alderton,OR,97001,503-555-0142,https://alda.example/,45.1,-122.1\n"
TWIN = "007,SAINT ALDA FOOD PANTRY,100 MAIN STREET,ALDERTON,Oregon,97001-1234,,,,\n"
OTHER = "a,Birch Pantry,9 Oak Ave,Alderton,OR,97001,,,,\n"


def matched(tmp_path: Path, content: str | bytes, *, reasons: bool = False) -> str:
    source, target = tmp_path / "records.csv", tmp_path / "out.csv"
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    match_records(source, target, reasons)
    return target.read_bytes().decode()


def test_clusters_in_the_order_of_the_records_with_ids_as_they_are(tmp_path: Path) -> None:
    assert matched(tmp_path, HEADER + ONE + OTHER + TWIN) == "id,cluster_id\nb7,007\na,a\n007,007\n"


def test_reasons_on_request(tmp_path: Path) -> None:
    assert matched(tmp_path, HEADER + ONE + TWIN + OTHER, reasons=True) == (
        "id,cluster_id,match_reason\n"
        'b7,007,"same street address, same name"\n'
        '007,007,"same street address, same name"\n'
        "a,a,only record\n"
    )


def test_the_report_counts(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text(HEADER + ONE + TWIN + OTHER)
    report = match_records(path, tmp_path / "out.csv")
    assert (report.records, report.clusters, report.merged_records) == (3, 2, 2)


@cases(
    "content",
    {
        "byte order mark": b"\xef\xbb\xbf" + (HEADER + ONE + TWIN).encode(),
        "line ends of Windows": (HEADER + ONE + TWIN).replace("\n", "\r\n"),
        "capitals in the header": (HEADER + ONE + TWIN).replace("id,name", "ID, Name", 1),
        "few columns, other order, one too many": "zip,id,address,name,more\n97001,b7,100 Main St,Alda Pantry,x\n97001,007,100 Main St,ALDA PANTRY,y\n",
    },
)
def test_files_as_people_have_them(tmp_path: Path, content: str | bytes) -> None:
    assert matched(tmp_path, content) == "id,cluster_id\nb7,007\n007,007\n"


def test_a_zip_that_lost_its_zero(tmp_path: Path) -> None:
    content = (
        "id,name,address,zip\n1,Alda Pantry,100 Main St,1970\n2,Alda Pantry,100 Main St,01970\n"
    )
    assert matched(tmp_path, content).endswith("1,1\n2,1\n")


def test_marks_for_no_value_are_none(tmp_path: Path) -> None:
    content = (
        "id,name,address,city,zip,lat,lng\n1,Alda,NULL,nan,N/A,nan,nan\n2,Alda,NULL,nan,N/A,,\n"
    )
    assert matched(tmp_path, content).endswith("1,1\n2,2\n")


def test_ids_alone_match_nothing(tmp_path: Path) -> None:
    assert matched(tmp_path, "id\n1\n2\n") == "id,cluster_id\n1,1\n2,2\n"


def test_no_records(tmp_path: Path) -> None:
    assert matched(tmp_path, HEADER) == "id,cluster_id\n"


def test_quotes_and_accents_in_ids_survive(tmp_path: Path) -> None:
    content = 'id,name\n"Peña, 1",Alda\n" 2 ",Birch\n'
    assert matched(tmp_path, content) == 'id,cluster_id\n"Peña, 1","Peña, 1"\n 2 , 2 \n'


def test_the_same_file_gives_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    straight = matched(tmp_path, HEADER + ONE + TWIN + OTHER, reasons=True)
    turned = matched(tmp_path, HEADER + OTHER + TWIN + ONE, reasons=True)
    assert sorted(straight.splitlines()) == sorted(turned.splitlines())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,zip\nAlda,97001\n", "column id is missing"),
        ("id,name\n1,Alda\n1,Birch\n", r"row 2, column id: '1' is repeated"),
        ("id,name\n1,Alda\n,Birch\n", r"row 2, column id: empty"),
        ("id,lat,lng\n1,45.1,-122\n2,north,-122\n", r"row 2, column lat: 'north' is not a number"),
        ("id,lat,lng\n1,45.1,inf\n", r"row 1, column lng: 'inf' is not a number"),
        ("id,name,name\n1,Alda,Birch\n", "column name is repeated"),
        ("id,resource_type\n1,pantry\n", r"row 1, column resource_type: 'pantry' is not a type"),
        (b"id,name\n1,Pe\xf1a\n", "UTF-8"),
        ("", "column id is missing"),
        ("id,name\n1,Alda\n2,Birch,2,3\n", "row 2 has 4 values for 2 columns"),
    ],
)
def test_errors_name_the_place(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(RecordsError, match=message):
        matched(tmp_path, content)
