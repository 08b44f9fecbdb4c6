"""Finds places whose address must not be published: they get no street, ZIP code or point.

The rules of `withheld.yaml` apply to all sources: the address is marked as withheld, or the name,
organization or service is that of a shelter from violence. Names that may be those of a shelter
wait for a reviewer.
"""

import re
from pathlib import Path
from typing import Literal

import msgspec
import pandas as pd

from assets.cleaning.text import contains, map_where, repair_text
from schemas.sources.registry import Source
from schemas.values.names import fold_name

# The reason of rows that wait for a reviewer.
AWAITS_REVIEW = "awaits_review"


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    addresses: list[str]
    services: list[str]
    names_to_review: list[str]
    reviewed: dict[str, Literal["withheld", "public"]]


_RULES = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=_Rules)
_ADDRESSES, _SERVICES, _TO_REVIEW = (
    "|".join(f"(?:{pattern})" for pattern in patterns)
    for patterns in (_RULES.addresses, _RULES.services, _RULES.names_to_review)
)
_ADDRESS = re.compile(_ADDRESSES, re.IGNORECASE)
# Any word of the patterns of addresses; a fast search.
_SIGNS = (
    r"(?i)^\W*(?:-|safe|secure|private|restricted|hidden|protected|suppressed)|confiden|disclos|listed"
    r"|withheld|anonym|an[oó]nim|secret|publi|p[uú]blica|request|provided|given|shared|released|private"
    r"|protegida|privada|\b(?:call|phone|contact|llame)\b.*(?:location|address|ubicaci|direcci)"
)
_REVIEWED = {fold_name(name): decision for name, decision in _RULES.reviewed.items()}


def is_withheld(address: str) -> bool:
    """Return whether an address is marked as withheld ("confidential", "- - -", "Anonymous")."""
    return _ADDRESS.search(address) is not None


def is_shelter(texts: pd.Series) -> pd.Series:
    """Return whether names or terms of services speak of shelter from violence."""
    return contains(texts, f"(?i){_SERVICES}")


def mark_withheld(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `is_confidential` and drop the street of withheld addresses and confidential places.

    Rows with a name that may be confidential, and that no reviewer has seen, are rejected.
    """

    def if_withheld(address: str) -> str | None:
        # Mojibake next to a word hides its end.
        return address if is_withheld(address) or is_withheld(repair_text(address) or "") else None

    address, name = places["address"], places["name"]
    suspect = contains(address, _SIGNS)
    withheld = map_where(address.where(suspect), suspect, if_withheld).notna()
    decision = name.map(lambda text: _REVIEWED.get(fold_name(str(text))), na_action="ignore")
    speaks = is_shelter(name) | is_shelter(places["organization"])
    confidential = withheld | places["is_confidential"].fillna(False).astype("bool")
    confidential |= (speaks & decision.ne("public")) | decision.eq("withheld")
    awaits = contains(name, f"(?i){_TO_REVIEW}") & ~confidential & decision.isna()
    awaits &= places["reject_reason"].isna()
    if not confidential.any() and not awaits.any():
        return places
    return places.assign(
        is_confidential=places["is_confidential"].mask(confidential, True),
        address=address.mask(confidential),
        reject_reason=places["reject_reason"].mask(awaits, AWAITS_REVIEW),
        reject_detail=places["reject_detail"].mask(awaits, name),
    )
