"""Help where nothing is listed nearby: the food bank of a ZIP code, 211, SNAP, WIC."""

from typing import Annotated, Literal

import msgspec

from schemas.descriptions import describe
from schemas.words import Words

ContactKind = Literal["food_bank", "help_line", "food_program", "snap_office", "wic"]


class ServedArea(msgspec.Struct, forbid_unknown_fields=True):
    """An area that a contact serves as a whole."""

    kind: Annotated[
        Literal["zip", "county", "state", "nation"], describe("What kind of area it is.")
    ]
    code: Annotated[
        str, describe("ZIP code, ANSI/FIPS code of a county, USPS code of a state, or US.", "82401")
    ]


class AreaContact(msgspec.Struct, forbid_unknown_fields=True):
    """A contact to ask."""

    kind: Annotated[
        ContactKind,
        describe(
            "food_bank: serves the ZIP code and knows the pantries there. help_line: 211. food_program: SNAP, or what the territory has instead. snap_office: the nearest SNAP office on our list, where one is within 50 miles. wic: for pregnant people, babies, and children under 5."
        ),
    ]
    name: Annotated[str, describe("Name of the food bank, line, agency or office.")]
    text: Annotated[Words, describe("What it is for this place.")]
    phone: Annotated[str | None, describe("Its telephone; null where no source of ours gives one.")]
    url: Annotated[str | None, describe("Its own page; of a food bank, the page for finding food.")]
    as_of: Annotated[
        str | None,
        describe("Day for which the source says so; of several facts the oldest.", "2026-05-12"),
    ]
    source: Annotated[str | None, describe("Who says so.")]
    serves: Annotated[
        ServedArea | None,
        describe(
            "The area that it serves; null of an office that is only the nearest one on our list."
        ),
    ]


class AreaHelp(msgspec.Struct, forbid_unknown_fields=True):
    """Contacts to ask when nothing suitable is listed within 50 miles."""

    zip: Annotated[
        str | None,
        describe("ZIP code that the help is for; of a city or a point, the one nearest to it."),
    ]
    state: Annotated[str | None, describe("State or territory code.")]
    has_free_food_list: Annotated[
        bool,
        describe(
            "Whether the directory lists any place with free food in the state. False: we have no list of pantries for it yet."
        ),
    ]
    message: Annotated[Words, describe("The gaps in the list, and what they mean.")]
    contacts: Annotated[list[AreaContact], describe("Contacts to ask, the food bank first.")]
