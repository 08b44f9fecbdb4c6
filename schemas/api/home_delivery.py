"""Services that bring food to people's homes: they have no place to go to."""

from typing import Literal

import msgspec

from schemas.words import Words


class HomeDelivery(msgspec.Struct, forbid_unknown_fields=True):
    """A service that brings food to people's homes."""

    name: str
    organization: str | None
    kind: Words
    serves: Literal["yes", "not_known"]
    areas: list[str]
    text: Words
    phone: str | None
    website: str | None
    hours_text: str | None
    services_text: str | None
    eligibility_text: str | None
    requirements_text: str | None
    notes: str | None
    listed_date: str | None
    source: str
    source_url: str
    license: str
