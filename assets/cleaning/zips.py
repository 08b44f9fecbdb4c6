"""Normalizes ZIP codes to five digits; lost zeros are restored only if the state proves them."""

import pandas as pd

from assets.cleaning.frames import map_unique, reject
from schemas.sources.registry import Source
from schemas.values.zip_code import parse_zip, restore_zip, states_of_zip
from schemas.vocab.states import MILITARY_CODES

_MARK = "\x1f"


def clean_zips(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `zip` to five digits or missing.

    The location step judges a ZIP that contradicts the state. Rows without a state and with a
    military ZIP are rejected (`military_address`).
    """
    text, state = places["zip"], places["state"]
    zips = map_unique(text, parse_zip)
    shortened = zips.isna() & text.notna() & state.notna()
    if shortened.any():
        pairs = text[shortened] + _MARK + state[shortened]
        zips[shortened] = map_unique(pairs, _restore)
    zipped = places.assign(zip=zips)
    stateless = state.isna() & zips.notna()
    if not stateless.any():
        return zipped
    military = pd.Series(False, places.index)
    military[stateless] = map_unique(zips[stateless], _military).notna()
    return reject(zipped, military, "military_address", text)


def _restore(pair: str) -> str | None:
    text, _, state = pair.rpartition(_MARK)
    return restore_zip(text, state)


def _military(zip_code: str) -> str | None:
    states = states_of_zip(zip_code)
    return zip_code if states and states <= set(MILITARY_CODES) else None
