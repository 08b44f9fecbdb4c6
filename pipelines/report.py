"""Writes the report at the end of a build: input, results, cost."""

from collections import Counter, defaultdict
from textwrap import fill

import pandas as pd

from assets.cleaning.people import PEOPLE_REMOVED
from assets.sources.failures import failure_of
from assets.statistics.quality import states_without_free_food
from assets.steps.workspace import Workspace
from pipelines.hours_report import COVERAGE_COLUMNS, hours_read
from pipelines.options import table
from pipelines.permissions import undecided_lists, waiting_lists
from pipelines.run import Outcome, StepOutcome
from schemas.sources.registry import built_sources, feeds
from schemas.tables.core import AUTOMATIC_CHANGES, FOOD_BANKS, LOCATED, RESOURCES, ZIP_ACCESS
from schemas.vocab.resource_types import RESOURCE_TYPES
from warehouse.release.manifest import Manifest

RELEASE = "out_directory__release"
ZIP_GAP_COLUMNS = ["state", "population", "free_within_10_count"]
_TOP_REASONS = 20
_DEAREST_STEPS = 15


def build_report(outcome: Outcome, workspace: Workspace) -> str:
    """Return the whole report as text."""
    parts = [
        costs(outcome),
        *list_warnings(outcome),
        *list_failed_sources(outcome),
        *list_held_rows(outcome, workspace),
    ]
    is_released = any(step.name == RELEASE for step in outcome.steps)
    if outcome.is_success and not is_released:
        parts.append("Refreshed; no release was built.")
        parts.append(f"Served: {outcome.release_id or 'none yet'}.")
    elif is_released and outcome.release_id:
        manifest = workspace.releases.manifest(outcome.release_id)
        resources = workspace.read(RESOURCES.name, ["state", "resource_type", "is_active"])
        parts = [
            accounts(manifest),
            *explain_withheld(manifest),
            reject_reasons(manifest),
            *count_people(workspace),
            kinds(resources),
            places(resources),
            hours_read(workspace.read(LOCATED.name, COVERAGE_COLUMNS)),
            *states_to_ask(resources, workspace),
            *zips_to_ask(workspace.read(ZIP_ACCESS.name, ZIP_GAP_COLUMNS)),
            *lists_to_decide(workspace),
            automatic_changes(resources, workspace.read(AUTOMATIC_CHANGES.name)),
            *parts,
        ]
        synthetic = ", synthetic" if manifest.is_synthetic else ""
        parts.append(f"Served: release {manifest.release_id}{synthetic}.")
        if outcome.publication:
            parts.append(f"Published: {outcome.publication}.")
        if outcome.failures:
            parts += ["Served here, but failed:", *(f"  {f}" for f in outcome.failures)]
    else:
        parts += lists_to_decide(workspace)
        parts += ["Not released:", *(f"  {failure}" for failure in outcome.failures)]
        parts.append(f"The last good release remains current: {outcome.release_id or 'none yet'}.")
    return "\n\n".join(parts)


def list_warnings(outcome: Outcome) -> list[str]:
    """List non-blocking checks that failed, if any."""
    lines = [f"  {warning}" for warning in outcome.warnings]
    return ["\n".join(["These checks warn:", *lines])] if lines else []


def list_failed_sources(outcome: Outcome) -> list[str]:
    """List sources that could not be updated, with reasons, if any."""
    if not outcome.failed_sources:
        return []
    lines = [f"  {source}: {reason}" for source, reason in sorted(outcome.failed_sources.items())]
    head = "These sources failed. Their tables of an earlier build stay in use, if there are any:"
    return ["\n".join([head, *lines])]


def list_held_rows(outcome: Outcome, workspace: Workspace) -> list[str]:
    """List rows of each update that was held back, if any."""
    registry = built_sources()
    failures = [failure_of(registry[name], workspace) for name in sorted(outcome.failed_sources)]
    return [
        "\n".join([f"Rows of the update of {failure.source_id} that was held back:", *lines])
        for failure in failures
        if failure and (lines := [f"  {example}" for example in failure.examples])
    ]


def list_failures(outcome: Outcome) -> list[str]:
    """Return what failed, each once: steps and checks, then sources, of which a refresh has
    both."""
    reasons = [f"source {source}: {why}" for source, why in sorted(outcome.failed_sources.items())]
    return list(dict.fromkeys([*outcome.failures, *reasons]))


def accounts(manifest: Manifest) -> str:
    """Return rows by source; read = published + merged + rejected + withheld. Sources without rows
    are named below."""
    rows = [
        (
            s.id,
            s.rows_read,
            s.rows_published,
            s.rows_merged,
            s.rows_rejected,
            s.rows_withheld,
            s.newest_vintage or "",
        )
        for s in manifest.sources
        if s.rows_read
    ]
    empty = [s.id for s in manifest.sources if not s.rows_read]
    total = ("total", *(sum(int(row[i]) for row in rows) for i in range(1, 6)), "")
    text = table(
        ["source", "read", "published", "merged", "rejected", "withheld", "vintage"], [*rows, total]
    )
    return text + ("\n\n" + fill(f"Without rows: {', '.join(empty)}", 100) if empty else "")


def explain_withheld(manifest: Manifest) -> list[str]:
    """Say why rows are withheld and what would publish them, if any are."""
    if not any(s.rows_withheld for s in manifest.sources):
        return []
    return [
        "Withheld rows are of lists without a license or permission. "
        "docs/licences.md says how to record\n"
        "a permission; --rights facts_only publishes the facts of lists that state no license."
    ]


