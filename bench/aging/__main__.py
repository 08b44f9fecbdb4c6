"""`python -m bench.aging ../shared`: compare the lists, fit, test; `--write` the declared rates.

`--check` checks that `schemas/vocab/still_true.yaml` is the file that this fit would write.
"""

import argparse
import sys
from pathlib import Path

import msgspec

from bench.aging.fit import Test, evaluate, fit
from bench.aging.lists import FREE_FOOD, PlaceList, Shelf
from bench.aging.pairs import Count, Detection, compare, detect, store_counts
from schemas.vocab.still_true import ComparedLists, Fact, Rate

FILE = Path(__file__).parents[2] / "schemas" / "vocab" / "still_true.yaml"
# Declare a rate only if it predicts lists outside its fit this well.
MAX_CALIBRATION_ERROR = 0.05
_HEAD = """\
# How facts of listings age. Written by `python -m bench.aging ../shared --write`: change nothing here.
# docs/confidence.md says how it is measured.
"""  # noqa: E501 - the head of the file
_COUNTIES = ("New York", "Kings", "Queens", "Bronx", "Richmond")


def measure(shelf: Shelf) -> tuple[dict[Fact, tuple[list[Count], list[Count]]], list[Detection]]:
    """Return counts to fit and counts to test by fact, and estimates of coverage."""
    city = {
        2016: _food(shelf.places("nyc_facilities_fbnyc_2016")),
        2020: _food(shelf.places("fbnyc_members_2020")),
        2023: _food(shelf.places("nyc_pantries_2023", state="NY")),
        2025: _food(shelf.places("nyc_cfc_apr2025")),
    }
    late = _food(shelf.places("haarrrvest_locations_2025"))
    in_city = late.rows["county_name"].fillna("").str.replace(" County", "").isin(_COUNTIES)
    in_city &= late.rows["state"] == "NY"
    city_late = PlaceList(late.name, late.day, late.rows[in_city])
    fit_counts = _compare_all([(city[2020], city[2023])]) + _only(
        "phone", _compare_all([(city[2020], city[2025])])
    )
    test_counts = _compare_all(
        [
            (city[2020], city[2025]),
            (city[2023], city[2025]),
            (city[2020], city_late),
            (city[2025], city_late),
            (_food(shelf.places("nj_foodpantries_2022")), late),
            (_food(shelf.places("haarrrvest_2025")), _food(shelf.places("nova_got_food_2026"))),
            (late, _food(shelf.places("pueblo_co_2026"))),
        ]
    )
    fit_keys = {(c.fact, c.earlier, c.later) for c in fit_counts}
    test_counts = [c for c in test_counts if (c.fact, c.earlier, c.later) not in fit_keys]
    stores = shelf.stores()
    pennsylvania = shelf.places("usda_snap", "PA.2020-02.xlsx", state="PA", county_name="Allegheny")
    allegheny = shelf.places("usda_snap", "SNAP_Store_Locations.allegheny.2023-04.csv")
    parts: dict[Fact, tuple[list[Count], list[Count]]] = {
        "exists": (
            store_counts(stores, range(2005, 2015), range(1, 8), until=2014),
            store_counts(stores, range(2014, 2022), range(1, 8), until=2021)
            + _only("exists", compare(pennsylvania, allegheny, is_covered=True)),
        ),
        "phone": (_only("phone", fit_counts), _only("phone", test_counts)),
        "hours": (_only("hours", fit_counts), _only("hours", test_counts)),
    }
    coverage = [
        detect(city[2016], city[2020], city[2023]),
        detect(city[2016], city[2023], city_late),
        detect(city[2020], city[2023], city_late),
        detect(city[2023], city[2025], city_late),
    ]
    return parts, coverage


def _food(places: PlaceList) -> PlaceList:
    rows = places.rows
    return PlaceList(places.name, places.day, rows[rows["resource_type"].isin(FREE_FOOD)])


def _compare_all(pairs: list[tuple[PlaceList, PlaceList]]) -> list[Count]:
    """Compare pairs of lists of free food; no list covers its area in full."""
    return [c for one, other in pairs for c in compare(one, other, is_covered=False)]


def _only(fact: Fact, counts: list[Count]) -> list[Count]:
    return [count for count in counts if count.fact == fact]


def fit_and_test(
    fact: Fact, fit_counts: list[Count], test_counts: list[Count]
) -> tuple[Rate, Test]:
    """Return the declared rate of a fact, and its test."""
    model = fit(fit_counts)
    test = evaluate(model, test_counts)
    rate = Rate(
        fact,
        model.right_at_first,
        model.loss,
        max(count.days for count in (*fit_counts, *test_counts)),
        _by_lists(fit_counts),
        _by_lists(test_counts),
        round(test.calibration_error, 4),
        round(test.brier, 4),
        round(test.base, 4),
    )
    return rate, test


def _by_lists(counts: list[Count]) -> list[ComparedLists]:
    together: dict[tuple[str, str, int], list[int]] = {}
    for count in counts:
        sums = together.setdefault((count.earlier, count.later, count.days), [0, 0])
        sums[0] += count.listings
        sums[1] += count.right
    return [ComparedLists(*lists, *sums) for lists, sums in together.items()]


def main() -> int:
    """Measure, print, and write or check."""
    parser = argparse.ArgumentParser(prog="python -m bench.aging", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with sources/ and reference/geo")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    parts, coverage = measure(Shelf(options.folder))
    rates = []
    for fact, (fit_counts, test_counts) in parts.items():
        rate, test = fit_and_test(fact, fit_counts, test_counts)
        print(
            f"{fact}: at first {rate.right_at_first}, loss {rate.loss} a year, "
            f"{sum(c.listings for c in fit_counts)} fitted, {test.listings} tested, "
            f"calibration error {test.calibration_error:.3f}, Brier {test.brier:.4f}, "
            f"{test.gain:+.1%} better than one share"
        )
        for c in (*rate.fitted_to, *rate.tested_on):
            print(f"  {c.earlier} -> {c.later}, {c.days} days: {c.right} of {c.listings}")
        if test.calibration_error <= MAX_CALIBRATION_ERROR:
            rates.append(rate)
        else:
            print(f"  {fact} is not declared: its calibration error is too large")
    for d in coverage:
        print(
            f"{d.early}, {d.middle}, {d.late}: {d.in_middle} of {d.listings} found, coverage "
            f"{d.coverage:.2f}, survival {d.survival:.2f}"
        )
    text = _HEAD.encode() + msgspec.yaml.encode(rates)
    if options.write:
        FILE.write_bytes(text)
    if options.check and FILE.read_bytes() != text:
        print(f"{FILE.name} differs from this fit: run with --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
