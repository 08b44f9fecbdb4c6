"""Formats street addresses, cities and counties for display, without losing information.

Only case, punctuation and the word for a PO box are repaired; abbreviations are unchanged. City,
state and ZIP after the street are removed if the row has the same values in its own columns.
"""

import re

import pandas as pd

from assets.cleaning.casing import title_case
from assets.cleaning.frames import contains, is_one_case, map_unique, map_where
from assets.cleaning.text import says_something
from schemas.sources.registry import Source
from schemas.vocab.states import STATES

_PO_BOX = re.compile(
    r"\b(?:P\.?\s*O\.?|Post\s+Office)\s*(Box|Bx|Drawer)\b\.?\s*(?:#|No\.?\s)?\s*|\bPOB\s+(?=\d)",
    re.IGNORECASE,
)
# A run of blanks is matched only at its start: otherwise long runs would take quadratic time.
_COMMAS = re.compile(r"(?<!\s)\s*,(?:\s*,)*\s*")
_SIGNS = (
    r"(?i)\bp\.?\s*o\.?\s*b|\bpost\s+office|\bp\.?\s*o\.?\s*drawer|\s,|,\S|,\s*,|^[\s,;]|[\s,;–-]$"
)
# Ends in ", MA", a ZIP or a country: compare it with the row's own columns.
_TAIL_SIGNS = r"(?i),\s*[a-z]{2}\.?$|\b\d{5}(?:-\d{4})?$|\bUSA?\.?$|,\s*[a-z ]{4,}$"
_ZIP_TAIL = re.compile(r"(?<![,\s])[,\s]+(\d{5})(?:-\d{4})?$", re.ASCII)
_COUNTRY_TAIL = re.compile(
    r"(?<![,\s])[,\s]+(?:USA?|U\.S\.A?\.|United States(?: of America)?)$", re.IGNORECASE
)
_STATE_TAIL = re.compile(r",\s([A-Z][a-z])(?=$|\s\d{5})")
_MARK = "\x1f"


def clean_addresses(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `address`, `city` and `county_name`: readable case; the street without its row's
    city, state and ZIP."""
    address = _without_own_place(places)
    needs_repair = is_one_case(address) | contains(address, _SIGNS)
    return places.assign(
        address=map_where(address, needs_repair, display_address),
        city=map_where(places["city"], _needs_place_repair(places["city"]), display_place),
        county_name=map_where(
            places["county_name"], _needs_place_repair(places["county_name"]), display_place
        ),
    )


def display_address(text: str) -> str | None:
    """Return one line with tidy commas, "PO Box", and title case if the whole line was in one
    case."""
    text = _COMMAS.sub(", ", text).strip(" ,;–-")
    text = _PO_BOX.sub(_po_box, text).strip()
    if text.isupper() or text.islower() or _is_one_case_but_box(text):
        text = _STATE_TAIL.sub(_state_in_capitals, title_case(text, "address"))
        # After an apostrophe title case would take the box for the end of a word.
        text = _PO_BOX.sub(_po_box, text).strip()
    return text if says_something(text) else None


def display_place(text: str) -> str | None:
    """Return a city or county without outer commas, in title case if it was in one case."""
    text = text.strip(" ,;")
    if text.isupper() or text.islower():
        text = title_case(text, "address")
    return text if says_something(text) else None


def _needs_place_repair(column: pd.Series) -> pd.Series:
    return is_one_case(column) | contains(column, r"^[\s,;]|[\s,;]$")


def _state_in_capitals(match: re.Match[str]) -> str:
    code = match[1].upper()
    return f", {code}" if code in STATES else match[0]


def _po_box(match: re.Match[str]) -> str:
    return "PO Drawer " if (match[1] or "").lower() == "drawer" else "PO Box "


def _is_one_case_but_box(text: str) -> bool:
    """Check for one case except "PO BOX", whose own repair makes an upper-case text mixed."""
    rest = text.replace("PO Box", "").replace("PO Drawer", "")
    return rest != text and (rest.isupper() or rest.islower())


def _without_own_place(places: pd.DataFrame) -> pd.Series:
    address = places["address"]
    has_place = places["city"].notna() & places["state"].notna()
    tailed = has_place & contains(address, _TAIL_SIGNS)
    if not tailed.any():
        return address
    parts = [address, places["city"], places["state"], places["zip"].fillna("")]
    rows = parts[0][tailed].str.cat([part[tailed] for part in parts[1:]], sep=_MARK)
    street = address.copy()
    street[tailed] = map_unique(rows, _street_of)
    return street


def _street_of(row: str) -> str | None:
    address, city, state, zip_code = row.split(_MARK)
    return street_only(address, city, state, zip_code or None)


def street_only(address: str, city: str, state: str, zip_code: str | None) -> str | None:
    """Return the address without a final ", City, ST ZIP" equal to the given city and state.

    If any part differs the text is unchanged; None if nothing else was in the address.
    """
    rest = _COUNTRY_TAIL.sub("", address)
    if (match := _ZIP_TAIL.search(rest)) and zip_code in {None, match[1]}:
        rest = rest[: match.start()]
    for names in ((state, STATES[state].name), (city,)):
        shorter = _without_tail(rest, names)
        if shorter is None:
            return address
        rest = shorter
    return rest or None


def _without_tail(text: str, names: tuple[str, ...]) -> str | None:
    """Return the text before one of the names, which must follow a comma or blank alone."""
    text = text.rstrip(" ,.")
    for name in names:
        if text.casefold().endswith(name.casefold()):
            head = text[: -len(name)]
            if not head or head[-1] in " ,":
                return head.rstrip(" ,")
    return None
