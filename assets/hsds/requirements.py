"""Reads papers, residence and fees from a source's words, only where they are plain.

Anything else stays in the service's `eligibility_description`: a paper wrongly listed keeps a
family away from food.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd

from assets.attributes.documents import asked_for
from schemas.vocab.attributes import DOCUMENTS

_CLAUSE = re.compile(r"[.;\n]+\s+|[;\n]+")

_THIS_ZIP = re.compile(
    r"\b(?:serves|for|only) residents of (?:this|the same) zip(?: code)?\b", re.IGNORECASE
)
_COUNTY = re.compile(
    r"\b(?i:serves|serving|for|only|must be(?: an?)?) (?i:residents? of) ((?:[A-Z][\w.'-]+ ){1,3}County)\b"
)
_ZIPS = re.compile(
    r"\b(?:serves|serving|for|only|must live|must reside)(?: (?:only|residents|those|people|families|in|of|from|within|the|following))*"
    r" zip(?: code)?s?:? ((?:\d{5}(?:, and |, | and | & )?)+)",
    re.IGNORECASE,
)
_FEE = re.compile(
    r"\$|\bfees?\b|\bdues\b|\bcosts?\b|\bcharges?\b|\bpay\b|\bpurchase|\bprice|\b(?:suggested|small) donation|\bdonation (?:of|is|requested|required|asked)\b",
    re.IGNORECASE,
)


def documents_of(text: str) -> list[str]:
    """Return papers that a text plainly requires of every visitor."""
    codes = (code for clause in _CLAUSE.split(text) for code in asked_for(clause))
    return list(dict.fromkeys(DOCUMENTS[code].en for code in codes))


def area_of(text: str) -> tuple[str, str] | None:
    """Return kind ("this_zip", "zips", "county") and name of the area whose residents a text
    says are served."""
    if _THIS_ZIP.search(text):
        return "this_zip", ""
    if match := _ZIPS.search(text):
        return "zips", ", ".join(dict.fromkeys(re.findall(r"\d{5}", match[1])))
    if match := _COUNTY.search(text):
        return "county", match[1]
    return None


def names_a_fee(text: str) -> bool:
    """Return True where a text speaks of money: then "free" is not certain."""
    return _FEE.search(text) is not None


def requirement_facts(texts: Iterable[str]) -> pd.DataFrame:
    """Return `text`, `documents` (list), `area_kind`, `area_name`, `has_fee` of distinct texts,
    rows with a fact only."""
    rows = []
    for text in texts:
        documents, area, fee = documents_of(text), area_of(text), names_a_fee(text)
        if documents or area or fee:
            rows.append((text, documents, *(area or (None, None)), fee))
    return pd.DataFrame(rows, columns=["text", "documents", "area_kind", "area_name", "has_fee"])
