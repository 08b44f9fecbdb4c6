"""Cleans where a place is: street, city and county, state, ZIP code and point.

Of streets and towns only case, punctuation and the word for a PO box are repaired; abbreviations
are unchanged. City, state and ZIP code after the street are removed if the row has the same values
in its own columns. Swapped points, lost signs and Web Mercator meters need the state as evidence:
the location step repairs them.
"""

import re

import numpy as np
import pandas as pd

from assets.cleaning.names import title_case
from assets.cleaning.text import (
    contains,
    is_one_case,
    map_unique,
    map_where,
    reject,
    says_something,
)
from schemas.sources.registry import Source
from schemas.values.contacts import parse_phones, parse_website
from schemas.values.zip_code import parse_zip, restore_zip, states_of_zip
from schemas.vocab.states import (
    CODE_BY_FIPS,
    CODE_BY_NAME,
    FREELY_ASSOCIATED_CODES,
    MILITARY_CODES,
    STATE_CODES,
    STATES,
)

_PO_BOX = re.compile(
    r"\b(?:P\.?\s*O\.?|Post\s+Office)\s*(Box|Bx|Drawer)\b\.?\s*(?:#|No\.?\s)?\s*|\bPOB\s+(?=\d)",
    re.IGNORECASE,
)
# A run of spaces is matched only at its start, since long runs would take quadratic time.
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
    """Clean `address`, `city` and `county_name`: readable case, and the street without the city,
    state and ZIP code of its row."""
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
    # "PO Box" itself has both cases.
    rest = text.replace("PO Box", "").replace("PO Drawer", "")
    if text.isupper() or text.islower() or (rest != text and (rest.isupper() or rest.islower())):
        text = title_case(text, "address")
        state = _STATE_TAIL.search(text)
        if state and state[1].upper() in STATES:
            text = f"{text[: state.start()]}, {state[1].upper()}{text[state.end() :]}"
        # Title case takes a box after an apostrophe for the end of a word.
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


def _po_box(match: re.Match[str]) -> str:
    return "PO Drawer " if (match[1] or "").lower() == "drawer" else "PO Box "


def _without_own_place(places: pd.DataFrame) -> pd.Series:
    address = places["address"]
    has_place = places["city"].notna() & places["state"].notna()
    tailed = has_place & contains(address, _TAIL_SIGNS)
    if not tailed.any():
        return address
    parts = [address, places["city"], places["state"], places["zip"].fillna("")]
    rows = parts[0][tailed].str.cat([part[tailed] for part in parts[1:]], sep=_MARK)
    street = address.copy()
    street[tailed] = map_unique(rows, lambda row: street_only(*row.split(_MARK)))
    return street


def street_only(address: str, city: str, state: str, zip_code: str) -> str | None:
    """Return the address without a final ", City, ST ZIP" equal to the given city and state.

    An empty `zip_code` equals any. If a part differs, the text is unchanged; None if the address
    has nothing else.
    """
    rest = _COUNTRY_TAIL.sub("", address)
    if (match := _ZIP_TAIL.search(rest)) and zip_code in {"", match[1]}:
        rest = rest[: match.start()]
    for names in ((state, STATES[state].name), (city,)):
        shorter = _without_tail(rest, names)
        if shorter is None:
            return address
        rest = shorter
    return rest or None


def _without_tail(text: str, names: tuple[str, ...]) -> str | None:
    """Return the text before one of the names at its end, after a comma or space; else None."""
    text = text.rstrip(" ,.")
    for name in names:
        if text.casefold().endswith(name.casefold()):
            head = text[: -len(name)]
            if not head or head[-1] in " ,":
                return head.rstrip(" ,")
    return None


# Abbreviations from before the two-letter codes (GPO Style Manual) and common full forms.
_TRADITIONAL = {
    "ala": "AL", "ariz": "AZ", "ark": "AR", "calif": "CA", "cal": "CA", "colo": "CO", "conn": "CT",
    "del": "DE", "fla": "FL", "ill": "IL", "ind": "IN", "kans": "KS", "kan": "KS", "mass": "MA",
    "mich": "MI", "minn": "MN", "miss": "MS", "mont": "MT", "nebr": "NE", "neb": "NE", "nev": "NV",
    "n mex": "NM", "n dak": "ND", "okla": "OK", "oreg": "OR", "ore": "OR", "penn": "PA",
    "penna": "PA", "s dak": "SD", "tenn": "TN", "tex": "TX", "wash": "WA", "w va": "WV",
    "wis": "WI", "wisc": "WI", "wyo": "WY", "washington dc": "DC", "virgin islands": "VI",
    "us virgin islands": "VI", "northern marianas": "MP", "commonwealth of puerto rico": "PR",
    "hawai'i": "HI", "commonwealth of the northern mariana islands": "MP",
}  # fmt: skip
# Canadian provinces, neighbors, and the freely associated states.
_OUTSIDE = frozenset(
    """ab|bc|mb|nb|nl|ns|nt|nu|on|pe|qc|sk|yt|ph|mx|alberta|british columbia|manitoba|nova scotia
|ontario|quebec|canada|mexico|méxico|philippines|micronesia|federated states of micronesia
|marshall islands|republic of the marshall islands
|palau|republic of palau""".replace("\n", "").split("|")
) | {code.casefold() for code in FREELY_ASSOCIATED_CODES}


