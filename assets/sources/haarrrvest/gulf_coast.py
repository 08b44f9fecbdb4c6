"""Feeding the Gulf Coast: the scraper cut one address line at the first word that looked like a
street's end.

So the city may begin with the rest of the street ("45 Citronelle", "South Mobile", ". Louis"), and
the ZIP may be the house number. All points are made up: one city per state with a little noise.
"""

import pandas as pd

from assets.sources.free_text import contains, digests
from assets.sources.reading import join_texts
from assets.sources.reading_json import Record, texts

_MEMBERS = ("name", "address", "city", "state", "zip", "phone", "notes")

# Labels of the locator before a name: "CHILD MEAL SITE:: Bellview Library".
_LABEL = (
    r"^(?P<label>hot meal|child meal sig?h?te?|food distribution|job \w+|health resource"
    r"|home resource"
    r"|financial \w+) *:+ *(?P<name>.+)$"
)
_NOT_FOOD = r"^(?:job|health|home|financial)\b|^workinmobile\.com$"
# A rest of the street at the head of the city: house unit, number of a highway, direction behind
# the street.
_STREET_REST = (
    r"^\.? ?(?P<rest>#?\d+(?: ?[A-Z]\b)?(?: (?:North|South|East|West)\b)?|Unit \w+|Trail"
    r"|(?:North|South|East|West|[NS][EW]|[NSEW]\.?)(?=\W))?"
    r"\W*(?P<city>.*)$"
)
# Towns whose first words end like a street.
_CUT_TOWNS = (("Bay St", ". Louis", "Bay St. Louis"), ("Port St", ". Joe", "Port St. Joe"))
# USPS three-digit areas of Alabama, west Florida and Mississippi: anything else is a house number.
_ZIP_AREAS = r"^(?:3[56]\d|32[45]|38[6-9]|39[0-7])\d\d$"


def gulf_coast(records: list[Record]) -> pd.DataFrame:
    """Return name, label (`services`), phone, notes, and the address where it is found."""
    raw = pd.DataFrame({name: texts(records, name) for name in _MEMBERS})
    labelled = raw["name"].str.extract(_LABEL, flags=2)  # 2 is re.IGNORECASE
    places = raw[["state", "phone", "notes"]].assign(
        # A church's own pantry and a food distribution there are two records: the label belongs to
        # the key.
        source_key=digests(raw["name"], raw["address"], raw["zip"]),
        name=labelled["name"].fillna(raw["name"]),
        services=labelled["label"],
        zip=_postal_code(raw),
    )
    is_other = contains(labelled["label"].fillna(raw["name"]), _NOT_FOOD)
    places["reject_reason"] = pd.Series("not_food_assistance", index=raw.index).where(is_other)
    places["reject_detail"] = raw["name"]
    return places.join(_streets(raw))


def _postal_code(raw: pd.DataFrame) -> pd.Series:
    house_number = raw["address"].str.extract(r"^(\d{5})\b")[0]
    is_other = (raw["zip"] == house_number) | ~contains(raw["zip"], _ZIP_AREAS)
    return raw["zip"].mask(is_other)


def _streets(raw: pd.DataFrame) -> pd.DataFrame:
    """Return address and city with the split at the right word."""
    city = raw["city"].str.replace("\u200b", "", regex=False)
    parts = city.str.extract(_STREET_REST)
    address = join_texts(raw["address"], parts["rest"])
    town = parts["city"]
    for street_end, town_name, whole in _CUT_TOWNS:
        here = raw["address"].str.endswith(street_end).fillna(False).astype(bool) & (
            city == town_name
        )
        address = address.mask(here, raw["address"].str.removesuffix(street_end).str.strip())
        town = town.mask(here, whole)
    in_prichard = raw["city"].isna() & contains(raw["address"], r" Prichard$")
    address = address.mask(in_prichard, address.str.removesuffix(" Prichard"))
    return pd.DataFrame({"address": address, "city": town.mask(in_prichard, "Prichard")})
