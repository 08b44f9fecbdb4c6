"""Alameda County's directory of human services, 2014: organisations with their locations, one per
line.

Only services that give food or the means to get it are read. The short description says what a location
does; the long one names much that it does not.
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import by_rules, contains, digests, without_emails
from assets.sources.reading import join_texts, with_rejects
from assets.sources.reading_json import Record, read_json_lines, texts
from schemas.sources.registry import Source

_NO_FOOD = "not_food_assistance"
_ELSEWHERE = "home_delivery_only"
_OTHER_TYPE = "not_in_catalog"
# Types of a location, by its name and short description. The first rule that fits decides.
# Senior centers are not in the catalog, with a lunch or without.
_RULES: tuple[tuple[str, str], ...] = (
    (r"\bwomen, infants,? and children\b", "wic_office"),
    (
        r"\banimal|\bfood addict|\bfood service|\bfood production|\bbakery ?production|\bthrift\b"
        r"|\bfood equipment|\bvolunteer and food donor|\bhelpline\b|\badult day health|\bin-home\b"
        r"|\bfood stamps? outreach|\(food stamps\)|\bfood stamp enrollment|\brefugee cash"
        r"|\bwholesale\b|\bnon-profit organizations\b|\bto agencies\b",
        _NO_FOOD,
    ),
    (r"^calfresh:", "snap_office"),
    (r"\bsummer lunch\b", "summer_meal"),
    (
        r"\bsenior (?:community |activity )?center\b.*\b(?:meals?|lunch|suppers|groceries)\b",
        _OTHER_TYPE,
    ),
    (r"\bmeals.on.wheels\b|\bdelivers meals\b", _ELSEWHERE),
    (r"\bclearinghouse for donated food\b", "food_bank"),
    (
        r"\bfood pantr(?:y|ies)\b|\bgroceries\b|\bfood (?:bag|package|giveaway|distribution|box)|\bbrown bag\b"
        r"|\bdistributes (?:usda )?(?:non-perishable )?food\b|\bemergency food\b|\bcommodit(?:y|ies)\b"
        r"|\bfree produce\b|\bweekly food\b|\bfood, clothing and shelter assistance\b",
        "food_pantry",
    ),
    (
        r"\b(?:hot|free|fellowship|evening|thanksgiving|congregate|vegetarian) (?:\w+ )?meals?\b"
        r"|\bfree dining room\b|\bhot lunch|\blunch to homeless\b|\bbreakfast (?:served|for)\b|\bdinner program\b",
        "soup_kitchen",
    ),
)
_NO_TYPES = (_NO_FOOD, _ELSEWHERE, _OTHER_TYPE)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the locations. Raises UnreadableFileError for an organisation without `locs`."""
    locations = _locations(file)
    name, organization = texts(locations, "name"), texts(locations, "organization")
    about = texts(locations, "short_desc")
    found = by_rules(join_texts(name, about, separator=": "), _RULES).fillna(_NO_FOOD)
    places = pd.DataFrame(
        {
            "source_row": range(1, len(locations) + 1),
            "source_key": digests(organization, name, texts(locations, "address", "street"), about),
            "name": name,
            "organization": organization,
            "resource_type": found.mask(found.isin(_NO_TYPES)),
            "address": texts(locations, "address", "street"),
            "city": texts(locations, "address", "city"),
            "state": texts(locations, "address", "state"),
            "zip": texts(locations, "address", "zip"),
            "services_text": without_emails(about),
        }
    )
    is_past = contains(name, r"\b20\d\d\b")
    checks = [
        (reason, found == reason, join_texts(name, about, separator=": ")) for reason in _NO_TYPES
    ]
    yield with_rejects(places, [*checks, ("past_event", is_past, name)])


def _locations(file: RawFile) -> list[Record]:
    found: list[Record] = []
    for organization in read_json_lines(file):
        locations = organization.get("locs")
        if not isinstance(locations, list):
            raise UnreadableFileError(f"{file.name}: {organization.get('name')} has no list locs")
        found += [{**location, "organization": organization.get("name")} for location in locations]
    return found
