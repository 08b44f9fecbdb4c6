"""Reads texts for the HSDS tables, each distinct text once."""

from datetime import date

import pandas as pd
import pyarrow as pa

from assets.hsds.requirements import requirement_facts
from assets.hsds.schedules import schedule_spans, zone_offsets
from warehouse.hsds.inputs import (
    FACTS_SCHEMA,
    SPANS_SCHEMA,
    ZONES_SCHEMA,
    Readings,
    Texts,
)


def read_texts(texts: Texts, as_of: date) -> Readings:
    """Return opening spans, zone offsets and requirements, of distinct texts."""
    return Readings(
        spans=_arrow(schedule_spans(texts["schedules"], as_of), SPANS_SCHEMA),
        zones=_arrow(zone_offsets(texts["zones"], as_of), ZONES_SCHEMA),
        facts=_arrow(requirement_facts(texts["facts"]), FACTS_SCHEMA),
    )


def _arrow(frame: pd.DataFrame, schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
