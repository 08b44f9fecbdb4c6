"""Arguments of the MCP tools."""

from typing import Annotated, Literal

import msgspec

from schemas.api.mcp import ASKED_TYPES, DEFAULT_PLACES, Count, LanguageTag, Miles, PlaceText
from schemas.attributes import WISHES
from schemas.descriptions import describe
from schemas.vocab import constraints as wishes


class FindFood(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `find_food_resources`."""

    location: PlaceText
    type: (
        Annotated[
            Literal[ASKED_TYPES],  # type: ignore[valid-type]
            describe(
                "Type of place. Without it, every type that gives food free of charge to everyone."
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    limit: Count = DEFAULT_PLACES
    radius_miles: Miles | msgspec.UnsetType = msgspec.UNSET
    diet: Annotated[list[wishes.Diet], msgspec.Meta(max_length=8)] = []
    papers: Annotated[list[wishes.Papers], msgspec.Meta(max_length=3)] = []
    audience: Annotated[list[wishes.AskedAudience], msgspec.Meta(max_length=6)] = []
    language: Annotated[list[LanguageTag], msgspec.Meta(max_length=5)] = []
    transport: Annotated[list[wishes.Transport], msgspec.Meta(max_length=2)] = []
    day: Annotated[list[wishes.AskedDay], msgspec.Meta(max_length=9)] = []
    time: (
        Annotated[
            str,
            describe(
                "When on those days: `morning`, `afternoon`, `evening`, `open_now`, `before "
                "10:00`, `after 17:00`, `09:00-12:00`.",
                "after 17:00",
                pattern=wishes.TIME_PATTERN,
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    serves_zip: Annotated[str, msgspec.Meta(pattern=r"^([0-9]{5})?$")] = ""
    appointment: Annotated[list[wishes.Appointment], msgspec.Meta(max_length=1)] = []
    item: Annotated[list[wishes.Item], msgspec.Meta(max_length=7)] = []


# With an argument for each declared wish.
FindFoodArguments = msgspec.defstruct(
    "FindFoodArguments",
    [(kind, Annotated[bool, describe(wish.argument)], False) for kind, wish in WISHES.items()],
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

    resource_id: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]


class AskPortal(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `get_state_portal`."""

    state: Annotated[str, msgspec.Meta(min_length=2, max_length=100)]


class AskDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `get_active_disasters`. Without any: the whole nation."""

    zip: (
        Annotated[
            str, describe("ZIP code; it wins over `state`.", "33139", min_length=5, max_length=10)
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    state: (
        Annotated[
            str,
            describe(
                "Two-letter code or name of a state or territory.",
                "FL",
                min_length=2,
                max_length=100,
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class AskNothing(msgspec.Struct, forbid_unknown_fields=True):
    """No arguments."""
