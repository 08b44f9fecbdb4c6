"""Normalizes states to USPS codes, from codes, names, traditional abbreviations and FIPS
numbers."""

import pandas as pd

from assets.cleaning.frames import contains, map_unique, reject
from schemas.sources.registry import Source
from schemas.values.zip_code import parse_zip, states_of_zip
from schemas.vocab.states import (
    CODE_BY_FIPS,
    CODE_BY_NAME,
    FREELY_ASSOCIATED_CODES,
    MILITARY_CODES,
    STATE_CODES,
)

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
# Canadian provinces, neighbours, and the freely associated states.
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
    text = places["state"]
    codes = _without_contradicted_numbers(map_unique(text, state_code), places)
    result = places.assign(state=codes)
    where = map_unique(text, _place_outside)
    result = reject(result, where == "outside_area", "outside_area", text)
    result = reject(result, where == "military_address", "military_address", text)
    return reject(result, codes.isna() & ~_can_be_found(places), "no_state", text)


def state_code(text: str) -> str | None:
    """Return the USPS code of a state or territory, None if the text is ambiguous."""
    plain = " ".join(text.replace(".", " ").split())
    upper = plain.upper().removeprefix("US-")
    if upper in STATE_CODES:
        return upper
    folded = plain.casefold()
    # Only the dots of "D.C.", "N.Y." and "W. Va." are removed.
    without_blanks = upper.replace(" ", "")
    if len(without_blanks) == 2 and without_blanks in STATE_CODES:
        return without_blanks
    return CODE_BY_NAME.get(folded) or _TRADITIONAL.get(folded) or CODE_BY_FIPS.get(_as_fips(plain))


def _as_fips(number: str) -> str:
    return number.zfill(2) if number.isascii() and number.isdigit() else ""


def _place_outside(text: str) -> str | None:
    plain = " ".join(text.replace(".", "").split())
    if plain.upper() in MILITARY_CODES:
        return "military_address"
    return "outside_area" if plain.casefold() in _OUTSIDE else None


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


def _can_be_found(places: pd.DataFrame) -> pd.Series:
    has_point = places["lat"].notna() & places["lng"].notna()
    return map_unique(places["zip"], parse_zip).notna() | has_point
