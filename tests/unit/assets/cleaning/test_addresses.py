import pytest

from assets.cleaning.addresses import clean_addresses
from tests.unit.assets.cleaning.places import example_source, places, values


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("122 LAFAYETTE ST", "122 Lafayette St"),
        ("122 lafayette st", "122 Lafayette St"),
        ("122 Lafayette St", "122 Lafayette St"),
        ("100 N 5TH AVE NW", "100 N 5th Ave NW"),
        ("12-34 123RD ST", "12-34 123rd St"),
        ("W156N5432 PILGRIM RD", "W156N5432 Pilgrim Rd"),
        ("12 1/2 ELM ST", "12 1/2 Elm St"),
        ("12B OAK ST STE 4C", "12B Oak St Ste 4C"),
        ("12 OAK ST UNIT B", "12 Oak St Unit B"),
        ("12 OAK ST 2ND FL", "12 Oak St 2nd Fl"),
        ("12 OAK ST # 7", "12 Oak St # 7"),
        ("P.O. BOX 12", "PO Box 12"),
        ("P O Box 12", "PO Box 12"),
        ("PO BOX 12", "PO Box 12"),
        ("Post Office Box 12", "PO Box 12"),
        ("POB 12", "PO Box 12"),
        ("PO Drawer K", "PO Drawer K"),
        ("12 OAK ST, P.O. BOX 7", "12 Oak St, PO Box 7"),
        ("RR 2 BOX 15", "RR 2 Box 15"),
        ("RURAL ROUTE 2 BOX 15", "Rural Route 2 Box 15"),
        ("HC 1 BOX 4", "HC 1 Box 4"),
        ("US HWY 1", "US Hwy 1"),
        ("4500 STATE HWY 9A", "4500 State Hwy 9A"),
        ("1200 FM 1960 W", "1200 FM 1960 W"),
        ("15199 NC 96", "15199 NC 96"),
        ("12 OAK ST FL 2", "12 Oak St Fl 2"),
        ("2987 VT-22A", "2987 VT-22A"),
        ("IL-146, REAR", "IL-146, Rear"),
        ("I-35 & EXIT 12", "I-35 & Exit 12"),
        ("GENERAL DELIVERY", "General Delivery"),
        ("CORNER OF 5TH AND MAIN", "Corner of 5th and Main"),
        ("Corner of 5th and Main", "Corner of 5th and Main"),
        ("MAIN ST & MLK BLVD", "Main St & MLK Blvd"),
        ("URB LAS LOMAS CALLE 3 #12", "Urb Las Lomas Calle 3 #12"),
        ("CARR 2 KM 4.5", "Carr 2 Km 4.5"),
        ("CALLE DE LA CRUZ 12", "Calle de la Cruz 12"),
        ("100 N DE SOTO ST", "100 N De Soto St"),
        ("PSC 3 BOX 12", "PSC 3 Box 12"),
        ("CMR 405 BOX 9", "CMR 405 Box 9"),
        ("12 O'BRIEN LN", "12 O'Brien Ln"),
        ("12 Oak St , Rear,,", "12 Oak St, Rear"),
        ("12 OAK ST,  ", "12 Oak St"),
        (",", None),
        (None, None),
    ],
)
def test_display_address(address: str | None, expected: str | None) -> None:
    rows = clean_addresses(places({"address": address, "city": "Salem"}), example_source())
    assert values(rows, "address") == (expected,)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("12 Oak St, Salem, MA 01970", "12 Oak St"),
        ("12 Oak St, Salem, MA 01970-1234", "12 Oak St"),
        ("12 Oak St, Salem, MA, 01970, USA", "12 Oak St"),
        ("12 Oak St Salem MA 01970", "12 Oak St"),
        ("12 OAK ST, SALEM, MA", "12 Oak St"),
        ("12 Oak St, Salem, Massachusetts", "12 Oak St"),
        ("Salem, MA 01970", None),
        ("12 Oak St, Peabody, MA 01960", "12 Oak St, Peabody, MA 01960"),
        ("12 OAK ST, PEABODY, MA 01960", "12 Oak St, Peabody, MA 01960"),
        ("12 Oak St, Salem, NH 03079", "12 Oak St, Salem, NH 03079"),
        ("12 Salem", "12 Salem"),
        ("12345", "12345"),
    ],
)
def test_the_place_of_the_row_is_not_repeated(address: str, expected: str | None) -> None:
    row = {"address": address, "city": "SALEM", "state": "MA", "zip": "01970"}
    rows = clean_addresses(places(row), example_source())
    assert values(rows, "address") == (expected,)


@pytest.mark.parametrize(
    ("city", "expected"),
    [
        ("NEW YORK", "New York"),
        ("FOND DU LAC", "Fond Du Lac"),
        ("ST. PAUL", "St. Paul"),
        ("O'FALLON", "O'Fallon"),
        ("MCALLEN", "McAllen"),
        ("LA MESA", "La Mesa"),
        ("Coeur d'Alene", "Coeur d'Alene"),
        ("salem,", "Salem"),
    ],
)
def test_city_and_county_case(city: str, expected: str) -> None:
    rows = clean_addresses(places({"city": city, "county_name": city}), example_source())
    assert values(rows, "city", "county_name") == (expected, expected)
