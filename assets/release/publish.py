"""Release report: per source the rows read, published, merged and rejected."""

import base64
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd
import resvg_py

from schemas.sources.registry import Source
from schemas.vocab.resource_types import TYPES_BY_MODE
from warehouse.release.manifest import SourceEntry


def source_entries(
    sources: Mapping[str, Source],
    rows_read: Mapping[str, int],
    rejects: pd.DataFrame,
    located: pd.DataFrame,
    record_sources: pd.DataFrame,
    raw_files: Mapping[str, pd.DataFrame],
    published: Mapping[str, int],
    withheld: Mapping[str, int],
    failures: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> list[SourceEntry]:
    """Return the account of every source.

    `located` has `source_id` and `is_publishable`. `published` and `withheld` give the accepted
    rows of sources without places: those with their own published table, and those without.
    `failures` (time, reason) are of sources whose rows are from an earlier build. Raises ValueError
    if a source's account does not add up: a row was lost or counted twice.
    """
    is_primary = record_sources["is_primary"].astype(bool)
    primary = _by_source(record_sources[is_primary])
    merged = _by_source(record_sources[~is_primary])
    withheld_rows = _by_source(located[~located["is_publishable"].astype(bool)])
    reasons = _reasons(rejects)
    entries = []
    for source_id, source in sources.items():
        files = raw_files[source_id]
        failed_at, failure = failures.get(source_id, (None, None))
        vintages = [v for name in files["file_name"] if (v := source.vintage_of(name))]
        entry = SourceEntry(
            id=source_id,
            rows_read=rows_read[source_id],
            rows_published=primary[source_id] + published.get(source_id, 0),
            rows_merged=merged[source_id],
            rows_rejected=sum(reasons.get(source_id, {}).values()),
            rows_withheld=withheld_rows[source_id] + withheld.get(source_id, 0),
            rejects=reasons.get(source_id, {}),
            newest_vintage=max(vintages).isoformat() if vintages else None,
            retrieved_at=files["retrieved_at"].max().isoformat() if len(files) else None,
            failed_at=failed_at,
            failure=failure,
        )
        _must_add_up(entry)
        entries.append(entry)
    return entries


def _by_source(rows: pd.DataFrame) -> Counter[str]:
    return Counter(rows["source_id"].value_counts().to_dict())


def _reasons(rejects: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Return rejected rows by source and reason."""
    counts = rejects.groupby(["source_id", "reject_reason"], sort=True).size()
    counts_by_source: dict[str, dict[str, int]] = {}
    for (source_id, reason), count in counts.items():
        counts_by_source.setdefault(str(source_id), {})[str(reason)] = int(count)
    return counts_by_source


def _must_add_up(entry: SourceEntry) -> None:
    accounted = entry.rows_published + entry.rows_merged + entry.rows_rejected + entry.rows_withheld
    if accounted != entry.rows_read:
        raise ValueError(
            f"{entry.id}: {entry.rows_read} rows read, but {accounted} accounted for "
            f"(published {entry.rows_published}, merged {entry.rows_merged}, rejected "
            f"{entry.rows_rejected}, withheld {entry.rows_withheld})"
        )


_MAP_WIDTH, _MAP_HEIGHT = 720, 468
# Degrees: all states; Guam and its neighbours are outside.
_MAP_WEST, _MAP_EAST, _MAP_SOUTH, _MAP_NORTH = -180, -60, 12, 72


def coverage_map(resources: pd.DataFrame) -> str:
    """Draw places as a Markdown image (PNG, base64), for the Dagster page of a release.

    A pixel is red if free food is listed, grey for other places.
    """
    is_free = resources["resource_type"].isin(TYPES_BY_MODE["free"])
    paths = [
        f'<path d="{_pixels(rows)}" stroke="{colour}"/>'
        for rows, colour in ((resources[~is_free], "#bfbfbf"), (resources[is_free], "#b3261e"))
    ]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_MAP_WIDTH}" height="{_MAP_HEIGHT}">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(paths)}</svg>'
    )
    image = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
    return f"![Coverage](data:image/png;base64,{base64.b64encode(image).decode()})"


def _pixels(rows: pd.DataFrame) -> str:
    """Return an SVG path with a one-pixel dash for each pixel with a point."""
    x = (rows["lng"] - _MAP_WEST) / (_MAP_EAST - _MAP_WEST) * _MAP_WIDTH
    y = (_MAP_NORTH - rows["lat"]) / (_MAP_NORTH - _MAP_SOUTH) * _MAP_HEIGHT
    is_inside = x.between(0, _MAP_WIDTH) & y.between(0, _MAP_HEIGHT)
    pixels = pd.DataFrame({"x": x[is_inside], "y": y[is_inside]}).astype("int64").drop_duplicates()
    return "".join(f"M{x} {y}.5h1" for x, y in pixels.itertuples(index=False))


def bars(heading: str, values: pd.Series) -> str:
    """Return numbers by label as a Markdown table with bars proportional to the largest."""
    longest = max(values.max(), 1) if len(values) else 1
    lines = [f"| {heading} | | |", "| --- | ---: | --- |"]
    for label, value in values.items():
        lines.append(f"| {label} | {value:,.0f} | {'█' * round(30 * value / longest)} |")
    return "\n".join(lines)


def report_summary(entries: list[SourceEntry], facts: Mapping[str, Any]) -> str:
    """Return the account as a Markdown table."""
    lines = [
        "| source | read | published | merged | rejected | withheld |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        (
            f"| {e.id} | {e.rows_read} | {e.rows_published} | {e.rows_merged} | {e.rows_rejected} "
            f"| {e.rows_withheld} |"
        )
        for e in entries
    ]
    return "\n".join([*lines, "", *(f"- {name}: {value}" for name, value in facts.items())])


# Compares the network's food banks with the directory's lists for their areas.

GAP_COLUMNS = ["state", "name", "zips", "zips_with_free_food", "free_food_places", "living_sources"]


def source_gaps(
    food_banks: pd.DataFrame,
    resources: pd.DataFrame,
    record_sources: pd.DataFrame,
    sources: Mapping[str, Source],
) -> pd.DataFrame:
    """Return one row for each food bank, in `GAP_COLUMNS`, by state and name.

    `food_banks` has name, state and `served_zips`; `resources` `resource_id`, `resource_type`,
    `zip` and `is_active`; `record_sources` `resource_id` and `source_id`. A place counts in the
    area of its ZIP code. A source is live if it has a fetch address; `living_sources` are those
    with a place of free food in the area, separated by blanks.
    """
    is_free = resources["is_active"] & resources["resource_type"].isin(TYPES_BY_MODE["free"])
    free = resources.loc[is_free & resources["zip"].notna(), ["resource_id", "zip"]]
    living = {source_id for source_id, source in sources.items() if source.live}
    fetched = record_sources[record_sources["source_id"].isin(living)]
    alive = free.merge(fetched[["resource_id", "source_id"]], on="resource_id")
    by_zip = free["zip"].value_counts()
    sources_by_zip = alive.groupby("zip")["source_id"].unique()
    rows = []
    for bank in food_banks.itertuples(index=False):
        zips = set(bank.served_zips)
        counts = by_zip[by_zip.index.isin(zips)]
        source_ids = sorted(
            {s for z in zips & set(sources_by_zip.index) for s in sources_by_zip[z]}
        )
        rows.append(
            (bank.state, bank.name, len(zips), len(counts), int(counts.sum()), " ".join(source_ids))
        )
    return pd.DataFrame(rows, columns=GAP_COLUMNS).sort_values(["state", "name"], ignore_index=True)
