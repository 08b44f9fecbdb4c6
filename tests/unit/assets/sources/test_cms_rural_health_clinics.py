"""Rural health clinics: trade names, the dotted date of the file, other kinds of provider."""

from datetime import date

from schemas.sources.registry import sources
from tests.support.cases import cases

SOURCE = "cms_rural_health_clinics"
FILE = "RHC_Enrollments_2026.04.01.csv"


@cases(
    "name, day",
    {
        "day with dots": (FILE, date(2026, 4, 1)),
        "no day": ("RHC_Enrollments_2026.13.01.csv", date(2026, 1, 1)),
        "no edition": ("RHC_Enrollments.csv", None),
    },
)
def test_the_edition_is_in_the_name(name: str, day: date | None) -> None:
    assert sources()[SOURCE].vintage_of(name) == day
