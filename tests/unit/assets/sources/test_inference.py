"""Mappings proposed for undeclared lists."""

import json
from pathlib import Path

import msgspec
import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.inference import propose, state_of
from assets.sources.mapping import map_file
from schemas.sources.registry import Source, sources
from tests.support.cases import cases
from tests.support.source_files import RETRIEVED

PLACE = {
    "name": "Acorn Pantry",
    "address": "12 Elm Street",
    "city": "Utica",
    "state": "NY",
    "zip": "13501",
    "phone": "315-555-0101",
}

WEEK = """Site ID,Partner Agency,Site Address,Suite,City/Town,State/Province,Postal Code,Contact Phone,Mon,Tue,Wed,Thu,Program Type,Email
101,Acorn Pantry,12 Elm Street,Rm 4,Utica,NY,13501,315-555-0101,9-11,,,9-11,Food Closet,a@b.example
102,Birch Kitchen,34 Oak Avenue,,Utica,NY,13502,315-555-0102,,5pm-7pm,,,Soup Kitchen,
"""
# Each by itself would be hours of every day.
TWO_DAYS = """Agency Name,Street,City,State,Zip,Phone,Monday Hours,Tuesday Hours
Acorn Pantry,12 Elm Street,Utica,NY,13501,315-555-0101,9am-12pm,1-3pm
Birch Kitchen,34 Oak Avenue,Utica,NY,13502,315-555-0102,,5-7 pm
"""
WHOLE = """NAME\tFULL ADDRESS\tTEL\tDAYS OPEN\tTIME
Acorn Pantry\t12 Elm Street, Utica, New York 13501\t315-555-0101\tMon, Wed\t9 AM to 11 AM
Birch Market\t34 Oak Ave., Rome, NY 13440\t315-555-0102\t2nd Saturday\t10am-12pm
"""
UNNAMED = """Pantry;Where;Phone / Fax;When
"Acorn Pantry";"12 Elm Street
Utica, NY 13501";"315-555-0101";"Every Tuesday 4:00 pm - 6:00 pm"
"Birch";"34 Oak Ave
Rome NY 13440";"315-555-0102";"1st & 3rd Sat. 9 am - noon"
"""
SPANS = """agency_name,agency_address,agency_city,agency_state,agency_zip,agency_phone,open_day,start_time,end_time,point
Acorn Pantry,12 Elm Street,Utica,NY,13501,315-555-0101,Tuesday,9:00 AM,11:00 AM,"(43.1009, -75.2327)"
Birch Pantry,34 Oak Ave,Rome,NY,13440,315-555-0102,Thursday,4:00 PM,6:00 PM,"(43.2109, -75.4427)"
"""
NESTED = {
    "data": [
        {
            "uid": uid,
            "attributes": {
                "title": name,
                "address": {"street": street, "city": city, "state": "NY", "postalCode": code},
                "contact": {"phone": phone, "email": "a@b.example"},
                "schedule": [{"day": "Monday", "open": "09:00", "close": "11:00"}],
            },
        }
        for uid, name, street, city, code, phone in (
            ("a1", "Acorn Pantry", "12 Elm Street", "Utica", "13501", "315-555-0101"),
            ("a2", "Birch", "34 Oak Ave", "Rome", "13440", "315-555-0102"),
        )
    ]
}


@cases(
    "content, hours",
    {
        "a column per weekday": (WEEK, "Monday 9-11; Thursday 9-11"),
        "columns of two weekdays": (TWO_DAYS, "Monday 9am-12pm; Tuesday 1-3pm"),
        "whole addresses, days and times apart": (WHOLE, "Mon, Wed 9 AM to 11 AM"),
        "headings that say little": (UNNAMED, "Every Tuesday 4:00 pm - 6:00 pm"),
        "day, start and end": (SPANS, "Tuesday 9:00 AM - 11:00 AM"),
        "nested objects": (json.dumps(NESTED), "Monday 09:00 - 11:00"),
    },
)
def test_a_list_is_understood(tmp_path: Path, content: str, hours: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(content)
    file = RawFile("draft", path.name, path, "0" * 64, "list", RETRIEVED)
    mapping = propose(file).mapping
    base = msgspec.to_builtins(sources()["diaper_banks"])
    layouts = {"list": msgspec.to_builtins(mapping)}
    files = [{"pattern": "*", "layout": "list"}]
    source = msgspec.convert({**base, "files": files, "layouts": layouts}, Source)
    place = map_file(file, source, mapping)[0].iloc[0]
    street = place["address"].partition(",")[0]
    assert {**{name: place[name] for name in PLACE}, "address": street} == PLACE
    assert place["hours_text"] == hours
    assert place["resource_type"] == "food_pantry"


@cases(
    "zips, expected",
    {
        "one state": (["13501", "13440-1234"], "NY"),
        "two states": (["13501", "62701"], None),
        "none": ([], None),
    },
)
def test_the_state_of_zip_codes(zips: list[str], expected: str | None) -> None:
    assert state_of(pd.DataFrame({"zip": pd.Series(zips, dtype="str")})) == expected


def test_unread_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(WEEK.replace("Site ID", "Colour of the door"))
    proposal = propose(RawFile("draft", path.name, path, "0" * 64, "list", RETRIEVED))
    assert proposal.unused == ["Colour of the door"]
    confidences = [guess.confidence for guess in proposal.guesses]
    assert all(0.5 <= confidence <= 1 for confidence in confidences)


def test_a_contact_is_no_place(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    people = [("Acorn Church", "Pat Sample", 1), ("Birch Schools", "Kim Invented", 2)]
    people += [("Birch Schools", "Kim Invented", 2), ("Cedar Mission", "Lee Madeup", 3)]
    rows = [
        f"{n},{agency},{name},330-555-010{phone},{n} Elm Street,Akron,OH,44301"
        for n, (agency, name, phone) in enumerate(people, 1)
    ]
    head = "ID,Agency,AgencyContactName,AgencyContactPhone,Address,City,State,Zip"
    path.write_text("\n".join([head, *rows]))
    proposal = propose(RawFile("draft", path.name, path, "0" * 64, "list", RETRIEVED))
    assert proposal.mapping.columns["name"] == "Agency"
    assert "phone" not in proposal.mapping.columns
    assert {"AgencyContactName", "AgencyContactPhone"} <= set(proposal.unused)
