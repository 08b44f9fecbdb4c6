"""Whole lists that cannot be true are refused."""

import msgspec
import pandas as pd
import pytest

from assets.sources.assemble import NotPlausibleError, assemble
from assets.sources.plausibility import FEWEST_ROWS, implausible
from schemas.sources.mapping import Mapping
from schemas.sources.registry import FileLayout
from tests.support.cases import labelled
from tests.support.source_files import file_of, make_source


def places(count: int = FEWEST_ROWS + 10, **columns: object) -> pd.DataFrame:
    """Return rows of Utica, NY, with some columns of other values."""
    facts = {
        "name": [f"Pantry {n}" for n in range(count)],
        "address": [f"{n} Elm Street" for n in range(count)],
        "city": "Utica",
        "state": "NY",
        "zip": "13501",
        "lat": 43.09,
        "lng": -75.23,
        "phone": "(315) 735-1234",
        "phone_e164": "+13157351234",
        "is_synthetic": False,
        **columns,
    }
    return pd.DataFrame(facts, index=range(count))


@labelled("columns, fault")
def test_plausibility(columns: dict[str, object], fault: str | None) -> None:
    faults = implausible(places(**columns))  # type: ignore[arg-type]
    assert bool(faults) == (fault is not None)
    assert fault is None or any(fault in text for text in faults)


def _source_and_file(tmp_path, text: str):  # type: ignore[no-untyped-def]
    columns = {"name": "Name", "address": "Street", "city": "City", "state": "State", "zip": "Zip"}
    source = make_source(
        files=[FileLayout("*.csv", "list")],
        layouts={"list": Mapping(key="ID", columns=dict(columns))},
        default_type="food_pantry",
    )
    return source, file_of(tmp_path / "list.csv", f"ID,Name,Street,City,State,Zip\n{text}")


def test_an_invented_list_stops_its_source(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rows = "".join(f"{n},Place {n},{n} Elm St,Gotham,NY,13501\n" for n in range(40))
    source, file = _source_and_file(tmp_path, rows)
    with pytest.raises(NotPlausibleError, match="cities of their ZIP code: 0% of 40"):
        assemble(source, [file])


def test_two_places_under_one_key_are_a_fault(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rows = "1,Elm Pantry,1 Elm St,Utica,NY,13501\n1,Oak Pantry,2 Oak St,Utica,NY,13501\n"
    rows += "".join(f"{n},Place {n},{n} Ash St,Utica,NY,13501\n" for n in range(2, 30))
    source, file = _source_and_file(tmp_path, rows)
    rejects = assemble(source, [file]).rejects
    assert rejects["reject_reason"].tolist() == ["conflicting_key"]


def test_an_extract_under_a_national_name_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rows = "".join(f"{n},Place {n},{n} Ash St,Utica,NY,13501\n" for n in range(40))
    source, file = _source_and_file(tmp_path, rows)
    national = msgspec.structs.replace(source, files=[FileLayout("*.csv", "list", covers=["US"])])
    assert len(assemble(source, [file]).accepted) == 40
    with pytest.raises(NotPlausibleError, match=r"list\.csv has rows of NY only"):
        assemble(national, [file])
