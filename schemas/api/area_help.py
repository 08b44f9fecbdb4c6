"""Help where nothing is listed nearby: the food bank of a ZIP code, 211, SNAP, WIC; and services
that bring food home.
"""

from typing import Literal

import msgspec

from schemas.words import Words

ContactKind = Literal["food_bank", "help_line", "food_program", "snap_office", "wic"]


class ServedArea(msgspec.Struct, forbid_unknown_fields=True):
    """An area that a contact serves as a whole."""

    kind: Literal["zip", "county", "state", "nation"]
    code: str


class AreaContact(msgspec.Struct, forbid_unknown_fields=True):
    """An office, line or organization to ask for food."""

    kind: ContactKind
    name: str
    text: Words
    phone: str | None
    url: str | None
    as_of: str | None
    source: str | None
    serves: ServedArea | None


class AreaHelp(msgspec.Struct, forbid_unknown_fields=True):
    """Contacts to ask when nothing suitable is listed within 50 miles."""

    zip: str | None
    state: str | None
    has_free_food_list: bool
    message: Words
    contacts: list[AreaContact]


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
