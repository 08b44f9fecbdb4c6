"""Hours read and unread in a build, as text: for its report and for `larder hours --unread`."""

from collections import Counter
from pathlib import Path

import pandas as pd

from assets.attributes.clauses import clauses_of
from assets.attributes.reading import TEXTS, find_unread_clauses
from assets.hours.columns import find_unread_patterns, hours_coverage
from pipelines.options import table
from schemas.tables.core import LOCATED
from warehouse.parquet import read_frame

COVERAGE_COLUMNS = ["source_id", "hours_text", "schedules_json"]
_LONGEST_EXAMPLE = 60


def hours_read(places: pd.DataFrame) -> str:
    """Return by source how many places have hours in words, and how many were parsed."""
    rows = hours_coverage(places).itertuples(index=False)
    return table(
        ("source", "places", "with hours", "read", "in part", "not read", "share read"),
        [(*row[:6], f"{row[6]:.1%}") for row in rows],
    )


def report_unread(data_dir: Path) -> str:
    """Return the most common patterns of unread hours, and by source and text the number of unread
    clauses in the distinct texts of the last build, with examples.

    Raises FileNotFoundError if nothing was built in the directory yet.
    """
    path = data_dir / "tables" / f"{LOCATED.name}.parquet"
    if not path.exists():
        raise FileNotFoundError(f"nothing was built in {data_dir} yet; build with `larder build`")
    places = read_frame(path, ["source_id", *TEXTS])
    rows = []
    for source_id, of_source in places.groupby("source_id"):
        for column in TEXTS:
            texts = of_source[column].dropna().unique()
            clauses = sum(len(clauses_of(text)) for text in texts)
            unread = [clause for text in texts for clause in find_unread_clauses(text, column)]
            if unread:
                example = Counter(unread).most_common(1)[0][0][:60]
                rows.append((source_id, column, len(texts), clauses, len(unread), example))
    patterns = [
        (pattern, texts, example[:_LONGEST_EXAMPLE])
        for pattern, texts, example in find_unread_patterns(places["hours_text"])
    ]
    return "\n\n".join(
        [
            table(("pattern of hours", "texts", "for example"), patterns),
            table(("source", "text", "texts", "clauses", "not read", "for example"), rows),
        ]
    )
