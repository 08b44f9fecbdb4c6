import pytest

from assets.cleaning.names import clean_names
from tests.unit.assets.cleaning.places import example_source, places, values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GRACE COMMUNITY FOOD PANTRY", "Grace Community Food Pantry"),
        ("grace community food pantry", "Grace Community Food Pantry"),
        ("McDonald House of Food", "McDonald House of Food"),
        ("iHelp Pantry", "iHelp Pantry"),
        ("CHURCH OF THE HOLY CROSS", "Church of the Holy Cross"),
        ("THE FOOD PANTRY", "The Food Pantry"),
        ("IGLESIA DE LA PAZ", "Iglesia de la Paz"),
        ("PAN Y VINO DEL SUR", "Pan y Vino del Sur"),
        ("LA MESA COMMUNITY CENTER", "La Mesa Community Center"),
        ("MERCADO EL REY", "Mercado El Rey"),
        ("YMCA OF SALEM", "YMCA of Salem"),
        ("USA SNAP & WIC OFFICE", "USA SNAP & WIC Office"),
        ("ST. MARY'S", "St. Mary's"),
        ("JOE’S MARKET", "Joe’s Market"),
        ("O'BRIEN'S DELI", "O'Brien's Deli"),
        ("D'ANGELO GROCERY", "D'Angelo Grocery"),
        ("DON'T GO HUNGRY", "Don't Go Hungry"),
        ("KAPA'A KITCHEN", "Kapa'a Kitchen"),
        ("MCDONALD MARKET", "McDonald Market"),
        ("MACON FOOD BANK", "Macon Food Bank"),
        ("BJ'S WHOLESALE", "BJ's Wholesale"),
        ("7-ELEVEN 2353A", "7-Eleven 2353A"),
        ("7TH STREET MARKET", "7th Street Market"),
        ("21ST CENTURY FOODS", "21st Century Foods"),
        ("24HOUR MART", "24Hour Mart"),
        ("H-E-B 104", "H-E-B 104"),
        ("WINSTON-SALEM KITCHEN", "Winston-Salem Kitchen"),
        ("CVS PHARMACY", "CVS Pharmacy"),
        ("J.R. SMITH SR CENTER", "J.R. Smith Sr Center"),
        ("MR B'S BBQ", "Mr B's BBQ"),
        ("JOHN PAUL II SHELTER", "John Paul II Shelter"),
        ("VFW POST 12", "VFW Post 12"),
        ("DEKALB COUNTY WIC", "DeKalb County WIC"),
        ("IGLESIA NIÑO JESÚS", "Iglesia Niño Jesús"),
        ("(FOOD) PANTRY/KITCHEN", "(Food) Pantry/Kitchen"),
        ("GOOD FOOD INC", "Good Food Inc."),
        ("Good Food, Inc.", "Good Food Inc."),
        ("Good Food L.L.C.", "Good Food LLC"),
        ("GOOD FOOD, LLC", "Good Food LLC"),
        ("Good Food Corp", "Good Food Corp."),
        ("Good Food Corporation", "Good Food Corporation"),
        ("Good Food Ltd", "Good Food Ltd."),
        ("Zinc", "Zinc"),
        ("Good Food NA", "Good Food"),
        ("GOOD FOOD - N/A", "Good Food"),
        ("Good Food Na", "Good Food Na"),
        ("99", "99"),
        ("食物銀行", "食物銀行"),
    ],
)
def test_display_name(name: str, expected: str) -> None:
    rows = clean_names(places({"name": name, "organization": name}), example_source())
    assert values(rows, "name", "organization", "reject_reason") == (expected, expected, None)


@pytest.mark.parametrize(("name", "detail"), [(None, None), ("***", "***")])
def test_rows_without_a_name(name: str | None, detail: str | None) -> None:
    rows = clean_names(places({"name": name}), example_source())
    assert values(rows, "reject_reason", "reject_detail") == ("no_name", detail)


def test_the_first_reason_stays() -> None:
    rows = clean_names(places({"name": None, "reject_reason": "not_open"}), example_source())
    assert values(rows, "reject_reason") == ("not_open",)
