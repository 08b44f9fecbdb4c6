"""Arguments of the MCP tools."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from schemas.api.mcp import ASKED_TYPES, DEFAULT_PLACES, Count, LanguageTag, Miles, PlaceText
from schemas.attributes import WISHES
from schemas.vocab import constraints as wishes

_Meta = msgspec.Meta


class FindFood(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `find_food_resources`."""

    location: PlaceText
    type: (
        Annotated[
            Literal[ASKED_TYPES],  # type: ignore[valid-type]
            _Meta(
                description="Type of place. Without it, every type that gives food free of charge to everyone."
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    limit: Count = DEFAULT_PLACES
    radius_miles: Miles | msgspec.UnsetType = msgspec.UNSET
    diet: Annotated[
        list[wishes.Diet], _Meta(description="Food the person can eat.", max_length=8)
    ] = []
    papers: Annotated[
        list[wishes.Papers], _Meta(description="Papers the person does not have.", max_length=3)
    ] = []
    audience: Annotated[
        list[wishes.AskedAudience], _Meta(description="Groups the person belongs to.", max_length=6)
    ] = []
    language: Annotated[
        list[LanguageTag],
        _Meta(
            description="Languages to be served in: ISO 639-1 codes, 639-3 where there is none.",
            examples=[["es"]],
            max_length=5,
        ),
    ] = []
    transport: Annotated[
        list[wishes.Transport],
        _Meta(
            description="How the person will travel. No source has bus lines; a walk is a mile.",
            max_length=2,
        ),
    ] = []
    day: Annotated[
        list[wishes.AskedDay], _Meta(description="Days on which the person can come.", max_length=9)
    ] = []
    time: (
        Annotated[
            str,
            _Meta(
                pattern=wishes.TIME_PATTERN,
                description="When on those days: `morning`, `afternoon`, `evening`, `open_now`, `before 10:00`, `after 17:00`, `09:00-12:00`.",
                examples=["after 17:00"],
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    serves_zip: Annotated[
        str,
        _Meta(
            description="ZIP code of the person's home, for places that serve some areas only. Each place then has `serves_area`; those that serve it come first.",
            pattern=r"^([0-9]{5})?$",
            examples=["44203"],
        ),
    ] = ""
    appointment: Annotated[
        list[wishes.Appointment],
        _Meta(description="`walk_in`: without an appointment.", max_length=1),
    ] = []
    item: Annotated[
        list[wishes.Item], _Meta(description="Things that are needed.", max_length=7)
    ] = []


# With an argument for each declared wish.
FindFoodArguments = msgspec.defstruct(
    "FindFoodArguments",
    [
        (kind, Annotated[bool, _Meta(description=wish.argument)], False)
        for kind, wish in WISHES.items()
    ],
    bases=(FindFood,),
    namespace={"__doc__": FindFood.__doc__},
    forbid_unknown_fields=True,
)


class FindOpen(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `find_open_now`."""

    location: PlaceText
    limit: Count = DEFAULT_PLACES
    radius_miles: Miles | msgspec.UnsetType = msgspec.UNSET


class AskDetails(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `get_resource_details`."""

    resource_id: Annotated[
        int,
        _Meta(
            ge=1,
            le=2**53 - 1,
            description="Permanent id of a place, from `find_food_resources` or `find_open_now`.",
            examples=[101],
        ),
    ]


class AskPortal(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `get_state_portal`."""

    state: Annotated[
        str,
        _Meta(
            min_length=2,
            max_length=100,
            description="Two-letter code or name of a state or territory; a ZIP code in it does as well.",
            examples=["OR", "Puerto Rico"],
        ),
    ]


class AskDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `get_active_disasters`. Without any: the whole nation."""

    zip: (
        Annotated[
            str,
            _Meta(
                min_length=5,
                max_length=10,
                description="ZIP code; it wins over `state`.",
                examples=["33139"],
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    state: (
        Annotated[
            str,
            _Meta(
                min_length=2,
                max_length=100,
                description="Two-letter code or name of a state or territory.",
                examples=["FL"],
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class AskNothing(msgspec.Struct, forbid_unknown_fields=True):
    """No arguments."""
