"""Reads papers and fees from a source's words, only where they are plain.

Anything else stays in the service's `eligibility_description`: a paper wrongly listed keeps a
family away from food.
"""

import re
from collections.abc import Iterable

import pandas as pd

from assets.attributes.documents import required_papers
from schemas.vocab.attributes import DOCUMENTS

_CLAUSE = re.compile(r"[.;\n]+\s+|[;\n]+")

_FEE = re.compile(
    r"\$|\bfees?\b|\bdues\b|\bcosts?\b|\bcharges?\b|\bpay\b|\bpurchase|\bprice|\b(?:suggested|small) donation|\bdonation (?:of|is|requested|required|asked)\b",
    re.IGNORECASE,
)


def documents_of(text: str) -> list[str]:
    """Return papers that a text plainly requires of every visitor."""
    codes = (code for clause in _CLAUSE.split(text) for code in required_papers(clause))
    return list(dict.fromkeys(DOCUMENTS[code].en for code in codes))


def names_a_fee(text: str) -> bool:
    """Return True where a text speaks of money: then "free" is not certain."""
    return _FEE.search(text) is not None


def requirement_facts(texts: Iterable[str]) -> pd.DataFrame:
    """Return `text`, `documents` (list), `has_fee` of distinct texts, rows with a fact only."""
    rows = []
    for text in texts:
        documents, fee = documents_of(text), names_a_fee(text)
        if documents or fee:
            rows.append((text, documents, fee))
    return pd.DataFrame(rows, columns=["text", "documents", "has_fee"])
