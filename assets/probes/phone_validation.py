"""Validates telephone numbers by the numbering plan, without calls or network."""

import datetime
from functools import cache

import pandas as pd
import phonenumbers
from phonenumbers import PhoneNumberType

from schemas.tables.core import PHONE_VALIDATIONS
from schemas.vocab.states import STATES

_REGIONS = frozenset({"US", "PR", "VI", "GU", "AS", "MP"})
_STATE_OF_REGION = {region: region for region in _REGIONS - {"US"}}
_TYPES = {
    PhoneNumberType.FIXED_LINE: "fixed_or_mobile",
    PhoneNumberType.MOBILE: "fixed_or_mobile",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_or_mobile",
    PhoneNumberType.TOLL_FREE: "toll_free",
    PhoneNumberType.PREMIUM_RATE: "premium",
    PhoneNumberType.SHARED_COST: "shared_cost",
    PhoneNumberType.VOIP: "voip",
    PhoneNumberType.PERSONAL_NUMBER: "personal",
}
# Reserved for fiction: the plan assigns the prefix 555 to nobody, yet the format is valid.
_FICTION = r"\+1\d{3}55501\d\d"


def validate_phones(
    numbers: pd.DataFrame, previous: pd.DataFrame | None, as_of: datetime.date
) -> pd.DataFrame:
    """Return `core_directory__phone_validations`; an unchanged finding retains its date."""
    pairs = numbers[["phone_e164", "state"]].dropna().drop_duplicates(ignore_index=True)
    prefixes = (
        pairs["phone_e164"]
        .str.slice(0, 8)
        .str.cat(pairs["phone_e164"].str.len().astype("str"), "|")
    )
    codes, uniques = pd.factorize(prefixes)
    parsed = pd.DataFrame(
        [_of_prefix(prefix) for prefix in uniques],
        columns=["is_possible", "is_valid", "phone_type", "phone_state"],
    )
    validations = pd.concat([pairs, parsed.take(codes).reset_index(drop=True)], axis=1)
    validations["is_valid"] = validations["is_valid"] | validations["phone_e164"].str.fullmatch(
        _FICTION
    )
    has_state = validations["phone_state"].notna()
    match = (validations["phone_state"] == validations["state"]).astype("boolean")
    validations["is_state_match"] = match.where(has_state)
    validations["validated_on"] = _dates(validations, previous, as_of)
    return validations[PHONE_VALIDATIONS.field_names]


def _dates(
    validations: pd.DataFrame, previous: pd.DataFrame | None, as_of: datetime.date
) -> pd.Series:
    if previous is None or previous.empty:
        return pd.Series(as_of, index=validations.index, dtype=object)
    keys = ["phone_e164", "state", "is_possible", "is_valid", "phone_type"]
    dated = validations[keys].merge(previous[[*keys, "validated_on"]], how="left", on=keys)
    dates = dated["validated_on"].astype(object).set_axis(validations.index)
    return dates.where(dates.notna(), as_of)


def _of_prefix(prefix: str) -> tuple[bool, bool, str, str | None]:
    """Return possible, valid, type and state by the first six digits and the length."""
    start, _, length = prefix.partition("|")
    text = start.ljust(int(length), "0") if int(length) > len(start) else start
    try:
        number = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        return False, False, "other", None
    possible = phonenumbers.is_possible_number(number)
    if not possible:
        return False, False, "other", None
    region = phonenumbers.region_code_for_number(number)
    valid = region in _REGIONS
    kind = _TYPES.get(phonenumbers.number_type(number), "other")
    if number.country_code != 1 or kind == "toll_free":
        return True, valid, kind, None
    return True, valid, kind, _STATE_OF_REGION.get(region or "") or state_of_area(start[2:5])


@cache
def state_of_area(area: str) -> str | None:
    """Return the state of an area code by the numbering plan's metadata, None if it names none."""
    number = phonenumbers.PhoneNumber(country_code=1, national_number=int(f"{area}5550123"))
    from phonenumbers import geocoder  # noqa: PLC0415 - its table of places costs every build a third of a second

    words = geocoder.description_for_number(number, "en")
    return _STATE_BY_NAME.get(words) or _STATE_BY_NAME.get(words.rpartition(", ")[2])


_STATE_BY_NAME = {
    **{state.name: code for code, state in STATES.items()},
    **{code: code for code in STATES},
    "Washington D.C.": "DC",
    "Washington, D.C.": "DC",
}
