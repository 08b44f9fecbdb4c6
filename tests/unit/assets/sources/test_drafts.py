"""Sources drafted from undeclared lists: what is plain in the list is read, the rest is asked."""

import json
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
import typst

from assets.sources.assemble import assemble
from assets.sources.contract import UnreadableFileError
from assets.sources.drafts import Draft, draft_mapping
from assets.sources.kinds import kind_of
from assets.sources.reading_pdf import read_pdf_tables
from pipelines.source_drafts import Facts, write_source
from schemas.sources.mapping import TODO, Expression
from schemas.sources.registry import open_questions, read_source
from tests.support.cases import cases, labelled
from tests.support.source_files import file_of

FACTS = Facts("Example", "https://example.org", "CC0-1.0")


def draft(folder: Path, content: str, name: str = "list.csv") -> Draft:
    return draft_mapping(file_of(folder / name, content))


def read(
    folder: Path, content: str, file_name: str = "list.csv", /, **changes: str
) -> pd.DataFrame:
    """Return the rows of a list by its draft; `changes` are answers to its questions."""
    path = folder / file_name
    path.write_text(content)
    write_source(path, "drafted", FACTS, folder / "root")
    text = (folder / "root" / "schemas" / "sources" / "drafted.yaml").read_text()
    for member, answer in changes.items():
        text = text.replace(f"{member}: {TODO}", f"{member}: {answer}")
    source = read_source(text)
    assert open_questions(source) == []
    return (
        assemble(source, [file_of(path, source="drafted")])
        .accepted.sort_values("source_row")
        .reset_index(drop=True)
    )


HEAD = "Name,Address,City,State,Zip"
PANTRIES = "Elm Pantry,1 Elm St,Utica,NY,13501,{}\nOak Pantry,2 Oak Ave,Utica,NY,13502,{}\nAsh Pantry,3 Ash Rd,Utica,NY,13501,{}\n"


def pantries(heading: str, *cells: str) -> str:
    return f"{HEAD},{heading}\n" + PANTRIES.format(*cells)


@labelled("heading, cells, hours")
def test_hours_of_several_columns(
    tmp_path: Path, heading: str, cells: list[str], hours: list[str]
) -> None:
    assert read(tmp_path, pantries(heading, *cells))["hours_text"].tolist() == hours


def test_hours_in_lists_of_objects(tmp_path: Path) -> None:
    records = [
        {"title": f"{n} Pantry", "street": f"{n} Elm St", "city": "Utica", "state": "NY",
         "postalCode": "13501", "hours": [{"repeatsOn": day, "start": "11:45", "end": "13:00"} for day in days]}
        for n, days in ((1, ["Monday", "Friday"]), (2, ["Tuesday"]))
    ]  # fmt: skip
    rows = read(tmp_path, json.dumps(records), "list.json")
    assert rows["hours_text"].tolist() == [
        "Monday 11:45 - 13:00; Friday 11:45 - 13:00",
        "Tuesday 11:45 - 13:00",
    ]


def test_a_row_for_each_day_is_one_place(tmp_path: Path) -> None:
    rows = f"{HEAD},Day,Start,End\n" + "".join(
        f"Elm Pantry,1 Elm St,Utica,NY,13501,{day},9:00 AM,11:00 AM\n" for day in ("Mon", "Wed")
    )
    (hours,) = read(tmp_path, rows)["hours_text"]
    assert hours == "Mon 9 AM - 11 AM; Wed 9 AM - 11 AM"


def test_columns_with_the_same_part_are_asked(tmp_path: Path) -> None:
    content = pantries(
        "Days,Weekday,Time", "Mon,Tue,9am-11am", "Tue,Wed,1pm-3pm", "Fri,Sat,9am-10am"
    )
    assert "Weekday" in draft(tmp_path, content).questions["hours_text"]


def test_hours_in_two_columns_are_asked(tmp_path: Path) -> None:
    content = pantries(
        "Hours,Other Times",
        "Mon 9am-11am,Tue 1pm-2pm",
        "Mon 9am-11am,Tue 1pm-2pm",
        "Fri 9am-11am,Sat 1pm-2pm",
    )
    assert "Other Times" in draft(tmp_path, content).questions["hours_text"]


@labelled("text, kind")
def test_kinds(text: str, kind: str | None) -> None:
    assert kind_of(text) == kind


