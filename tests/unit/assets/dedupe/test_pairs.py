"""Pairs of records and what they are: one place, two places, or a case for a reviewer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.assets.dedupe.places import verdict

Record = dict[str, Any]
HOME = {"city": "Alderton", "zip": "97001"}
PHONE = {"phone_e164": "+15035550142"}
OTHER_PHONE = {"phone_e164": "+15035550199"}


def at(name: str, address: str | None = "100 Main St", **fields: Any) -> Record:
    return {"name": name, "address": address, **HOME, **fields}


SAME: list[tuple[str, Record, Record]] = [
    ("case, abbreviations, punctuation", at("ST. ALDA'S FOOD PANTRY", "100 NORTH MAIN STREET"), at("Saint Aldas Food Pantry", "100 N. Main St")),
    ("legal form and filler words", at("Juno Grocery Store, LLC"), at("Juno Grocery")),
    ("town in the name", at("Kuno's Market Alderton"), at("KUNOS MARKET")),
    ("street in the name", at("Fifth Ave Shop N Save", "815 5th Ave"), at("Shop N Save Alderton", "815 5TH AVENUE")),
    ("school word left out", at("Gill Harbor High"), at("Gill Harbor High School")),
    ("school in brackets with its town", at("Custer Elementary"), at("Custer Elementary School (Alderton)")),
    ("clipped words", at("Columbine Garden Elem Schl"), at("Columbine Garden Elementary School")),
    ("one word or two", at("DOLLARTREE 8087"), at("Dollar Tree #8087")),
    ("zeros before a store number", at("Giant Bear #0093"), at("Giant Bear 93")),
    ("store number settles a neighbourhood", at("Giant Bear Squirrel Hill #38"), at("GIANT BEAR 38")),
    ("store number with the letter of its owner", at("7-Twelve 36145H"), at("7-Twelve Store 2701 36145B")),
    ("a slip of the pen", at("Fishes Cooprative Ministries"), at("Fishes Cooperative Ministries")),
    ("ordinals in words", at("First Baptist Church Pantry"), at("1st Baptist Church Pantry")),
    ("accents", at("Comedor María Peña"), at("Comedor Maria Pena")),
    ("direction left out", at("Gil School", "5101 Rosedale St NW"), at("Gil School", "5101 Rosedale St")),
    ("direction before the number", at("Belfry School", "NE 22900 Hwy 3"), at("Belfry School", "22900 NE State Route 3")),
    ("suffix left out", at("Barn School", "401 Barnes"), at("Barn School", "401 Barnes St")),
    ("street with a slip", at("Home Farmers Market", "7139 Fransktown Ave"), at("Home Farmers Market", "7139 Frankstown Ave")),
    ("road by its number", at("Bay Pantry", "16933 Highway 112"), at("Bay Pantry", "16933 State Hwy 112")),
    ("house number with a hyphen", at("Astor Pantry", "37-14 73rd St"), at("Astor Pantry", "3714 73rd Street")),
    ("a range of house numbers", at("Giant Bear #91", "318-320 Cedar Ave"), at("Giant Bear 91", "318 Cedar Ave")),
    ("town behind the address", at("Muse Garden", "3 Muse Lane,  Alderton, OR 97001"), at("Muse Garden", "3 Muse Ln")),
    ("cross street behind the address", at("Convent Church", "425 West 144th Street @ Convent Avenue"), at("Convent Church", "425 W 144th St")),
    ("two towns, one ZIP", at("Evergreen Pantry", city="Alderton"), at("Evergreen Pantry", city="Alder City")),
    ("two ZIPs, one town", at("Evergreen Pantry", zip="97001"), at("Evergreen Pantry", zip="97002")),
    ("unit told by one only", at("Alda Pantry", "100 Main St, Suite 4"), at("Alda Pantry")),
    ("suite on its floor", at("City Service Desk", "464 12th Ave, Suite 100"), at("City Service Desk", "464 12th Ave, 1st floor")),
    ("longer name, same phone", at("St. Alda Parish", **PHONE), at("St. Alda of the Lake Parish", **PHONE)),
    ("longer name, same service named", at("Carl Farmers Market"), at("Carl Cityparks Farmers Market")),
    ("no address, same phone, same town", at("Alda Pantry", None, **PHONE), at("Alda Pantry", **PHONE)),
    ("PO box, the only one of its name in town", at("Asten Junior High", "PO Box 489"), at("Asten Junior High School", "215 2nd St")),
    ("corner, near point", at("Garfield Farm Stand", "Wick St and Colum St", lat=45.1, lng=-122.1, location_precision="street"),
     at("Garfield Farm Stand", "509 Wick Street", lat=45.1004, lng=-122.1, location_precision="street")),
    ("Road for Way, same phone", at("Children's Village", "3801 Kern Road", **PHONE), at("Children's Village", "3801 Kern Way", **PHONE)),
    ("food bank and food pantry of one name", at("Alda Food Pantry", resource_type="food_pantry"), at("Alda Food Pantry", resource_type="food_bank")),
    ("pantry and kitchen, names agree", at("House of Alda", resource_type="food_pantry"), at("House of Alda", resource_type="soup_kitchen")),
    ("a type's own word", at("Alder County WIC", resource_type="wic_office"), at("Alder County", resource_type="wic_office")),
    ("churches by their letters", at("Alda UMC Food Pantry"), at("Alda United Methodist Church Food Pantry")),
    ("a common church by its letters", at("FBC of Alderton"), at("First Baptist Church of Alderton")),
    ("Adventists", at("Alda SDA Church"), at("Alda Seventh-day Adventist Church")),
    ("COGIC", at("Alda COGIC"), at("Alda Church of God in Christ")),
    ("UCC", at("First Congregational UCC"), at("First Congregational United Church of Christ")),
    ("SVdP", at("SVDP Food Pantry"), at("St Vincent DePaul Food Pantry")),
    ("YMCA", at("YMCA of Alderton"), at("Young Men's Christian Association of Alderton")),
    ("WIC in words", at("Alder County WIC Office"), at("Alder County Women, Infants and Children (WIC)")),
    ("County in short", at("United Way of Birch Co.", "100 Main St Ste 4"), at("United Way of Birch County", "100 Main St #4")),
    ("initials behind a name", at("Emergency Alda Ministry (EAM)"), at("Emergency Alda Ministry")),
    ("parish and church, same phone", at("St. Mary Catholic Church", **PHONE), at("St. Mary's Parish", **PHONE)),
    ("cupboard and pantry", at("Alda Cupboard"), at("Alda Food Pantry")),
    ("pantry left out, same phone", at("First Baptist Church", **PHONE), at("First Baptist Church Food Pantry", **PHONE)),
    ("Spanish and English", at("Iglesia Bautista Emanuel"), at("Emanuel Baptist Church")),
    ("Spanish and English, a common name, same phone", at("Primera Iglesia Bautista", **PHONE), at("First Baptist Church", **PHONE)),
    ("Spanish service", at("Despensa de Alimentos Alda"), at("Alda Food Pantry")),
    ("county road in short", at("Alda Pantry", "29316 Co Rd 20"), at("Alda Pantry", "29316 County Road 20")),
    ("state route by its state", at("Alda Pantry", "3811 OR-11"), at("Alda Pantry", "3811 State Route 11")),
    ("a road that does not say whose", at("Alda Pantry", "500 Hwy 29"), at("Alda Pantry", "500 State Road 29")),
    ("street number in words", at("Alda Pantry", "12 Fifty-First St"), at("Alda Pantry", "12 51st St")),
    ("suite and its letter", at("Alda Pantry", "100 Main St Ste 3B"), at("Alda Pantry", "100 Main St #3-B")),
    ("a common name without address, same phone", at("First Baptist Church", None, **PHONE), at("First Baptist Church", **PHONE)),
    ("phones differ, all else agrees", at("Alda Pantry", **PHONE), at("Alda Pantry", **OTHER_PHONE)),
]  # fmt: skip

DIFFERENT: list[tuple[str, Record, Record]] = [
    ("two offices on two floors", at("County Eye Clinic", "325 9th Ave, 4th floor"), at("County Adult Clinic", "325 9th Avenue, 3rd floor")),
    ("two suites", at("City Water Division", "700 5th Ave, Suite 4250"), at("City Light Division", "700 5th Ave #3200")),
    ("tenants of one house", at("Cooling Center"), at("College Success Foundation")),
    ("school and its summer site by type", at("Lincoln Elementary School", resource_type="school_meal"), at("Lincoln Elementary School", resource_type="summer_meal")),
    ("school and its summer site by name", at("Lincoln Elementary School"), at("Lincoln Elementary School Summer Meals")),
    ("WIC office in a clinic by type", at("Eastside Health", resource_type="health_center"), at("Eastside Health", resource_type="wic_office")),
    ("WIC office in a clinic by name", at("Eastside Health Center", **PHONE), at("Eastside Health Center WIC", **PHONE)),
    ("Head Start in a school", at("Lincoln Elementary", resource_type="school_meal"), at("Lincoln Head Start", resource_type="head_start")),
    ("store numbers differ", at("Family Coin 8406", **PHONE), at("Family Coin 8407", **PHONE)),
    ("house numbers of Queens", at("Alda Pantry", "60-88 Myrtle Ave"), at("Alda Pantry", "60-12 Myrtle Ave")),
    ("two chains next door", at("DOLLARTREE 8087", "1122 Mill Rd"), at("Family Coin 8406", "1122 Mill Rd")),
    ("a chain at another address", at("Family Coin", "100 Main St"), at("Family Coin", "2200 Oak Ave")),
    ("a store and its fuel station", at("Kroner"), at("Kroner Fuel Center")),
    ("two schools of one campus", at("Lopez Elementary School", **PHONE), at("Lopez Middle High School", **PHONE)),
    ("north and south", at("North Alda Pantry"), at("South Alda Pantry")),
    ("first and second church", at("First Baptist Church"), at("Second Baptist Church")),
    ("two saints", at("St. Mary Food Pantry"), at("St. John Food Pantry")),
    ("state line", at("Alda Pantry", state="OR", **PHONE), at("Alda Pantry", state="WA", **PHONE)),
    ("one name in two towns", at("Franklin Elementary", "PO Box 2", city="Alderton", zip="97001"), at("Franklin Elementary", "9 Oak St", city="Birchton", zip="97401")),
    ("mobile pantry, two stops", at("Alda Mobile Pantry", "100 Main St", **PHONE), at("Alda Mobile Pantry", "2200 Oak Ave", **PHONE)),
    ("mobile pantry by type, a stop untold", at("Alda Truck", None, resource_type="mobile_pantry", **PHONE), at("Alda Truck", resource_type="mobile_pantry", **PHONE)),
    ("hot line of everybody", at("Alda Pantry", "100 Main St", phone_e164="+18005550142"), at("Birch Pantry", "2200 Oak Ave", phone_e164="+18005550142")),
    ("no address, no phone, only a type for a name", at("Food Pantry", None), at("Food Pantry", None)),
    ("nothing but a town", {"name": None, **HOME}, {"name": None, **HOME}),
    ("a health center and mental health care", at("Alda Care", resource_type="health_center"), at("Alda Care", resource_type="mental_health_facility")),
    ("one list names both", at("Alda Pantry", None, source_id="one_list", source_key="1", **PHONE), at("Alda Pantry", source_id="one_list", source_key="2", **PHONE)),
    ("one list with two types of one name", at("House of Alda", source_id="a", source_key="1", resource_type="food_pantry"),
     at("House of Alda", source_id="a", source_key="2", resource_type="soup_kitchen")),
    ("a word that begins another", at("Fairway Public Health"), at("Healthpoint Fairway")),
    ("Early Head Start", at("Alda Head Start", **PHONE), at("Alda Early Head Start", **PHONE)),
    ("food and pets", at("Alda Food Pantry", **PHONE), at("Alda Pet Pantry", **PHONE)),
    ("United Church of Christ and Church of Christ", at("Northside UCC"), at("Northside Church of Christ")),
    ("two confessions of one name", at("Bethel AME Church"), at("Bethel United Methodist Church")),
    ("AME and AME Zion, letters alike", at("Bethel AME"), at("Bethel CME")),
    ("two Spanish confessions", at("Iglesia Bautista Alda"), at("Iglesia Metodista Alda")),
    ("#3-A and #3-B", at("County Eye Clinic", "100 Main St #3-A"), at("County Adult Clinic", "100 Main St #3-B")),
    ("a restaurant and a shop", at("Alda Deli", resource_type="rmp_restaurant"), at("Alda Deli", resource_type="snap_retailer")),
]  # fmt: skip

DOUBTFUL: list[tuple[str, Record, Record]] = [
    ("a second vehicle", at("Alda Migrant Health Mobile Unit"), at("Alda Migrant Health Mobile Unit #2")),
    ("a numbered school of one name", at("Magna Science Academy", **PHONE), at("Magna Science Academy 5", **PHONE)),
    ("a pantry and its truck", at("House of Alda", resource_type="food_pantry"), at("House of Alda", resource_type="mobile_pantry")),
    ("pantry and kitchen of one church", at("St. Alda Food Pantry"), at("St. Alda Soup Kitchen")),
    ("a church and its pantry", at("St. Alda Church"), at("St. Alda Church Food Pantry")),
    ("moved, or a second site", at("Alda Pantry", "100 Main St", **PHONE), at("Alda Pantry", "2200 Oak Ave", **PHONE)),
    ("one name on two floors", at("Alda Family Office", "100 Main St Fl 2"), at("Alda Family Office", "100 Main St Fl 3")),
    ("a numbered body and its program", at("District 19 Services Board"), at("District 19 Services Board Adolescent Unit")),
    ("a shop without address beside one of its name", at("Subline Sandwiches", None), at("Subline Sandwiches")),
    ("two common names, one longer, same phone", at("Mission of Hope", **PHONE), at("Mission of Hope Thrift", **PHONE)),
    ("a longer name, same phone, address missing", at("Bread of Alda", None, **PHONE), at("Bread of Alda Food Pantry", **PHONE)),
    ("a ministry and its camp", at("Alda Ministries", **PHONE), at("Alda Ministries Day Camp", **PHONE)),
    ("pantries of a church and of its school", at("Living Word Food Pantry", **PHONE), at("Living Word Academy Food Pantry", **PHONE)),
    ("a library and the pantry in it", at("Alda Public Library", **PHONE), at("Alda Public Library Food Pantry", **PHONE)),
    ("a pantry left out, no other proof", at("First Baptist Church"), at("First Baptist Church Food Pantry")),
    ("a congregation in the house of another", at("Iglesia de Dios", **PHONE), at("Church of God", **OTHER_PHONE)),
    ("a Spanish ministry", at("Grace Methodist Church", **PHONE), at("Grace Methodist Church Hispanic Ministry", **PHONE)),
    ("county and state road of one number", at("Alda Pantry", "1200 County Road 12"), at("Alda Pantry", "1200 State Route 12")),
    ("two rural boxes", at("Alda Pantry", "RR 1 Box 22"), at("Alda Pantry", "RR 2 Box 90")),
    ("longer name, no other proof", at("Haymarket Village"), at("Haymarket Village Thrifty Corner")),
    ("same phone and address, other name", at("Alda House", **PHONE), at("Birch Outreach", **PHONE)),
    ("house number one figure off", at("Centennial Elementary", "24323 Mathis Rd"), at("Centennial Elementary School", "24353 Mathis Rd")),
    ("Avenue for Boulevard without proof", at("Suquam School", "18950 Park Ave"), at("Suquam School", "18950 Park Blvd")),
    ("level told by one only", at("Port Gardenia"), at("Port Gardenia Elementary")),
    ("pantry and kitchen by type, names not quite alike", at("Alda Hause", resource_type="food_pantry"), at("Alda House", resource_type="soup_kitchen")),
]  # fmt: skip


def cases(table: list[tuple[str, Record, Record]]) -> Any:
    return pytest.mark.parametrize(
        ("one", "other"), [pytest.param(a, b, id=n) for n, a, b in table]
    )


@cases(SAME)
def test_one_place(one: Record, other: Record) -> None:
    assert {verdict(one, other), verdict(other, one)} == {"same"}


@cases(DIFFERENT)
def test_two_places(one: Record, other: Record) -> None:
    assert {verdict(one, other), verdict(other, one)} == {"different"}


@cases(DOUBTFUL)
def test_a_case_for_a_reviewer(one: Record, other: Record) -> None:
    assert {verdict(one, other), verdict(other, one)} == {"doubtful"}