def clean_states(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `state` to a USPS code or missing.

    Rejects places outside the area (`outside_area`), military post offices (`military_address`) and
    rows without any evidence of their state (`no_state`). A missing state with a ZIP or a point is
    left to the location step.
    """

    def place_outside(text: str) -> str | None:
        plain = " ".join(text.replace(".", "").split())
        if plain.upper() in MILITARY_CODES:
            return "military_address"
        return "outside_area" if plain.casefold() in _OUTSIDE else None

    text = places["state"]
    codes = _without_contradicted_numbers(map_unique(text, state_code), places)
    result = places.assign(state=codes)
    where = map_unique(text, place_outside)
    result = reject(result, where == "outside_area", "outside_area", text)
    result = reject(result, where == "military_address", "military_address", text)
    has_point = places["lat"].notna() & places["lng"].notna()
    can_be_found = map_unique(places["zip"], parse_zip).notna() | has_point
    return reject(result, codes.isna() & ~can_be_found, "no_state", text)


def state_code(text: str) -> str | None:
    """Return the USPS code of a state or territory; None if the text is ambiguous."""
    plain = " ".join(text.replace(".", " ").split())
    upper = plain.upper().removeprefix("US-")
    if upper in STATE_CODES:
        return upper
    folded = plain.casefold()
    # Only the dots of "D.C.", "N.Y." and "W. Va." are removed.
    without_blanks = upper.replace(" ", "")
    if len(without_blanks) == 2 and without_blanks in STATE_CODES:
        return without_blanks
    fips = plain.zfill(2) if plain.isascii() and plain.isdigit() else ""
    return CODE_BY_NAME.get(folded) or _TRADITIONAL.get(folded) or CODE_BY_FIPS.get(fips)


def _without_contradicted_numbers(codes: pd.Series, places: pd.DataFrame) -> pd.Series:
    """Drop a number that may be a FIPS code or a shifted column if the ZIP contradicts it."""
    numeric = codes.notna() & contains(places["state"], r"^\d+$")
    if not numeric.any():
        return codes
    zips = map_unique(places.loc[numeric, "zip"], parse_zip)
    agrees = [
        pd.isna(zip_code) or code in states_of_zip(zip_code)
        for zip_code, code in zip(zips, codes[numeric], strict=True)
    ]
    return codes.mask(
        numeric & ~pd.Series(agrees, zips.index).reindex(codes.index, fill_value=True)
    )


def clean_zips(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `zip` to five digits or missing; lost zeros are restored if the state proves them.

    The location step judges a ZIP that contradicts the state. Rows without a state and with a
    military ZIP are rejected (`military_address`).
    """

    def restore(pair: str) -> str | None:
        zip_text, _, state_of_zip = pair.rpartition(_MARK)
        return restore_zip(zip_text, state_of_zip)

    def military(zip_code: str) -> str | None:
        states = states_of_zip(zip_code)
        return zip_code if states and states <= set(MILITARY_CODES) else None

    text, state = places["zip"], places["state"]
    zips = map_unique(text, parse_zip)
    shortened = zips.isna() & text.notna() & state.notna()
    if shortened.any():
        zips[shortened] = map_unique(text[shortened] + _MARK + state[shortened], restore)
    zipped = places.assign(zip=zips)
    stateless = state.isna() & zips.notna()
    if not stateless.any():
        return zipped
    is_military = pd.Series(False, places.index)
    is_military[stateless] = map_unique(zips[stateless], military).notna()
    return reject(zipped, is_military, "military_address", text)


def clean_points(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `lat` and `lng` both or neither; a zero is missing, a confidential place has none."""
    lat, lng = places["lat"], places["lng"]
    usable = np.isfinite(lat) & np.isfinite(lng) & (lat != 0) & (lng != 0)
    usable &= ~places["is_confidential"].fillna(False).astype("bool")
    return places.assign(
        lat=lat.where(usable),
        lng=lng.where(usable),
        location_precision=places["location_precision"].where(usable),
    )


# Service codes (211, 311, 988) can be dialled, but have no E.164 form.
_SERVICE_CODE = re.compile(r"\D*(?:([2-8])\W?1\W?1|(988))\D*", re.ASCII)


def clean_phones(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `phone` (with extension), `phone_e164`, and further numbers as a line of `notes`."""
    text = places["phone"].fillna(places["phone_e164"])
    codes, uniques = pd.factorize(text)
    phones = [parse_phones(value) for value in uniques]
    first = [numbers[0] if numbers else None for numbers in phones]
    others = []
    for value, numbers in zip(uniques, phones, strict=True):
        code = _SERVICE_CODE.fullmatch(value) if not numbers else None
        shown = [code[2] or code[1] + "11"] if code else [phone.display for phone in numbers[1:]]
        others.append("Other phone: " + ", ".join(shown) if shown else None)
    columns = {
        "phone": [phone.display if phone else None for phone in first],
        "phone_e164": [phone.e164 if phone else None for phone in first],
        "notes": others,
    }
    assigned = {
        name: pd.Series(pd.array([*values, None], dtype="str").take(codes), index=places.index)
        for name, values in columns.items()
    }
    notes, lines = places["notes"], assigned["notes"]
    both = notes.notna() & lines.notna()
    assigned["notes"] = notes.fillna(lines).mask(both, notes + "\n" + lines)
    return places.assign(**assigned)


def clean_websites(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `website`: http or https, a possible host and no tracking parameters, or missing."""
    return places.assign(website=map_unique(places["website"], parse_website))