def count_people(workspace: Workspace) -> list[str]:
    """Count names of people that were removed from texts, by source, if any were."""
    counts = {
        s.id: workspace.notes(s.core_table).get(PEOPLE_REMOVED, 0) for s in built_sources().values()
    }
    named = [f"{source} {count:,}" for source, count in counts.items() if count]
    text = f"Names of people removed from texts: {', '.join(named)}"
    return [fill(text, 100)] if named else []


def reject_reasons(manifest: Manifest) -> str:
    """Return the most common reasons for rejecting a row, by source."""
    reasons = Counter(
        {(s.id, reason): n for s in manifest.sources for reason, n in s.rejects.items()}
    )
    rows = [(reason, source, n) for (source, reason), n in reasons.most_common(_TOP_REASONS)]
    return table(["rejected because", "source", "rows"], rows)


def automatic_changes(resources: pd.DataFrame, changes: pd.DataFrame) -> str:
    """List hidden listings, and every change made by a behavior rule."""
    inactive = int((~resources["is_active"]).sum())
    head = (
        f"{inactive:,} of {len(resources):,} published resources are inactive: stored, not shown."
    )
    if changes.empty:
        return head
    now = changes["release_id"] == changes["release_id"].max()
    counts = (
        changes.assign(is_new=now)
        .groupby(["rule_id", "changed_field"])["is_new"]
        .agg(["size", "sum"])
    )
    rows = [(*key, int(n["size"]), int(n["sum"])) for key, n in counts.iterrows()]
    return f"{head}\n\n" + table(
        ["rule", "field", "changes", "in the newest release with any"], rows
    )


def kinds(resources: pd.DataFrame) -> str:
    """Count published resources by type."""
    counts = resources["resource_type"].value_counts()
    return table(
        ["type", "resources"], [(t, int(counts[t])) for t in RESOURCE_TYPES if t in counts]
    )


def places(resources: pd.DataFrame) -> str:
    """Count published resources by state, in several columns."""
    counts = resources["state"].value_counts().sort_index()
    cells = [f"{state} {count:>7,}" for state, count in counts.items()]
    return "\n".join("   ".join(cells[i : i + 7]) for i in range(0, len(cells), 7))


def states_to_ask(resources: pd.DataFrame, workspace: Workspace) -> list[str]:
    """Name states without free food and the food banks to ask for lists, if any."""
    missing = states_without_free_food(resources[resources["is_active"]])
    if not missing:
        return []
    path = workspace.path(FOOD_BANKS.name)
    banks = workspace.read(FOOD_BANKS.name, ["state", "name"]) if path.exists() else None
    names = {} if banks is None else banks.groupby("state")["name"].agg(sorted).to_dict()
    lines = [f"  {state}: {', '.join(names[state])}" for state in missing if state in names]
    if unknown := [state for state in missing if state not in names]:
        text = f"no food bank of the network is known in {', '.join(unknown)}"
        lines.append(fill(text, 100, initial_indent="  ", subsequent_indent="  "))
    head = "No place with free food is listed in these states. Ask for a list:"
    declared = feeds().values()
    known = {state: [f.id for f in declared if state in f.states] for state in missing}
    for state, names in known.items():
        if names:
            lines.append(f"  {state}: a list exists, not used yet: {', '.join(names)}")
    return ["\n".join([head, *lines])]


def zips_to_ask(zips: pd.DataFrame) -> list[str]:
    """Count ZIP codes with residents and without free food within 10 miles by state, if any.

    `zips` has the columns state, population and `free_within_10_count`.
    """
    bare = zips[(zips["population"] > 0) & (zips["free_within_10_count"] == 0)]
    if bare.empty:
        return []
    counts = bare["state"].value_counts()
    text = ", ".join(f"{state} {count:,}" for state, count in counts.items())
    return [
        f"{len(bare):,} ZIP codes, with {int(bare['population'].sum()):,} residents, have no free"
        " food within 10 miles. /coverage/STATE and `larder source gaps` name the food banks:\n"
        + fill(text, 100, initial_indent="  ", subsequent_indent="  ")
    ]


def lists_to_decide(workspace: Workspace) -> list[str]:
    """Name the living lists that wait for the operator, if any; only the profile live has some."""
    if workspace.profile != "live":
        return []
    parts = []
    if waiting := waiting_lists(workspace):
        head = "These lists are fetched once you record a permission (larder source allow):"
        text = fill(", ".join(waiting), 100, initial_indent="  ", subsequent_indent="  ")
        parts.append(f"{head}\n{text}")
    if undecided := undecided_lists(workspace):
        parts.append(
            f"{len(undecided)} lists are fetched and not published, because their publishers state"
            " no terms. Decide once:\n"
            "  larder source allow --terms-not-stated --by NAME --on YYYY-MM-DD"
        )
    return parts


def costs(outcome: Outcome) -> str:
    """Return seconds and rows of the most expensive steps, and the cost of the build."""
    by_step: dict[str, list[StepOutcome]] = defaultdict(list)
    for result in outcome.steps:
        by_step[result.step].append(result)
    rows = [
        (step, sum(t.rows or 0 for t in tables), tables[0].seconds)
        for step, tables in by_step.items()
    ]
    rows.sort(key=lambda row: -row[2])
    cells = [(name, count, f"{seconds:.2f}") for name, count, seconds in rows[:_DEAREST_STEPS]]
    if rest := rows[_DEAREST_STEPS:]:
        seconds = sum(row[2] for row in rest)
        cells.append((f"{len(rest)} others", sum(row[1] for row in rest), f"{seconds:.2f}"))
    return (
        table(["step", "rows", "seconds"], cells)
        + f"\n\n{outcome.seconds:.1f} s in all, peak memory {outcome.peak_memory_mb:.0f} MB"
    )