def test_each_value_of_a_column_of_types_is_mapped_or_asked(tmp_path: Path) -> None:
    content = pantries("Category", "Food Pantry", "Hot Meals", "Thrift Shop")
    drafted = draft(tmp_path, content)
    rule = drafted.mapping.columns["resource_type"]
    assert rule.map == {
        "Food Pantry": "food_pantry",
        "Hot Meals": "soup_kitchen",
        "Thrift Shop": TODO,
    }  # type: ignore[union-attr]
    assert "Thrift Shop" in drafted.questions
    rows = read(tmp_path, content, **{"Thrift Shop": "ignore"})
    assert rows["resource_type"].tolist() == ["food_pantry", "soup_kitchen"]


@cases(
    "name, content, default",
    {
        "names": ("list.csv", pantries("Phone", "", "", ""), "food_pantry"),
        "headings": ("list.csv", pantries("FMID", "1", "2", "3").replace("Pantry", "Square"), "farmers_market"),
        "the title": ("wic_clinics.csv", pantries("Phone", "", "", "").replace("Pantry", "House"), "wic_office"),
        "nothing": ("list.csv", pantries("Phone", "", "", "").replace("Pantry", "Church"), TODO),
        "two kinds": ("farmers_markets.csv", pantries("Phone", "", "", ""), TODO),
        "stores": ("list.csv", pantries("Store Type", "Grocery Store", "Supermarket", "Supermarket").replace("Pantry", "Foods"), TODO),
    },
)  # fmt: skip
def test_the_type_of_a_list(tmp_path: Path, name: str, content: str, default: str) -> None:
    drafted = draft(tmp_path, content, name)
    assert drafted.default_type == default
    assert ("default_type" in drafted.questions) == (default == TODO)


