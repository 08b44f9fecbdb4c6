"""Writes the demo's stores, clinics, WIC offices, schools and declarations in agencies' formats."""

from datetime import timedelta
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from assets.demo.files import Writing, write_csv, write_pages, write_table
from assets.demo.sample import WORDS, Sampler
from schemas.vocab.states import STATES


def write_health_centers(writing: Writing, count: int) -> list[Path]:
    """Write HRSA's 55 named columns and the nameless last one."""
    name = "Health_Center_Service_Delivery_and_LookAlike_Sites.csv"
    return write_table(writing, "hrsa_health_centers", name, count, _health_centers)


def _health_centers(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    # One faulty row among a handful would be more than the source may have.
    is_some = count >= 20
    shelter = sampler.where(0.003 * is_some, count)
    name = sampler.names(WORDS.health_kinds, count)
    number = np.array([f"H80CS{n:05d}" for n in range(start, start + count)], dtype=object)
    created = (writing.as_of - timedelta(days=5)).strftime("%m/%d/%Y")
    columns = {
        "Health Center Type": "Federally Qualified Health Center (FQHC)",
        "Health Center Number": number,
        "BPHC Assigned Number": np.array(
            [f"BPS-H80-{n:06d}" for n in range(start, start + count)], dtype=object
        ),
        "Site Name": name,
        "Site Address": np.where(shelter, "", places["address"]),
        "Site City": np.where(shelter, "", places["city"]),
        "Site State Abbreviation": np.where(shelter, "XX", places["state"]),
        "Site Postal Code": np.where(
            shelter, "", places["zip"] + "-" + sampler.digits(count, 1000, 9999)
        ),
        "Site Telephone Number": sampler.phones(count)
        + np.where(sampler.where(0.03, count), " x1234", ""),
        "Site Web Address": "http://clinic" + sampler.digits(count, 1, 999) + ".example.org",
        "Operating Hours per Week": sampler.pick(("40.00", "42.50", "8.00", "0.00"), count),
        "Site Status Description": np.where(sampler.where(0.02, count), "Inactive", "Active"),
        "Health Center Location Type Description": np.where(
            sampler.where(0.02, count), "Mobile Van", "Permanent"
        ),
        "Health Center Type Description": np.where(
            sampler.where(0.05 * is_some, count), "Administrative", "Service Delivery Site"
        ),
        "Health Center Service Delivery Site Location Setting Description": np.where(
            shelter, "Domestic Violence", "All Other Clinic Types"
        ),
        "Health Center Name": name.str.upper(),
        "Geocoding Artifact Address Primary X Coordinate": places["lng"].mask(shelter),
        "Geocoding Artifact Address Primary Y Coordinate": places["lat"].mask(shelter),
        "Complete County Name": places["county_name"],
        "Data Warehouse Record Create Date": created,
    }
    return _fill_columns(columns, WORDS.headers["hrsa"], places.index)


def _fill_columns(
    columns: dict[str, Any], header: tuple[str, ...], index: pd.Index
) -> pd.DataFrame:
    """Return the columns of a header, empty without values."""
    empty = pd.Series("", index=index)
    return pd.DataFrame({name: columns.get(name, empty) for name in header})


def write_wic_offices(writing: Writing, count: int) -> list[Path]:
    """Write Washington's layout: two colliding pairs of point columns, the second swapped."""
    name = f"WA_wic_clinics.{writing.month}.csv"
    return write_table(writing, "wic_clinics", name, count, _wic_offices)


def _wic_offices(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    agency = sampler.pick(WORDS.first, count) + " County Health Dept"
    return pd.DataFrame(
        {
            "Agency": agency,
            "Clinic": agency
            + " WIC "
            + places["city"]
            + [f" {n}" for n in range(start, start + count)],
            "Address": places["address"],
            "City": places["city"],
            "ZipCode": places["zip"].str.lstrip("0"),
            "State": places["state"],
            "Longitude": places["lng"],
            "Latitude": places["lat"],
            "GeoDate": "[object Object]",
            "longitude": places["lat"],
            "latitude": places["lng"],
        }
    )


def write_schools(writing: Writing, count: int) -> list[Path]:
    """Write most schools as CSV, Florida's as the web page that the publisher names .xls."""
    pages = min(max(count // 20, 5), 3_000)
    folder = writing.folder / "nces_public_schools"
    plain = folder / f"geocoded_demo_schools.{writing.month}.csv"
    others = tuple(code for code in STATES if code != "FL")
    write_csv(
        plain,
        writing.chunks(count - pages),
        lambda start, rows: _schools(writing.sampler, start, rows, others),
    )
    page = folder / f"florida_schools.{writing.month}.html"
    _write_school_page(page, _schools(writing.sampler, 0, pages, ("FL",)))
    return [plain, page]


def _schools(sampler: Sampler, start: int, count: int, states: tuple[str, ...]) -> pd.DataFrame:
    places = sampler.places(count, states)
    fips = places["state"].map({code: state.fips for code, state in STATES.items()})
    serial = pd.Series([f"{n:010d}" for n in range(start, start + count)])
    sparse = sampler.where(0.05, count)
    columns = {
        "NCES School ID": fips + serial,
        "State School ID": places["state"] + "-" + serial.str[-5:],
        "Low Grade*": sampler.pick(("PK", "KG", "06", "09"), count),
        "High Grade*": sampler.pick(("05", "08", "12"), count),
        "School Name": sampler.names(WORDS.school_kinds, count).str.upper(),
        "District": places["county_name"].str.upper(),
        "County Name*": places["county_name"],
        "Street Address": places["address"]
        .str.upper()
        .where(~sampler.where(0.05, count), "P.O. BOX 12"),
        "City": places["city"].str.upper(),
        "State": places["state"],
        "ZIP": places["zip"],
        "Phone": "(" + pd.Series(sampler.phones(count)).str.replace("-", ")", n=1),
        "Charter": "No",
        "Students*": np.where(sparse, "†", sampler.digits(count, 60, 2500) + ".00000"),
        "Free Lunch*": np.where(sparse, "–", sampler.digits(count, 10, 900) + ".00000"),
        "Type": "Regular",
        "Status": sampler.pick(("Open",) * 40 + ("Future", "Closed", "New"), count),
    }
    rows = _fill_columns(columns, WORDS.headers["nces"], places.index)
    return rows.assign(Latitude=places["lat"], Longitude=places["lng"])


def _write_school_page(path: Path, schools: pd.DataFrame) -> None:
    rows = schools.drop(columns=["Latitude", "Longitude"])
    heading = "".join(f'\n  <TD class="headrow">{escape(name)}</TD>' for name in rows.columns)
    body = "\n".join(
        "<TR>"
        + "".join(f'\n  <TD class="txtcol">{_as_html(value)}</TD>' for value in row)
        + "\n</TR>"
        for row in rows.itertuples(index=False)
    )
    preamble = "".join(
        f"<tr>\n  <td colspan=6>{text}</td>\n</tr>\n"
        for text in (
            "<b>National Center for Education Statistics</b>",
            "<b>CCD public school data, synthetic demonstration</b>",
            "&nbsp;",
            f"The file contains ({len(rows)}) records based on your search.",
            "&nbsp;",
        )
    )
    page = (
        "<html><head><title>demo</title></head><body>\n<table "
        f"border=1>\n{preamble}<TR>{heading}\n</TR>\n{body}\n</TABLE></BODY></HTML>"
    )
    path.write_text(page, encoding="ascii")


def _as_html(value: object) -> str:
    return escape(str(value)).replace("†", "&dagger;").replace("–", "&ndash;")


def write_declarations(writing: Writing, disasters: int) -> list[Path]:
    """Write OpenFEMA's two CSV files: disasters, and the counties of each."""
    sampler, folder = writing.sampler, writing.folder / "fema_web_declarations"
    whole = _disasters(writing, disasters)
    web = folder / f"FemaWebDisasterDeclarations.{writing.month}.csv"
    write_csv(
        web, iter([(0, disasters)]), lambda start, rows: whole.drop(columns=["kind", "fips_state"])
    )
    areas = _areas(sampler, whole)
    summaries = (
        writing.folder
        / "fema_declarations_summaries"
        / f"DisasterDeclarationsSummaries.{writing.month}.csv"
    )
    write_csv(summaries, iter([(0, len(areas))]), lambda start, rows: areas)
    return [web, summaries]


def _disasters(writing: Writing, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    state = pd.Series(sampler.pick(tuple(STATES), count))
    state.iloc[: len(STATES)] = list(STATES)[:count]
    starts = pd.to_datetime(writing.as_of) - pd.to_timedelta(
        sampler.rng.integers(5, 2500, count), unit="D"
    )
    declaration_days = starts + pd.to_timedelta(sampler.rng.integers(1, 4, count), unit="D")
    ends = starts + pd.to_timedelta(sampler.rng.integers(1, 30, count), unit="D")
    kind = sampler.rng.integers(0, 3, count)
    incident = sampler.rng.integers(0, len(WORDS.incidents), count)
    first = sampler.pick(WORDS.first, count)
    titles = [
        WORDS.incidents[i][1].format(name.upper()) for i, name in zip(incident, first, strict=True)
    ]
    stamp = "%Y-%m-%dT00:00:00.000Z"
    flags = {
        name: sampler.rng.integers(0, 2, count).astype(str) for name in ("ih", "ia", "pa", "hm")
    }
    return pd.DataFrame(
        {
            "disasterNumber": np.arange(count) + 9_000,
            "declarationDate": declaration_days.strftime(stamp),
            "disasterName": pd.Series(titles) + np.where(sampler.where(0.05, count), " ", ""),
            "incidentBeginDate": starts.strftime(stamp),
            "incidentEndDate": np.where(sampler.where(0.1, count), "", ends.strftime(stamp)),
            "declarationType": np.array(
                ["Major Disaster", "Emergency", "Fire Management"], dtype=object
            )[kind],
            "stateCode": state,
            "stateName": state.map({code: s.name.ljust(30) for code, s in STATES.items()}),
            "incidentType": [WORDS.incidents[i][0] for i in incident],
            "entryDate": declaration_days.strftime(stamp),
            "updateDate": declaration_days.strftime(stamp),
            "closeoutDate": "",
            "region": sampler.rng.integers(1, 11, count),
            **{f"{name}ProgramDeclared": values for name, values in flags.items()},
            "designatedIncidentTypes": "",
            "declarationRequestDate": declaration_days.strftime(stamp),
            "id": sampler.digits(count, 10**9, 10**10),
            "hash": sampler.digits(count, 10**9, 10**10),
            "lastRefresh": f"{writing.as_of:%Y-%m-%d}T08:00:00.000Z",
            "kind": np.array(["DR", "EM", "FM"], dtype=object)[kind],
            "fips_state": state.map({code: s.fips for code, s in STATES.items()}),
        }
    )


def _areas(sampler: Sampler, whole: pd.DataFrame) -> pd.DataFrame:
    """Return two counties per disaster; of each emergency the whole state and a tribal area."""
    rows = whole.loc[whole.index.repeat(2)].reset_index(drop=True)
    county = pd.Series(["001", "003"] * len(whole))
    flags = {
        f"{n}ProgramDeclared": rows[f"{n}ProgramDeclared"].map({"1": "True", "0": "False"})
        for n in ("ih", "ia", "pa", "hm")
    }
    is_emergency = rows["kind"] == "EM"
    is_whole_state, is_tribal = is_emergency & (county == "001"), is_emergency & (county == "003")
    names = pd.Series(sampler.pick(WORDS.first, len(rows)), dtype="object")
    return pd.DataFrame(
        {
            "femaDeclarationString": rows["kind"]
            + "-"
            + rows["disasterNumber"].astype(str)
            + "-"
            + rows["stateCode"],
            "disasterNumber": rows["disasterNumber"],
            "state": rows["stateCode"],
            "declarationType": rows["kind"],
            "declarationDate": rows["declarationDate"],
            "fyDeclared": rows["declarationDate"].str[:4],
            "incidentType": rows["incidentType"],
            "declarationTitle": rows["disasterName"].str.strip(),
            **flags,
            "incidentBeginDate": rows["incidentBeginDate"],
            "incidentEndDate": rows["incidentEndDate"],
            "disasterCloseoutDate": "",
            "tribalRequest": "False",
            "fipsStateCode": rows["fips_state"],
            "fipsCountyCode": county.mask(is_emergency, "000"),
            "placeCode": ("99" + county).mask(is_whole_state, "00000").mask(is_tribal, "49700"),
            "designatedArea": (names + " (County)")
            .mask(is_whole_state, "Statewide")
            .mask(is_tribal, names + " Indian Reservation"),
            "declarationRequestNumber": sampler.digits(len(rows), 20000, 25000),
            "lastIAFilingDate": "",
            "lastRefresh": rows["lastRefresh"],
            "hash": sampler.digits(len(rows), 10**9, 10**10),
            "id": sampler.digits(len(rows), 10**9, 10**10),
        }
    )


_RESTAURANT_SHARE = 0.03
# Pages are for showing the form; a national register in one JSON file would only cost time.
_MAX_PAGED = 10_000


def write_stores(writing: Writing, count: int) -> list[Path]:
    """Write about nine tenths as CSV, the rest (10,000 at most) as ArcGIS pages."""
    paged = min(count // 10, _MAX_PAGED)
    folder = writing.folder / "snap_retailers"
    plain = folder / f"snap_retailer_location_data.{writing.month}.csv"
    write_csv(
        plain,
        writing.chunks(count - paged),
        lambda start, rows: _stores(writing.sampler, start, rows),
    )
    pages = folder / f"snap_retailer_location_data.pages.{writing.month}.json"
    write_pages(pages, _stores(writing.sampler, count, paged))
    return [plain, pages]


def _stores(sampler: Sampler, start: int, count: int) -> pd.DataFrame:
    places = sampler.places(count)
    kind = sampler.pick(WORDS.store_kinds, count)
    name = pd.Series(sampler.pick(WORDS.first, count) + " " + kind)
    number = pd.Series(sampler.digits(count, 1, 9999))
    name = name.where(~sampler.where(0.3, count), name + " " + number)
    name = name.where(~sampler.where(0.25, count), name.str.upper())
    name = name.where(~sampler.where(0.01, count), name + " N/A")
    street, rest = places["address"], pd.Series("", index=places.index)
    split = sampler.where(0.01, count)
    parts = street.str.rsplit(" ", n=1, expand=True)
    lat, lng = _faults(sampler, places)
    store_type = pd.Series(sampler.pick(WORDS.store_types, count))
    store_type = store_type.mask(
        sampler.where(_RESTAURANT_SHARE, count, at_least=1), "Restaurant Meals Program"
    )
    rows = pd.DataFrame(
        {
            "Record_ID": np.arange(start, start + count) + 9_000_000,
            "Store_Name": name,
            "Store_Street_Address": street.where(~split, parts[0]),
            # The publisher's spelling.
            "Additonal_Address": rest.where(~split, parts[1]),
            "City": places["city"],
            "State": places["state"],
            "Zip_Code": places["zip"],
            "Zip4": np.where(sampler.where(0.1, count), "    ", sampler.digits(count, 1000, 9999)),
            "County": places["county_name"].str.upper(),
            "Store_Type": store_type,
            "Latitude": lat,
            "Longitude": lng,
            "Incentive_Program": "",
            "Grantee_Name": "",
            "ObjectId": np.arange(start, start + count) + 22,
        }
    )
    return _with_repeats(sampler, rows)


def _faults(sampler: Sampler, places: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return points with the register's faults: 0,0, swapped, minus sign lost, off continent."""
    count = len(places)
    lat, lng = places["lat"].copy(), places["lng"].copy()
    zero = sampler.where(0.002, count)
    lat, lng = lat.mask(zero, 0.0), lng.mask(zero, 0.0)
    swapped = sampler.where(0.001, count)
    lat, lng = lat.where(~swapped, places["lng"]), lng.where(~swapped, places["lat"])
    lng = lng.mask(sampler.where(0.0005, count), lng.abs())
    abroad = sampler.where(0.0005, count)
    return lat.mask(abroad, 10.4766), lng.mask(abroad, -66.8455)


def _with_repeats(sampler: Sampler, rows: pd.DataFrame) -> pd.DataFrame:
    """Repeat one row in a hundred under another id, as stores do that changed hands."""
    again = rows[sampler.where(0.01, len(rows))].copy()
    again["Record_ID"] += 500_000_000
    first = rows.iloc[: len(rows) - len(again)]
    return pd.concat(
        [first, again.assign(Store_Name=again["Store_Name"].str.upper())], ignore_index=True
    )
