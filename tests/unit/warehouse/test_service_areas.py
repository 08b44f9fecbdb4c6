"""Whether a place serves a ZIP code: yes and no only with proof."""

import pytest

from tests.support.cases import labelled
from warehouse.index.areas import ServiceArea, serves
from warehouse.index.gazetteer import ZipPlace

ONLY, ALSO = True, False
BARBERTON = ZipPlace("44203", "standard", "Barberton", "OH", 41.02, -81.61, 40_000, False, "39153")
# Neighbors of Lorain County: 25 and 100 miles away.
POINTS = {
    "zip:44314": [(41.04, -81.56)],
    "zip:44301": [(41.05, -81.52)],
    "county:39093": [(41.3, -82.1), (41.1, -82.0)],
    "place:OH/elyria": [(41.37, -82.1)],
    "county:39061": [(39.1, -84.5), (39.2, -84.4)],
    "place:OH/cincinnati": [(39.1, -84.5)],
}


@labelled("expected, codes, is_exclusive")
def test_serves(expected: str, codes: list[str], is_exclusive: bool) -> None:
    area = ServiceArea(tuple(codes), is_exclusive)
    assert serves(area, "44203", BARBERTON, POINTS) == expected


@pytest.mark.parametrize(
    ("place", "codes", "expected"),
    [
        (None, ["zip:44314"], "not_known"),
        (None, ["zip:44203"], "yes"),
        (BARBERTON._replace(kind="po_box"), ["zip:44314"], "not_known"),
        (BARBERTON._replace(kind="unique"), ["state:DC"], "not_known"),
        (BARBERTON._replace(lat=None, lng=None), ["county:39061"], "not_known"),
        (BARBERTON._replace(state=None), ["state:DC"], "not_known"),
    ],
    ids=["unknown ZIP", "unknown ZIP, listed", "post boxes", "one company", "no point", "no state"],
)
def test_no_proof_for_a_zip_code_without_homes_or_point(
    place: ZipPlace | None, codes: list[str], expected: str
) -> None:
    assert serves(ServiceArea(tuple(codes), is_exclusive=True), "44203", place, POINTS) == expected