def test_a_draft_is_not_built(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(pantries("Phone", "", "", "").replace("Pantry", "Church"))
    write_source(tmp_path / "list.csv", "drafted", Facts(), tmp_path / "root")
    source = read_source((tmp_path / "root/schemas/sources/drafted.yaml").read_text())
    questions = {"publisher", "homepage", "license.id", "default_type"}
    assert set(open_questions(source)) == questions


def test_a_contact_is_no_place(tmp_path: Path) -> None:
    people = [("Acorn Church", "Pat Sample", 1), ("Birch Schools", "Kim Invented", 2)]
    people += [("Birch Schools", "Kim Invented", 2), ("Cedar Mission", "Lee Madeup", 3)]
    rows = [
        f"{n},{agency},{name},330-555-010{phone},{n} Elm Street,Akron,OH,44301"
        for n, (agency, name, phone) in enumerate(people, 1)
    ]
    head = "ID,Agency,AgencyContactName,AgencyContactPhone,Address,City,State,Zip"
    drafted = draft(tmp_path, "\n".join([head, *rows]))
    assert drafted.mapping.columns["name"] == "Agency"
    assert "phone" not in drafted.mapping.columns
    assert {"AgencyContactName", "AgencyContactPhone"} <= set(drafted.unused)


@labelled("heading, row, place")
def test_addresses(tmp_path: Path, heading: str, row: str, place: list[str]) -> None:
    others = row.replace("Elm Pantry", "Oak Pantry"), row.replace("Elm Pantry", "Ash Pantry")
    rows = read(tmp_path, "\n".join([heading, row, *others]))
    assert rows.loc[0, ["address", "city", "state", "zip"]].tolist() == place
    assert rows.loc[0, "name"] == "Elm Pantry"


def test_the_state_of_points(tmp_path: Path) -> None:
    content = "Name,Address,City,Latitude,Longitude\n" + "".join(
        f"{n} Pantry,{n} Green St,Lynn,42.46{n},-70.93{n}\n" for n in (1, 2, 3)
    )
    assert read(tmp_path, content)["state"].tolist() == ["MA"] * 3


def test_metres_are_no_degrees(tmp_path: Path) -> None:
    content = pantries("X,Y", "1234567.1,654321.2", "1234568.1,654322.2", "1234569.1,654323.2")
    assert not {"lat", "lng"} & set(draft(tmp_path, content).mapping.columns)


def test_a_file_without_headings(tmp_path: Path) -> None:
    rows = "\n".join(
        f'{name} FOOD PANTRY,"{n} Elm Street, Akron, OH 44301",330.555.010{n}'
        for n, name in enumerate(("ELM", "OAK", "ASH"), 1)
    )
    drafted = draft(tmp_path, rows)
    assert len(drafted.rows) == 3
    assert "headings" in drafted.questions["name"]
    assert read(tmp_path, rows, name='"column 1"')["name"].tolist()[0] == "Elm Food Pantry"


def test_the_city_of_a_file_without_headings(tmp_path: Path) -> None:
    rows = "\n".join(
        f"{n} Elm Pantry,{n} Elm St,Utica,NY,1350{n},315-735-010{n},Mon 9am-11am" for n in (1, 2, 3)
    )
    read_rows = read(tmp_path, rows, name="column 1", default_type="food_pantry")
    assert read_rows["city"].tolist() == ["Utica"] * 3


def test_rows_with_one_text_are_headings_of_the_rows_below(tmp_path: Path) -> None:
    content = (
        f"{HEAD}\nFOOD PANTRIES,,,,\nElm Church,1 Elm St,Utica,NY,13501\n"
        "Oak Church,2 Oak Ave,Utica,NY,13502\nMEAL SITES,,,,\nAsh Church,3 Ash Rd,Utica,NY,13501\n"
    )
    rows = read(tmp_path, content)
    assert dict(zip(rows["name"], rows["resource_type"], strict=True)) == {
        "Elm Church": "food_pantry",
        "Oak Church": "food_pantry",
        "Ash Church": "soup_kitchen",
    }
    towns = content.replace("FOOD PANTRIES", "UTICA").replace("MEAL SITES", "ROME")
    assert "default_type" in draft(tmp_path, towns).questions


def test_sheets_tell_types(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for title, name in (("Food Shelves", "Elm Church"), ("Free Meals", "Oak Church")):
        sheet = book.create_sheet(title)
        sheet.append([*HEAD.split(","), "Hours"])
        sheet.append([name, "1 Elm St", "Duluth", "MN", "55802", "Mon 9am-11am"])
        sheet.append([f"{name} East", "2 Elm St", "Duluth", "MN", "55802", "Tue 9am-11am"])
    del book["Sheet"]
    path = tmp_path / "list.xlsx"
    book.save(path)
    drafted = draft_mapping(file_of(path))
    rule = drafted.mapping.columns["resource_type"]
    assert isinstance(rule, Expression)
    assert (rule.from_, rule.map) == (
        "sheet",
        {"Food Shelves": "food_pantry", "Free Meals": "soup_kitchen"},
    )


def test_names_of_another_kind_are_asked(tmp_path: Path) -> None:
    others = "Elm Thrift Store,4 Elm St,Utica,NY,13501\nOak Thrift Shop,5 Elm St,Utica,NY,13501\n"
    content = f"{HEAD}\n{PANTRIES}{others}".replace(",{}", "")
    drafted = draft(tmp_path, content, "food_pantries.csv")
    assert drafted.default_type == "food_pantry"
    assert "2 rows (Elm Thrift Store; Oak Thrift Shop)" in drafted.questions["thrift_store"]
    rows = read(tmp_path, content, "food_pantries.csv", thrift_store="ignore")
    assert rows["name"].tolist() == ["Elm Pantry", "Oak Pantry", "Ash Pantry"]
    assert set(rows["resource_type"]) == {"food_pantry"}


def test_an_edition_with_a_name_of_another_kind_is_not_published_as_a_pantry(
    tmp_path: Path,
) -> None:
    others = "Elm Thrift Store,4 Elm St,Utica,NY,13501\n"
    path = tmp_path / "food_pantries.csv"
    path.write_text(f"{HEAD}\n{PANTRIES}{others}".replace(",{}", ""))
    write_source(path, "drafted", FACTS, tmp_path / "root")
    text = (tmp_path / "root/schemas/sources/drafted.yaml").read_text()
    source = read_source(text.replace("thrift_store: TODO", "thrift_store: ignore"))
    path.write_text(
        f"{HEAD}\n{PANTRIES * 9}".replace(",{}", "")
        + others.replace("Thrift Store", "Farmers Market")
    )
    rejects = assemble(source, [file_of(path, source="drafted")]).rejects
    unknown = rejects[rejects["reject_reason"] == "unknown_type"]
    assert unknown["reject_detail"].tolist() == ["farmers_market"]


def test_closed_places_are_left_out(tmp_path: Path) -> None:
    rows = read(tmp_path, pantries("Status", "Open", "Temporarily Closed", "Open"))
    assert rows["name"].tolist() == ["Elm Pantry", "Ash Pantry"]


@pytest.mark.parametrize(
    "word", ["On hiatus", "Paused", "Temporarily suspended", "On hold", "Out of service"]
)
def test_places_that_pause_are_left_out(tmp_path: Path, word: str) -> None:
    rows = read(tmp_path, pantries("Status FINAL", "open", word, "open"))
    assert rows["name"].tolist() == ["Elm Pantry", "Ash Pantry"]


def test_weekdays_that_do_not_hold_in_every_week_say_so(tmp_path: Path) -> None:
    days = "Mon Open,Mon Close,Sat Open,Sat Close,Comments,Varied Hours?"
    content = pantries(
        days,
        "9 AM,11 AM,,,,N/A",
        ",,8 AM,9 AM,Only open on the SECOND Saturday of each month.,N/A",
        "9 AM,11 AM,,,Ring twice,Yes",
    )
    assert read(tmp_path, content)["hours_text"].tolist() == [
        "Monday 9 AM - 11 AM",
        "Saturday 8 AM - 9 AM (with exceptions)",
        "Monday 9 AM - 11 AM (with exceptions)",
    ]


CODED = (
    "Agency,Address,City,State,Zip,Type,Organization\n"
    "Elm Church,1 Elm St,Utica,NY,13501,FP,FP\nElm Church,1 Elm St,Utica,NY,13501,SK,SK\n"
    "Oak Church,2 Oak Ave,Utica,NY,13502,FP,FP\nAsh Church,3 Ash Rd,Utica,NY,13501,FP,FP\n"
    "Fir Church,4 Fir Rd,Utica,NY,13501,SK,SK\n"
)


def test_codes_of_types_are_asked_one_by_one(tmp_path: Path) -> None:
    drafted = draft(tmp_path, CODED)
    assert drafted.questions.keys() == {"FP", "SK"}
    assert "organization" not in drafted.mapping.columns
    rows = read(tmp_path, CODED, FP="food_pantry", SK="soup_kitchen")
    # The kitchen in the house of a pantry is another place.
    assert rows["resource_type"].tolist() == [
        "food_pantry", "soup_kitchen", "food_pantry", "food_pantry", "soup_kitchen",
    ]  # fmt: skip


def test_a_projected_coordinate_is_no_telephone(tmp_path: Path) -> None:
    content = pantries("ycoord", "239774.1706", "231238.5511", "214773.9954")
    assert "phone" not in draft(tmp_path, content).mapping.columns


def test_the_address_of_a_file_is_no_website_of_a_place(tmp_path: Path) -> None:
    content = pantries("source_file", *["https://example.org/list.csv"] * 3)
    assert "website" not in draft(tmp_path, content).mapping.columns


def test_tables_of_other_widths_in_a_pdf_are_read_or_counted(tmp_path: Path) -> None:
    tables = [
        [["Name", "Address", "City", "Zip"], ["Elm Pantry", "1 Elm St", "Utica", "13501"]],
        [["Key", "Meaning"], ["A", "open"]],
        [["Name", "City", "Zip"], ["Oak Pantry", "Utica", "13502"]],
        [["Mon", "Volunteers", "Noon"]],
    ]
    blocks = "".join(
        f"#table(columns: {len(table[0])}, "
        + "".join(f"[{cell}]," for row in table for cell in row)
        + ")\n#v(2cm)\n"
        for table in tables
    )
    pdf = typst.compile(f"#set page(width: 30cm)\n{blocks}".encode(), format="pdf")
    assert isinstance(pdf, bytes)
    rows = read_pdf_tables(file_of(tmp_path / "list.pdf", pdf), ["Name", "Address", "City", "Zip"])
    assert rows["Name"].tolist() == ["Elm Pantry", "Oak Pantry", "Mon"]
    assert rows["Zip"].tolist()[:2] == ["13501", "13502"]
    assert rows["reject_detail"].isna().tolist() == [True, True, False]
    assert rows["reject_detail"].iloc[2].startswith("table 4 of 4 has 3 columns, the list 4")


FEATURES = [
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-81.5, 41.05]},
     "properties": {"name": f"{n} Pantry", "address": f"{n} Elm Street", "city": "Akron", "state": "OH", "zip": "44301"}}
    for n in (1, 2)
]  # fmt: skip


