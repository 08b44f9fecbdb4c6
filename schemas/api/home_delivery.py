"""Services that bring food to people's homes: they have no place to go to."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from schemas.hours.clock_words import Words

_Meta = msgspec.Meta


class HomeDelivery(msgspec.Struct, forbid_unknown_fields=True):
    """A service that brings food to people's homes."""

    name: Annotated[str, _Meta(description="Name of the service.", examples=["Meals on Wheels"])]
    organization: Annotated[str | None, _Meta(description="Who runs it, where known.")]
    kind: Annotated[Words, _Meta(description="What it is, in words: it delivers to your home.")]
    serves: Annotated[
        Literal["yes", "not_known"],
        _Meta(
            description="`yes`: its list says that it delivers in an area of the place that was searched. `not_known`: only its office is there; ask whether it comes to you."
        ),
    ]
    areas: Annotated[
        list[str],
        _Meta(
            description="Areas in which it delivers; with `not_known`, the area of its office.",
            examples=[["Harford County, MD"]],
        ),
    ]
    text: Annotated[Words, _Meta(description="Where it delivers, or what to ask, in words.")]
    phone: Annotated[str | None, _Meta(description="Telephone, where known.")]
    website: Annotated[str | None, _Meta(description="Web address, where known.")]
    hours_text: Annotated[str | None, _Meta(description="Hours as its list gives them.")]
    services_text: Annotated[str | None, _Meta(description="What it brings, as its list says.")]
    eligibility_text: Annotated[str | None, _Meta(description="Who can get it.")]
    requirements_text: Annotated[str | None, _Meta(description="How to apply, what is needed.")]
    notes: Annotated[str | None, _Meta(description="Anything else its list says.")]
    listed_date: Annotated[
        str | None,
        _Meta(description="Day for which its list speaks.", examples=["2025-02-17"]),
    ]
    source: Annotated[str, _Meta(description="Who publishes the list.")]
    source_url: Annotated[str, _Meta(description="Public page of the list.")]
    license: Annotated[str, _Meta(description="Licence under which this record is published.")]
