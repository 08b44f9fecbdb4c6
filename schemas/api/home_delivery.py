"""Services that bring food to people's homes: they have no place to go to."""

from typing import Annotated, Literal

import msgspec

from schemas.descriptions import describe
from schemas.words import Words


class HomeDelivery(msgspec.Struct, forbid_unknown_fields=True):
    """A service that brings food to people's homes."""

    name: Annotated[str, describe("Name of the service.", "Meals on Wheels")]
    organization: Annotated[str | None, describe("Who runs it, where known.")]
    kind: Annotated[Words, describe("What it is, in words: it delivers to your home.")]
    serves: Annotated[
        Literal["yes", "not_known"],
        describe(
            "`yes`: its list says that it delivers in an area of the place that was searched. `not_known`: only its office is there; ask whether it comes to you."
        ),
    ]
    areas: Annotated[
        list[str],
        describe(
            "Areas in which it delivers; with `not_known`, the area of its office.",
            ["Harford County, MD"],
        ),
    ]
    text: Annotated[Words, describe("Where it delivers, or what to ask, in words.")]
    phone: Annotated[str | None, describe("Telephone, where known.")]
    website: Annotated[str | None, describe("Web address, where known.")]
    hours_text: Annotated[str | None, describe("Hours as its list gives them.")]
    services_text: Annotated[str | None, describe("What it brings, as its list says.")]
    eligibility_text: Annotated[str | None, describe("Who can get it.")]
    requirements_text: Annotated[str | None, describe("How to apply, what is needed.")]
    notes: Annotated[str | None, describe("Anything else its list says.")]
    listed_date: Annotated[str | None, describe("Day for which its list speaks.", "2025-02-17")]
    source: Annotated[str, describe("Who publishes the list.")]
    source_url: Annotated[str, describe("Public page of the list.")]
    license: Annotated[str, describe("Licence under which this record is published.")]
