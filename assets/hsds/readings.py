"""Reads texts for the HSDS tables, each distinct text once: documents and fees only if plain.

Anything else stays in the service's `eligibility_description`: a document wrongly listed keeps a
family away from food.
"""

import re
from collections.abc import Iterable
from datetime import date

import pandas as pd
import pyarrow as pa

from assets.attributes.documents import list_papers
from assets.hsds.schedules import schedule_spans, zone_offsets
from schemas.vocab.attributes import DOCUMENTS
from warehouse.hsds.inputs import (
    FACTS_SCHEMA,
    SPANS_SCHEMA,
    ZONES_SCHEMA,
    Readings,
    Texts,
)


def read_texts(texts: Texts, as_of: date) -> Readings:
    """Return opening spans, zone offsets and requirements of distinct texts."""
    return Readings(
        spans=_arrow(schedule_spans(texts["schedules"], as_of), SPANS_SCHEMA),
        zones=_arrow(zone_offsets(texts["zones"], as_of), ZONES_SCHEMA),
        facts=_arrow(requirement_facts(texts["facts"]), FACTS_SCHEMA),
    )


def _arrow(frame: pd.DataFrame, schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pandas(frame, schema=schema, preserve_index=False)


_CLAUSE = re.compile(r"[.;\n]+\s+|[;\n]+")

_FEE = re.compile(
    r"\$|\bfees?\b|\bdues\b|\bcosts?\b|\bcharges?\b|\bpay\b|\bpurchase|\bprice"
    r"|\b(?:suggested|small) donation|\bdonation (?:of|is|requested|required|asked)\b",
    re.IGNORECASE,
)


def documents_of(text: str) -> list[str]:
    """Return documents that a text plainly requires of every visitor."""
    codes = (code for clause in _CLAUSE.split(text) for code in list_papers(clause))
    return list(dict.fromkeys(DOCUMENTS[code].en for code in codes))


def names_a_fee(text: str) -> bool:
    """Return whether a text mentions money: then "free" is not certain."""
    return _FEE.search(text) is not None


def requirement_facts(texts: Iterable[str]) -> pd.DataFrame:
    """Return `text`, `documents` (list), `has_fee` of distinct texts that state any."""
    rows = []
    for text in texts:
        documents, fee = documents_of(text), names_a_fee(text)
        if documents or fee:
            rows.append((text, documents, fee))
    return pd.DataFrame(rows, columns=["text", "documents", "has_fee"])