@cases(
    "name, content",
    {
        "a list of features": ("list.json", json.dumps(FEATURES)),
        "a variable": (
            "list.js",
            f"var places = {json.dumps({'type': 'FeatureCollection', 'features': FEATURES})};\n",
        ),
        "XML without a prolog": (
            "list.xml",
            "<response><row>"
            + "".join(
                f'<row _id="{n}"><name>{n} Pantry</name><address>{n} Elm Street</address>'
                "<city>Akron</city><state>OH</state><zip>44301</zip></row>"
                for n in (1, 2)
            )
            + "</row></response>",
        ),
        "a variable before other code": (
            "list.js",
            f"// the map\nconst places = {json.dumps([f['properties'] for f in FEATURES])};\n"
            "function show() { return places.length; }\n",
        ),
        "XML with the days of each place": (
            "list.xml",
            "<sites>"
            + "".join(
                f'<site id="{n}"><title>{n} Pantry</title><address>{n} Elm Street</address>'
                "<city>Akron</city><state>OH</state><zip>44301</zip><days>"
                + "".join(
                    f'<day name="{day}"><open>9:00 AM</open><close>1:00 PM</close></day>'
                    for day in ("Monday", "Friday", "Sunday")[:n]
                )
                + "</days></site>"
                for n in (1, 2)
            )
            + "</sites>",
        ),
    },
)
def test_forms_of_files(tmp_path: Path, name: str, content: str) -> None:
    rows = read(tmp_path, content, name)
    assert rows["name"].tolist() == ["1 Pantry", "2 Pantry"]
    assert rows["address"].tolist() == ["1 Elm Street", "2 Elm Street"]


