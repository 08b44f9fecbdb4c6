"""Matches records state by state, for the states with changes.

facts (by state) -> candidates (nationwide, in SQL) -> matches (by state) -> clusters, doubtful
pairs.

A build processes all changed states in one step. If that is too slow, backfill the partitioned
twins of the two by-state steps first, each state on any machine of the deployment; the build then
skips those states. The twins are separate from the build's graph: an asset without partitions
cannot be selected together with partitions that it depends on.
"""

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.matching.by_state import write_facts, write_matches
from assets.matching.matching import LOCATED_COLUMNS
from assets.matching.profiles import SHARED_BY
from assets.parallel import for_each
from assets.steps.code_version import code_digest, root_of
from assets.steps.decorators import Output, asset_spec, make_tables, step
from assets.steps.exchange import exchanging
from assets.steps.freshness import fingerprint_of, is_up_to_date
from assets.steps.lineage import content_version
from assets.steps.stages import OWNERS
from assets.steps.workspace import FINGERPRINT, Reads, Step, Workspace, digest_of, measure
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS, LOCATED
from schemas.tables.operations import DECISIONS
from schemas.vocab.states import STATE_CODES
from warehouse.blocking import candidates_by_state
from warehouse.files import remove_others
from warehouse.parquet import (
    content_digest,
    group_digests,
    read_arrow,
    read_frame,
    row_count,
    write_arrow,
)

STATES = dg.StaticPartitionsDefinition(list(STATE_CODES))
BY_STATE = "matching_by_state"  # group of the partitioned twins
FACTS, PAIRS, SHARED = (
    f"_core_directory__match_{name}" for name in ("facts", "pairs", "shared_values")
)
MATCHES = "_core_directory__matches"
_KINDS = {"pandas", "parquet"}
# Rows per batch of facts: each call costs a hundredth of a second.
_BATCH_ROWS = 5_000
Results = Iterator[dg.MaterializeResult]


def _spec(name: str, deps: list[str], description: str) -> dg.AssetSpec:
    """Return the spec of an asset with one file per state."""
    return dg.AssetSpec(name, deps=deps, kinds=_KINDS, description=description)


def _asset_by_state(**arguments: Any) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Make a `dg.asset` partitioned by state; one run processes any number of states."""
    with warnings.catch_warnings():
        # Dagster labels backfill policies as beta.
        warnings.simplefilter("ignore", dg.BetaWarning)
        decorator: Callable[[Callable[..., Any]], dg.AssetsDefinition] = dg.asset(
            group_name=BY_STATE,
            kinds=_KINDS,
            owners=[OWNERS["matching"]],
            partitions_def=STATES,
            backfill_policy=dg.BackfillPolicy.single_run(),
            **arguments,
        )
    return decorator


def part(name: str, state: str) -> str:
    """Return the name of a state's part of a table."""
    return f"{name}/{state}"


def _parts(workspace: Workspace, name: str) -> list[str]:
    """Return the states with a part of a table, sorted."""
    return sorted(path.stem for path in _folder(workspace, name).glob("*.parquet"))


def _folder(workspace: Workspace, name: str) -> Path:
    return workspace.path(name).with_suffix("")


def _keep_only(workspace: Workspace, name: str, states: Iterable[str]) -> None:
    remove_others(_folder(workspace, name), [f"{state}.parquet" for state in states])


def _read_fingerprints(workspace: Workspace, maker: Callable[..., None]) -> dict[str, str]:
    """Return each state's fingerprint: the records that matching reads, and the code."""
    path = workspace.path(LOCATED.name)
    digests = _digests_by_state(path, content_digest(path))
    code = code_digest(root_of(maker))
    return {state: digest_of(digest, code) for state, digest in digests.items()}


@lru_cache(maxsize=1)
def _digests_by_state(path: Path, content: str | None) -> dict[str, str]:
    """Return digests by state, for two steps of a build; `content` is the digest of the rows."""
    return group_digests(path, "state", LOCATED_COLUMNS)


