"""Make totals by state, city and type and single figures, each checked against the resources; and
the crosswalk, from the same tables.
"""

from collections.abc import Iterator

import dagster as dg
import pandas as pd

from assets.directory.identity import crosswalk, list_identifiers
from assets.statistics.atlas import ATLAS_COLUMNS, city_totals, state_totals, type_counts
from assets.statistics.figures import FIGURE_COLUMNS, figures
from assets.steps.checks import recount_check
from assets.steps.tables import outputs, outs_of, read
from schemas.tables.core import (
    CITY_TOTALS,
    CROSSWALK,
    DOUBTFUL_PAIRS,
    FIGURES,
    IDENTITIES,
    RECORD_SOURCES,
    RESOURCES,
    STATE_TOTALS,
    TYPE_COUNTS,
)
from warehouse.checks.totals import city_disagreements, figure_disagreements, state_disagreements

state_totals_agree = recount_check(
    table=STATE_TOTALS,
    name="state_totals_agree",
    reads=[RESOURCES.name],
    description="Every count by state equals a recount of the resources.",
    count=state_disagreements,
)
city_totals_agree = recount_check(
    table=CITY_TOTALS,
    name="city_totals_agree",
    reads=[RESOURCES.name],
    description="Every count by city equals a recount of the resources.",
    count=city_disagreements,
)
figures_agree = recount_check(
    table=FIGURES,
    name="figures_agree",
    reads=[RESOURCES.name, RECORD_SOURCES.name],
    description="Every figure equals a recount of the resources and their source records.",
    count=figure_disagreements,
)


TOTALS_CHECKS = (state_totals_agree, city_totals_agree, figures_agree)


@dg.multi_asset(
    ins={
        "resources": read(
            RESOURCES,
            list(dict.fromkeys([*ATLAS_COLUMNS, *FIGURE_COLUMNS, "is_active", "is_confidential"])),
        ),
        "records": read(RECORD_SOURCES, ["resource_id", "source_id", "match_reason", "source_key"]),
        "ids": read(IDENTITIES, ["resource_id", "id_status"]),
        "pairs": read(DOUBTFUL_PAIRS, ["source_id"]),
    },
    outs=outs_of("statistics", TYPE_COUNTS, FIGURES, CITY_TOTALS, STATE_TOTALS, CROSSWALK),
    can_subset=True,
)
def out_directory_totals(
    context: dg.AssetExecutionContext,
    resources: pd.DataFrame,
    records: pd.DataFrame,
    ids: pd.DataFrame,
    pairs: pd.DataFrame,
) -> Iterator[dg.Output[pd.DataFrame]]:
    by_state = state_totals(resources)
    tables = {
        TYPE_COUNTS: type_counts(resources),
        FIGURES: figures(resources, records, ids, len(pairs)),
        CITY_TOTALS: city_totals(resources),
        STATE_TOTALS: by_state,
        CROSSWALK: crosswalk(resources, records, list_identifiers()),
    }
    covered = int((by_state["resource_count"] > 0).sum())
    yield from outputs(context, tables, {"states_covered": covered})