@cases(
    "lines, set_aside",
    {
        "a stray comma": (b"Oak Pantry,1 Oak St,Utica,NY,13501,more\n", "6 cells below 5 headings"),
        "another encoding": (
            "Ni\u00f1o Pantry,1 Oak St,Utica,NY,13501\n".encode()
            + "Caf\u00e9 Pantry,1 Oak St,Utica,NY,13501\n".encode("cp1252"),
            "a byte that is not UTF-8",
        ),
    },
)
def test_a_damaged_row_is_set_aside_and_not_the_file(
    tmp_path: Path, lines: bytes, set_aside: str
) -> None:
    rows = "".join(f"Elm {n} Pantry,{n} Elm St,Utica,NY,13501\n" for n in range(30))
    path = tmp_path / "list.csv"
    path.write_bytes(f"{HEAD}\n{rows}".encode() + lines)
    write_source(path, "drafted", FACTS, tmp_path / "root")
    source = read_source((tmp_path / "root/schemas/sources/drafted.yaml").read_text())
    rejects = assemble(source, [file_of(path, source="drafted")]).rejects
    assert rejects["reject_reason"].tolist() == ["damaged_row"]
    assert set_aside in rejects.loc[0, "reject_detail"]


def test_a_kitchen_in_the_house_of_a_pantry_is_another_place(tmp_path: Path) -> None:
    content = f"{HEAD},Type\n" + "".join(
        f"Elm Church,1 Elm St,Utica,NY,13501,{kind}\n" for kind in ("Pantry", "Soup Kitchen")
    )
    rows = read(tmp_path, content)
    assert rows["resource_type"].tolist() == ["food_pantry", "soup_kitchen"]


def test_days_of_a_place_in_xml(tmp_path: Path) -> None:
    content = "<sites>" + "".join(
        f"<site><name>{name}</name><street>1 Elm St</street><city>Utica</city><zip>13501</zip><tel>315-735-0101</tel>"
        + "".join(f'<day name="{day}" open="9:00 AM" close="1:00 PM"/>' for day in days)
        + "</site>"
        for name, days in (("Elm Pantry", ["Monday"]), ("Oak Pantry", ["Monday", "Friday"]))
    )
    rows = read(tmp_path, content + "</sites>", "list.xml")
    assert rows["name"].tolist() == ["Elm Pantry", "Oak Pantry"]
    assert rows["hours_text"].tolist() == [
        "Monday 9 AM - 1 PM",
        "Monday 9 AM - 1 PM; Friday 9 AM - 1 PM",
    ]


def test_a_script_is_named(tmp_path: Path) -> None:
    two_lists = 'var a = [{"name": "Elm Pantry"}];\nvar b = [{"name": "Oak Pantry"}];'
    with pytest.raises(UnreadableFileError, match="it is JavaScript"):
        draft(tmp_path, two_lists, "list.js")
    with pytest.raises(UnreadableFileError, match="it is JavaScript"):
        draft(tmp_path, "var places = [{name: 'Elm Pantry', at: here()}];", "list.js")
