"""Help where nothing is listed nearby: the food bank of a ZIP code, 211, SNAP, WIC."""

from typing import Literal

import msgspec

from schemas.words import Words

ContactKind = Literal["food_bank", "help_line", "food_program", "snap_office", "wic"]


class ServedArea(msgspec.Struct, forbid_unknown_fields=True):
    """An area that a contact serves as a whole."""

    kind: Literal["zip", "county", "state", "nation"]
    code: str


class AreaContact(msgspec.Struct, forbid_unknown_fields=True):
    """A contact to ask."""

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
