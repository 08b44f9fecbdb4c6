"""Hours coverage of a data directory as text, for `larder hours --coverage`."""

from __future__ import annotations

from pathlib import Path

from assets.hours.coverage import hours_coverage, reasons_not_read
from pipelines.report import table
from schemas.tables.core import LOCATED
from warehouse.parquet import read_frame


def coverage_report(data_dir: Path) -> str:
    """Return the places of the last build by source, and the commonest reasons of texts that were
    not read.

    Raises FileNotFoundError when nothing was built in the directory yet.
    """
    path = data_dir / "tables" / f"{LOCATED.name}.parquet"
    if not path.exists():
        raise FileNotFoundError(f"nothing was built in {data_dir} yet; build with `larder build`")
    places = read_frame(path, ["source_id", "hours_text", "schedules_json"])
    rows = hours_coverage(places).itertuples(index=False)
    unread = places["hours_text"][places["schedules_json"].isna()]
    return "\n\n".join(
        [
            table(
                ("source", "places", "with hours", "read", "not read", "share read"),
                [(*row[:5], f"{row[5]:.1%}") for row in rows],
            ),
            table(("why a text was not read", "texts"), reasons_not_read(unread)),
        ]
    )