def _stale(
    fingerprints: dict[str, str], states: Iterable[str], workspace: Workspace, name: str
) -> dict[str, str]:
    """Return the requested states whose part has another fingerprint."""
    selection = set(states)
    return {
        state: fingerprint
        for state, fingerprint in fingerprints.items()
        if state in selection and not is_up_to_date(workspace, fingerprint, part(name, state))
    }


def _locations_by_state(workspace: Workspace, states: Collection[str]) -> dict[str, pd.DataFrame]:
    """Return the records of some states, the largest first."""
    if not states:
        return {}
    rows = read_frame(workspace.path(LOCATED.name), LOCATED_COLUMNS, where={"state": states})
    by_state = [(str(state), records) for state, records in rows.groupby("state", sort=True)]
    return dict(sorted(by_state, key=lambda of_state: -len(of_state[1])))


def _batches(locations: dict[str, pd.DataFrame]) -> Iterator[list[str]]:
    """Yield the states in batches of `_BATCH_ROWS` or more; only the last one has fewer."""
    batch: list[str] = []
    rows = 0
    for state, records in locations.items():
        batch.append(state)
        rows += len(records)
        if rows >= _BATCH_ROWS:
            yield batch
            batch, rows = [], 0
    if batch:
        yield batch


def _done(
    name: str, fingerprints: dict[str, str], stale: Collection[str], cost: Step
) -> dg.MaterializeResult:
    """Report the number of processed states; the version comes from the states' fingerprints."""
    facts = {"reused": not stale, "states_done": len(stale), **cost.metadata()}
    version = digest_of(*(f"{state}:{fingerprints[state]}" for state in sorted(fingerprints)))
    return dg.MaterializeResult(
        asset_key=name, metadata=facts, data_version=dg.DataVersion(version[:16])
    )


def _make_facts(
    workspace: Workspace, name: str = FACTS, states: Iterable[str] = STATE_CODES
) -> dg.MaterializeResult:
    with measure() as cost:
        present = _read_fingerprints(workspace, write_facts)
        _keep_only(workspace, FACTS, present)
        stale = _stale(present, states, workspace, FACTS)
        locations = _locations_by_state(workspace, stale)
        tasks = (
            (
                pd.concat([locations[state] for state in states]),
                {s: (workspace.path(part(FACTS, s)), {FINGERPRINT: stale[s]}) for s in states},
            )
            for states in _batches(locations)
        )
        for_each(write_facts, tasks, rows=sum(map(len, locations.values())))
    return _done(name, present, stale, cost)


def _make_pairs(workspace: Workspace) -> dg.MaterializeResult:
    states = _parts(workspace, FACTS)
    reads: Reads = dict.fromkeys(part(FACTS, s) for s in states)
    fingerprint = fingerprint_of(workspace, reads, [candidates_by_state])
    names = [part(name, s) for s in states for name in (PAIRS, SHARED)]
    with measure() as cost:
        is_reused = is_up_to_date(workspace, fingerprint, *names)
        if not is_reused:
            facts = {state: workspace.path(part(FACTS, state)) for state in states}
            for state, candidates in candidates_by_state(facts, SHARED_BY):
                for name, table in ((PAIRS, candidates.pairs), (SHARED, candidates.shared)):
                    write_arrow(
                        table, workspace.path(part(name, state)), {FINGERPRINT: fingerprint}
                    )
            for name in (PAIRS, SHARED):
                _keep_only(workspace, name, states)
        rows = sum(row_count(workspace.path(part(PAIRS, state))) for state in states)
    return dg.MaterializeResult(
        asset_key=PAIRS,
        metadata={"reused": is_reused, "dagster/row_count": rows, **cost.metadata()},
        data_version=content_version(workspace, PAIRS),
    )


@step(
    _spec(
        FACTS,
        [LOCATED.name],
        "What of each state's records the whole country has to know to match them.",
    ),
    _spec(
        PAIRS,
        [FACTS],
        "Pairs of records to compare, and what they share with the rest of the country, by state.",
    ),
    name="core_directory_match_candidates",
    group="matching",
)
def match_candidates(context: dg.AssetExecutionContext, workspace: Workspace) -> Results:
    yield _make_facts(workspace)
    yield _make_pairs(workspace)


