"""What a source says in words about papers, residence and fees, read only where the words are plain.

What is not plain stays in the service's `eligibility_description`: a paper that nobody asks for keeps a
family away from food.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd

# Names of papers; the first that fits a clause wins, so that "photo ID" is no plain "ID" as well.
_DOCUMENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("Photo identification", r"\b(?:photo|picture) ?-?i\.?d\b\.?|\bphoto identification\b|\bdriver'?s license\b"),
        ("Identification", r"\bi\.?d\b\.?|\bidentification\b"),
        ("Proof of address", r"\bproof of (?:current )?(?:address|residen(?:ce|cy))\b|\butility bill\b"),
        ("Proof of income", r"\bproof of (?:household )?income\b|\bpay ?stubs?\b"),
        ("Proof of household size", r"\bproof of (?:household size|dependents|number in household)\b"),
        ("Social Security card", r"\bsocial security cards?\b"),
        ("Birth certificate", r"\bbirth certificates?\b"),
        ("Referral", r"\breferral (?:letter|form|slip)\b|\breferral (?:is )?(?:required|needed|necessary)\b|\bletter of referral\b"),
    )
)  # fmt: skip
_ASKED = re.compile(
    r"\brequired?s?\b|\bmust (?:bring|have|show|present|provide)\b|\bplease bring\b|^\s*bring\b|\bneeded\b|\bnecessary\b",
    re.IGNORECASE,
)
# A clause with one of these asks for nothing certain.
_DOUBT = re.compile(
    r"\bno\b|\bnot\b|n't\b|\bnone\b|\bwithout\b|\bunless\b|\bif\b|\bmay\b|\bor\b|\bpreferred\b|\brequested\b|\bhelpful\b"
    r"|\boptional\b|\bsuggested\b|\bonly for\b|\bfirst[ -](?:visit|time)|\bnever\b|\bexcept\b|\bsometimes\b|\brarely\b",
    re.IGNORECASE,
)
_LIST_OF_ONE = re.compile(r"^\s*(?:valid |current )?[A-Za-z .'-]{2,40}$")
_CLAUSE = re.compile(r"[.;\n]+\s+|[;\n]+")

_THIS_ZIP = re.compile(r"\b(?:serves|for|only) residents of (?:this|the same) zip(?: code)?\b", re.IGNORECASE)  # fmt: skip
_COUNTY = re.compile(
    r"\b(?i:serves|serving|for|only|must be(?: an?)?) (?i:residents? of) ((?:[A-Z][\w.'-]+ ){1,3}County)\b"
)
_ZIPS = re.compile(
    r"\b(?:serves|serving|for|only|must live|must reside)(?: (?:only|residents|those|people|families|in|of|from|within|the|following))*"
    r" zip(?: code)?s?:? ((?:\d{5}(?:, and |, | and | & )?)+)",
    re.IGNORECASE,
)
_FEE = re.compile(r"\$|\bfees?\b|\bdues\b|\bcosts?\b|\bcharges?\b|\bpay\b|\bpurchase|\bprice|\b(?:suggested|small) donation|\bdonation (?:of|is|requested|required|asked)\b", re.IGNORECASE)  # fmt: skip


def documents_of(text: str) -> list[str]:
    """Papers that a text plainly requires of every visitor."""
    found: dict[str, None] = {}
    for clause in _CLAUSE.split(text):
        if _DOUBT.search(clause) or not _asks(clause):
            continue
        rest = clause
        for name, pattern in _DOCUMENTS:
            if pattern.search(rest):
                found[name] = None
                rest = pattern.sub(" ", rest)
    return list(found)


def _asks(clause: str) -> bool:
    """A requirement in so many words, or a field of requirements that holds the name of a paper alone."""
    alone = _LIST_OF_ONE.match(clause) and any(p.fullmatch(clause.strip()) for _, p in _DOCUMENTS)
    return bool(_ASKED.search(clause) or alone)


def area_of(text: str) -> tuple[str, str] | None:
    """Kind ("this_zip", "zips", "county") and name of the area whose residents a text says are served."""
    if _THIS_ZIP.search(text):
        return "this_zip", ""
    if match := _ZIPS.search(text):
        return "zips", ", ".join(dict.fromkeys(re.findall(r"\d{5}", match[1])))
    if match := _COUNTY.search(text):
        return "county", match[1]
    return None


def names_a_fee(text: str) -> bool:
    """True where a text speaks of money: then "free" is not certain."""
    return _FEE.search(text) is not None


def requirement_facts(texts: Iterable[str]) -> pd.DataFrame:
    """`text`, `documents` (list), `area_kind`, `area_name`, `has_fee` of distinct texts, rows with a fact only."""
    rows = []
    for text in texts:
        documents, area, fee = documents_of(text), area_of(text), names_a_fee(text)
        if documents or area or fee:
            rows.append((text, documents, *(area or (None, None)), fee))
    return pd.DataFrame(rows, columns=["text", "documents", "area_kind", "area_name", "has_fee"])
