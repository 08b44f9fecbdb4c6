"""Features for nationwide matching, so that states can be matched separately.

Records of two states are never one place (`verdicts.py`). Yet whether a telephone number is a
hotline, or a word is rare, is decided nationwide: these features go to
`warehouse.blocking.candidates_by_state`, which returns for each state the pairs worth comparing and
the values that its records share with the rest of the country.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from assets.matching.names import telling_words_of
from assets.matching.profiles import Codes, Profiles, encode_column, profiles_of, website_key
from schemas.tables.matching import FACTS_SCHEMA

Hashes = NDArray[np.int64]


def facts_by_state(located: pd.DataFrame) -> dict[str, pa.Table]:
    """Return FACTS_SCHEMA by state, of records with LOCATED_COLUMNS of `matching.matching`.

    `row` counts within the state. A record's other features depend on that record alone.
    """
    p = profiles_of(located)
    rows = located.iloc[p.input_row].reset_index(drop=True)
    website = encode_column(rows["website"], website_key)
    words = np.array([*map(telling_words_of, p.name.values), None], dtype=object)
    columns = {
        "row": rows.groupby("state").cumcount().to_numpy(np.int32),
        "name": _take(p.name.values, p.name.codes),
        "content": _take(p.content.values, p.content.codes),
        "number": _take([s.number for s in p.streets], p.street),
        "core": _take([s.core for s in p.streets], p.street),
        "city": _take(p.city.values, p.city.codes),
        "website": _take(website.values, website.codes),
        **{name: _of_column(rows[source]) for name, source in _AS_THEY_ARE.items()},
        "lat": pa.array(p.lat, from_pandas=True),
        "lng": pa.array(p.lng, from_pandas=True),
        "is_exact": p.is_exact,
        "words": pa.array(words[p.name.codes], pa.string()),
    }
    facts = pa.table([pa.array(columns[f.name]) for f in FACTS_SCHEMA], schema=FACTS_SCHEMA)
    return {
        str(state): facts.take(pa.array(places)).combine_chunks()
        for state, places in rows.groupby("state").indices.items()
    }


_AS_THEY_ARE = {"zip": "zip", "state": "state", "phone": "phone_e164"}


def _of_column(column: pd.Series) -> Hashes:
    encoding = encode_column(column)
    return _take(encoding.values, encoding.codes)


def _take(values: Sequence[str | None], codes: Codes) -> Hashes:
    """Return the hash of each record's value; -1 for missing or empty ones."""
    texts = np.array([value or "" for value in values], dtype=object)
    hashes = (pd.util.hash_array(texts, categorize=False) >> np.uint64(1)).astype(np.int64)
    hashes[texts == ""] = -1
    return np.append(hashes, np.int64(-1))[codes]


def with_shared(profiles: Profiles, shared: pa.Table) -> Profiles:
    """Return profiles with telephones and websites shared in the country (SHARED_SCHEMA)."""
    rows = shared["row"].to_numpy()
    is_phone, is_website = profiles.is_phone_shared.copy(), profiles.is_website_shared.copy()
    is_phone[rows] |= shared["is_phone_shared"].to_numpy()
    is_website[rows] |= shared["is_website_shared"].to_numpy()
    return replace(profiles, is_phone_shared=is_phone, is_website_shared=is_website)