@_asset_by_state(
    deps=[LOCATED.name],
    name=f"{FACTS}_by_state",
    description=f"Makes parts of {FACTS}, one state at a time.",
)
def match_facts_by_state(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    with exchanging(workspace.root, f"{FACTS}_by_state", [FACTS]):
        return _make_facts(workspace, f"{FACTS}_by_state", context.partition_keys)


def decisions_by_state(workspace: Workspace) -> dict[str, pd.DataFrame]:
    """Return reviewers' answers by the state of the first record; usually there are none."""
    if not workspace.path(DECISIONS.name).exists():
        return {}
    decisions = workspace.read(DECISIONS.name)
    if decisions.empty:
        return {}
    keys = ["source_id", "source_key"]
    states = read_frame(workspace.path(LOCATED.name), [*keys, "state"])
    answers = decisions.merge(states, on=keys)
    return {str(state): rows.drop(columns="state") for state, rows in answers.groupby("state")}


def _as_text(decisions: pd.DataFrame | None) -> list[str]:
    return [] if decisions is None else [decisions.to_csv(index=False)]


def _make_matches(
    workspace: Workspace, name: str = MATCHES, states: Iterable[str] = STATE_CODES
) -> dg.MaterializeResult:
    with measure() as cost:
        decisions = decisions_by_state(workspace)
        fingerprints = {
            state: digest_of(
                *_as_text(decisions.get(state)),
                fingerprint,
                content_digest(workspace.path(part(PAIRS, state))),
                content_digest(workspace.path(part(SHARED, state))),
            )
            for state, fingerprint in _read_fingerprints(workspace, write_matches).items()
        }
        for table in (CLUSTERS, DOUBTFUL_PAIRS):
            _keep_only(workspace, table.name, fingerprints)
        stale = _stale(fingerprints, states, workspace, CLUSTERS.name)
        locations = _locations_by_state(workspace, stale)
        tasks = (
            (
                rows,
                (workspace.path(part(PAIRS, state)), workspace.path(part(SHARED, state))),
                decisions.get(state),
                tuple(workspace.path(part(t.name, state)) for t in (DOUBTFUL_PAIRS, CLUSTERS)),
                {FINGERPRINT: stale[state]},
            )
            for state, rows in locations.items()
        )
        for_each(write_matches, tasks, rows=sum(map(len, locations.values())))
    return _done(name, fingerprints, stale, cost)


@step(
    _spec(
        MATCHES,
        [PAIRS, LOCATED.name, DECISIONS.name],
        "Records of one place as clusters, and the pairs left to a reviewer, by state.",
    ),
    *(asset_spec(table, [MATCHES]) for table in (DOUBTFUL_PAIRS, CLUSTERS)),
    name="core_directory_matching",
    group="matching",
)
def core_directory_matching(context: dg.AssetExecutionContext, workspace: Workspace) -> Results:
    """Match state by state; collect the clusters and doubtful pairs of all states."""
    yield _make_matches(workspace)
    states = _parts(workspace, CLUSTERS.name)
    for table in (DOUBTFUL_PAIRS, CLUSTERS):
        parts = [part(table.name, state) for state in states]
        fingerprint = fingerprint_of(workspace, dict.fromkeys(parts), settings=[table])
        yield from make_tables(
            workspace, fingerprint, [table], partial(_together, workspace, parts)
        )


def _together(workspace: Workspace, parts: list[str]) -> Output:
    return Output([pa.concat_tables([read_arrow(workspace.path(name)) for name in parts])])


@_asset_by_state(
    deps=[PAIRS, LOCATED.name, DECISIONS.name],
    name=f"{MATCHES}_by_state",
    description=f"Makes parts of {MATCHES}, one state at a time.",
)
def matches_by_state(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    with exchanging(workspace.root, f"{MATCHES}_by_state", [MATCHES]):
        return _make_matches(workspace, f"{MATCHES}_by_state", context.partition_keys)


MATCHING_ASSETS = (match_candidates, core_directory_matching)
ASSETS_BY_STATE = (match_facts_by_state, matches_by_state)
