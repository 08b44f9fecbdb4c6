"""Make totals by state, city and type and single figures, each checked against the resources; and
the crosswalk, from the same tables.
"""

import pandas as pd

from assets.directory.crosswalk import Schemes, crosswalk, list_identifiers
from assets.statistics.atlas import ATLAS_COLUMNS, city_totals, state_totals, type_counts
from assets.statistics.figures import FIGURE_COLUMNS, figures
from assets.steps.checks import recount_check
from assets.steps.decorators import Output, table_asset
from schemas.tables.atlas import CITY_TOTALS, FIGURES, STATE_TOTALS
from schemas.tables.core import DOUBTFUL_PAIRS, IDENTITIES, RECORD_SOURCES, RESOURCES
from schemas.tables.out import CROSSWALK, TYPE_COUNTS
from warehouse.checks.totals import city_disagreements, figure_disagreements, state_disagreements

# Of each table only the columns that the step and its checks read: most changes are to nothing
# else.
TOTALS_READ = {RESOURCES.name: ATLAS_COLUMNS}
FIGURES_READ = {
    RESOURCES.name: FIGURE_COLUMNS,
    RECORD_SOURCES.name: ["resource_id", "source_id", "match_reason"],
}

state_totals_agree = recount_check(
    table=STATE_TOTALS,
    name="state_totals_agree",
    reads=TOTALS_READ,
    description="Every count by state equals a recount of the resources.",
    count=state_disagreements,
)
city_totals_agree = recount_check(
    table=CITY_TOTALS,
    name="city_totals_agree",
    reads=TOTALS_READ,
    description="Every count by city equals a recount of the resources.",
    count=city_disagreements,
)
figures_agree = recount_check(
    table=FIGURES,
    name="figures_agree",
    reads=FIGURES_READ,
    description="Every figure equals a recount of the resources and their source records.",
    count=figure_disagreements,
)


@table_asset(
    TYPE_COUNTS,
    FIGURES,
    CITY_TOTALS,
    STATE_TOTALS,
    CROSSWALK,
    name="out_directory_totals",
    reads={
        **FIGURES_READ,
        RESOURCES.name: list(
            dict.fromkeys([*ATLAS_COLUMNS, *FIGURE_COLUMNS, "is_active", "is_confidential"])
        ),
        RECORD_SOURCES.name: ["resource_id", "source_id", "match_reason", "source_key"],
        IDENTITIES.name: ["resource_id", "id_status"],
        DOUBTFUL_PAIRS.name: ["source_id"],
    },
    group="statistics",
    settings=list_identifiers,
    checks=[state_totals_agree, city_totals_agree, figures_agree],
)
def out_directory_totals(
    resources: pd.DataFrame,
    records: pd.DataFrame,
    ids: pd.DataFrame,
    pairs: pd.DataFrame,
    identifiers: Schemes,
) -> Output:
    by_state = state_totals(resources)
    return Output(
        [
            type_counts(resources),
            figures(resources, records, ids, len(pairs)),
            city_totals(resources),
            by_state,
            crosswalk(resources, records, identifiers),
        ],
        {"states_covered": int((by_state["resource_count"] > 0).sum())},
    )
