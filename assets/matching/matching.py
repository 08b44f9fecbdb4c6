"""Matches source records that describe one place: candidates, evidence, verdicts, groups, reasons.

The result depends on the records alone: not on their order, not on the number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from assets.matching.evidence import Comparer, Evidence
from assets.matching.names import telling_words_of
from assets.matching.profiles import (
    Codes,
    Flags,
    Profiles,
    components,
    profiles_of,
    with_shared,
)
from assets.matching.rules import (
    RULES,
    VERDICTS,
    Verdict,
    judge,
    may_join,
    may_join_at_address,
    questions,
    reason,
    strength,
)
from warehouse.blocking import candidate_pairs

ONLY_RECORD = "only record"
# Pairs compared at a time; limits memory without changing the result.
_CHUNK = 400_000
# In a larger component the pairs that are not candidates count as incompatible.
_LARGEST_COMPLETED = 120
LOCATED_COLUMNS = [
    "source_id",
    "source_key",
    "file_name",
    "compiled_from",
    "resource_type",
    "name",
    "organization",
    "address",
    "city",
    "state",
    "zip",
    "phone_e164",
    "website",
    "lat",
    "lng",
    "location_precision",
    "schedules_json",
]


@dataclass(frozen=True)
class Matching:
    """`clusters` in the columns of CLUSTERS, a row for every input row in its order; `doubtful`
    in those of DOUBTFUL_PAIRS. `pairs_by_rule` counts the pairs in one group or left to a reviewer
    by the row of rules.yaml that decided."""

    clusters: pd.DataFrame
    doubtful: pd.DataFrame
    pairs_by_rule: dict[str, int]


class _Rank(IntEnum):
    """Precedence of a pair among others. A link of the last three holds only where neither record
    has a closer partner in the other's list.
    """

    REPEATED = -1  # one list has the place twice
    NONE = 0
    PARTNER = 1  # such a closer partner
    OTHER_NAME = 2
    HOST = 3  # no name, or that of a host
    PANTRY_AND_KITCHEN = 4


_OTHER_NAME_RULES, _HOST_RULES = (
    [number for number, (_, _, rule) in enumerate(RULES) if rule.rank == rank]
    for rank in ("other_name", "host")
)


@dataclass(frozen=True)
class _Pairs:
    """Pairs that are the same or doubtful; `rule` is -1 for those that a reviewer decided."""

    a: Codes
    b: Codes
    verdict: NDArray[np.int8]
    rule: NDArray[np.int8]
    strength: NDArray[np.int64]
    rank: NDArray[np.int8]


@dataclass(frozen=True)
class Decisions:
    """Reviewers' answers, sorted: pairs of rows of the profiles as numbers (`_keys`)."""

    same: NDArray[np.int64]
    apart: NDArray[np.int64]

    def are_decided(self, a: Codes, b: Codes) -> Flags:
        return np.isin(_keys(a, b), [*self.same, *self.apart])


def cluster(
    located: pd.DataFrame,
    previous_decisions: pd.DataFrame | None = None,
    *,
    has_sources: bool = True,
) -> Matching:
    """Return clusters of located records and the pairs left to a reviewer.

    `located` needs LOCATED_COLUMNS; `organization`, `location_precision` and
    `schedules_json` may be absent.
    `previous_decisions` are reviewers' answers: source_id, source_key, other_source_id,
    other_source_key, decision ("same" or "different"); they overrule the rules. Without
    `has_sources` every record counts as a source of its own. Raises ValueError when two records
    have one key.
    """
    profiles = profiles_of(located, has_sources=has_sources)
    records = pa.table(
        {
            "row": np.arange(len(profiles), dtype=np.int32),
            "name": profiles.name.codes,
            "content": profiles.content.codes,
            "number": profiles.number,
            "core": profiles.core,
            "zip": profiles.zip,
            "city": profiles.city.codes,
            "state": profiles.state,
            "phone": profiles.phone,
            "website": profiles.website,
            "lat": profiles.lat,
            "lng": profiles.lng,
            "is_exact": profiles.is_exact,
        }
    )
    names = pa.table(
        {
            "name": np.arange(len(profiles.name.values), dtype=np.int32),
            "words": pa.array(map(telling_words_of, profiles.name.values), pa.string()),
        }
    )
    decisions = read_decisions(previous_decisions, profiles.member)
    return _match(located, profiles, decisions, candidate_pairs(records, names))


def cluster_state(
    located: pd.DataFrame,
    pairs: pa.Table,
    shared: pa.Table,
    previous_decisions: pd.DataFrame | None = None,
) -> Matching:
    """Return the result of `cluster` on the whole country for the records of one state.

    `previous_decisions` are reviewers' answers, as in `cluster`. `pairs` and `shared`
    (PAIRS_SCHEMA, SHARED_SCHEMA) come from `warehouse.blocking.candidates_by_state`. Raises
    ValueError when two records have one key.
    """
    profiles = with_shared(profiles_of(located), shared)
    decisions = read_decisions(previous_decisions, profiles.member)
    return _match(located, profiles, decisions, pairs)


def read_decisions(decisions: pd.DataFrame | None, member: pd.Series) -> Decisions:
    """Return decisions on records that still exist; `member` are the sorted keys "source:key".

    Raises ValueError for an answer that is neither "same" nor "different".
    """
    if decisions is None or decisions.empty:
        nothing = np.array([], dtype=np.int64)
        return Decisions(nothing, nothing)
    is_unknown = ~decisions["decision"].isin(["same", "different"])
    if is_unknown.any():
        raise ValueError(f"decision {decisions.loc[is_unknown, 'decision'].iloc[0]!r} is unknown")
    index = pd.Index(member)
    a = index.get_indexer(decisions["source_id"] + ":" + decisions["source_key"])
    b = index.get_indexer(decisions["other_source_id"] + ":" + decisions["other_source_key"])
    is_valid = (a >= 0) & (b >= 0) & (a != b)
    keys = _keys(np.minimum(a, b), np.maximum(a, b))
    is_same = decisions["decision"].eq("same").to_numpy()
    # Contradictory answers on one pair: "different" wins, since a wrong merge is worse.
    apart = np.unique(keys[is_valid & ~is_same])
    return Decisions(np.setdiff1d(keys[is_valid & is_same], apart), apart)


def _match(
    located: pd.DataFrame, profiles: Profiles, decisions: Decisions, candidates: pa.Table
) -> Matching:
    comparer = Comparer(profiles)
    pairs = _judge(comparer, decisions, candidates)
    verdict = _one_to_one(profiles, pairs)
    is_apart = (pairs.verdict == Verdict.SAME) & (verdict != Verdict.SAME)
    apart_keys = _keys(pairs.a, pairs.b)[is_apart & (pairs.rank != _Rank.HOST)]
    pairs = replace(pairs, verdict=verdict)
    is_same = verdict == Verdict.SAME
    links = pairs.a[is_same], pairs.b[is_same]
    is_partner = is_same & np.isin(pairs.rank, [_Rank.REPEATED, _Rank.PARTNER])
    address = components(len(profiles), pairs.a[is_partner], pairs.b[is_partner])

    def are_compatible(a: Codes, b: Codes) -> Flags:
        evidence = comparer.compare(a, b)
        is_allowed = may_join(evidence)
        # The point or telephone of one of two records at one address applies to both.
        one, other = np.sort([address[a], address[b]], axis=0)
        is_proven = np.isin(_keys(one, other), _keys(one, other)[is_allowed])
        is_allowed |= is_proven & may_join_at_address(evidence)
        return np.asarray(is_allowed & ~np.isin(_keys(a, b), [*decisions.apart, *apart_keys]))

    root = group(len(profiles), links, pairs.strength[is_same], are_compatible)
    reasons = _reasons(links, pairs.strength[is_same], root, comparer, decisions)
    in_order = np.argsort(profiles.input_row)
    texts = [reasons.get(row, ONLY_RECORD) for row in range(len(profiles))]
    clusters = pd.DataFrame(
        {
            "source_id": located["source_id"],
            "source_key": located["source_key"],
            "cluster_id": profiles.member.iloc[root[in_order]].set_axis(located.index),
            "match_reason": pd.Series(texts, dtype="str").iloc[in_order].set_axis(located.index),
        }
    )
    is_kept = np.where(is_same, root[pairs.a] == root[pairs.b], root[pairs.a] != root[pairs.b])
    is_kept &= (verdict == VERDICTS[pairs.rule]) & (pairs.rule >= 0)
    counts = np.bincount(pairs.rule[is_kept], minlength=len(RULES))
    names = (f"{rule_verdict.name.lower()}: {name}" for rule_verdict, name, _ in RULES)
    by_rule = dict(zip(names, counts.tolist(), strict=True))
    return Matching(clusters, _doubtful(located, profiles, root, pairs, comparer), by_rule)


def _judge(comparer: Comparer, decisions: Decisions, candidates: pa.Table) -> _Pairs:
    """Return the candidates that are the same or doubtful, and those that a reviewer joined."""
    # A reviewer's "same" is the strongest link.
    a, b = (decisions.same >> 32).astype(np.int32), (decisions.same & 0xFFFFFFFF).astype(np.int32)
    same, none, rank = (
        np.full(len(a), value, dtype=np.int8) for value in (Verdict.SAME, -1, _Rank.NONE)
    )
    parts = [_Pairs(a, b, same, none, np.full(len(a), 2**40), rank)]
    for start in range(0, candidates.num_rows, _CHUNK):
        chunk = candidates.slice(start, _CHUNK)
        a, b = chunk["a"].to_numpy(), chunk["b"].to_numpy()
        is_open = ~decisions.are_decided(a, b)
        evidence = comparer.compare(a[is_open], b[is_open])
        verdict, rule = judge(evidence)
        every = _Pairs(
            evidence.a, evidence.b, verdict, rule, strength(evidence), _ranks(evidence, rule)
        )
        parts.append(_where(every, np.isin(verdict, (Verdict.SAME, Verdict.DOUBTFUL))))
    columns = {f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(_Pairs)}
    return _Pairs(**columns)


def _where(pairs: _Pairs, mask: Flags) -> _Pairs:
    return _Pairs(**{field.name: getattr(pairs, field.name)[mask] for field in fields(_Pairs)})


def _ranks(e: Evidence, rule: NDArray[np.int8]) -> NDArray[np.int8]:
    is_house = e.signs["same_number_and_street"]
    # A compiled list has a place twice if it found it in two lists.
    is_repeated = e.signs["unattributed_list"] & e.signs["distinctive_words"]
    conditions = {
        _Rank.PANTRY_AND_KITCHEN: e.signs["compatible_types"] & ~e.signs["free_food"],
        _Rank.HOST: np.isin(rule, _HOST_RULES),
        _Rank.OTHER_NAME: np.isin(rule, _OTHER_NAME_RULES) & ~is_repeated,
        _Rank.REPEATED: is_house & e.signs["same_list"],
        _Rank.PARTNER: is_house,
    }
    return np.select([*conditions.values()], [*conditions], _Rank.NONE).astype(np.int8)


def _one_to_one(p: Profiles, pairs: _Pairs) -> NDArray[np.int8]:
    """Return the verdicts after leaving each record at most one partner in a list.

    Thus the pantry and the kitchen of one publisher are assigned to those of another. If the
    partner itself is doubtful, or two records at one address have no name, the link is left to a
    reviewer. Records that one list has twice are one partner. Without lists any partner counts.
    """
    is_same = pairs.verdict == Verdict.SAME
    is_host = pairs.rank == _Rank.HOST
    one_list = np.zeros(len(p), dtype=np.int32)
    lists, sources = (p.list, p.source) if p.has_sources else (one_list, one_list)
    is_own = is_same & (p.list[pairs.a] == p.list[pairs.b])
    is_one = is_own & (pairs.rank <= _Rank.NONE)
    partners = components(len(p), pairs.a[is_one], pairs.b[is_one])
    is_one |= is_own & is_host & ~_have_rival(pairs, lists, partners, is_own & is_host)
    partners = components(len(p), pairs.a[is_one], pairs.b[is_one])

    def have_rival(mask: Flags) -> Flags:
        return np.where(
            pairs.rank == _Rank.PANTRY_AND_KITCHEN,
            _have_rival(pairs, sources, partners, mask),
            _have_rival(pairs, lists, partners, mask),
        )

    is_partner = pairs.rank == _Rank.PARTNER
    is_weak = is_same & (pairs.rank >= _Rank.OTHER_NAME)
    is_open = is_weak & (have_rival(is_partner) | (is_host & have_rival(is_same & is_host)))
    verdict = np.where(is_open, Verdict.DOUBTFUL, pairs.verdict)
    verdict[is_weak & have_rival(is_partner & is_same)] = Verdict.UNRELATED
    return verdict.astype(np.int8)


def _have_rival(pairs: _Pairs, lists: Codes, partners: Codes, mask: Flags) -> Flags:
    """Check for which pairs either record has another partner in the other's list."""
    if not mask.any():
        return np.zeros(len(mask), dtype=bool)
    one, other = _keys(pairs.a, lists[pairs.b]), _keys(pairs.b, lists[pairs.a])
    frame = pd.DataFrame(
        {
            "key": np.concatenate([one[mask], other[mask]]),
            "once": np.concatenate([partners[pairs.b[mask]], partners[pairs.a[mask]]]),
        }
    )
    bounds_by_key = frame.groupby("key")["once"].agg(["min", "max"])

    def is_other(keys: NDArray[np.int64], partner: Codes) -> Flags:
        bounds = bounds_by_key.reindex(keys)
        return np.asarray((bounds["min"] < partner) | (bounds["max"] > partner))

    return is_other(one, partners[pairs.b]) | is_other(other, partners[pairs.a])


def _keys(a: NDArray[np.integer], b: NDArray[np.integer]) -> NDArray[np.int64]:
    return a.astype(np.int64) << 32 | b


def group(
    count: int,
    links: tuple[Codes, Codes],
    strengths: NDArray[np.int64],
    are_compatible: Callable[[Codes, Codes], Flags],
) -> Codes:
    """Return the smallest row of each record's group.

    The strongest links come first. There are no chains: two groups join only if every record of
    one is linked to, or compatible with, every record of the other.
    """
    root = np.arange(count, dtype=np.int32)
    a, b = links
    if not len(a):
        return root
    component = components(count, a, b)
    size = np.bincount(component)
    is_pair = size[component[a]] == 2
    root[np.maximum(a, b)[is_pair]] = np.minimum(a, b)[is_pair]
    others = np.flatnonzero(~is_pair)
    a, b = a[others], b[others]
    allowed_pairs = set(zip(np.minimum(a, b).tolist(), np.maximum(a, b).tolist(), strict=True))
    rows = np.unique(np.concatenate([a, b]))
    rows = rows[size[component[rows]] <= _LARGEST_COMPLETED]
    rows = rows[np.argsort(component[rows], kind="stable")]
    if len(rows):
        parts = np.split(rows, np.flatnonzero(np.diff(component[rows])) + 1)
        indices = [np.triu_indices(len(part), 1) for part in parts]
        x = np.concatenate([part[i] for part, (i, _) in zip(parts, indices, strict=True)])
        y = np.concatenate([part[j] for part, (_, j) in zip(parts, indices, strict=True)])
        is_allowed = are_compatible(x, y)
        allowed_pairs.update(zip(x[is_allowed].tolist(), y[is_allowed].tolist(), strict=True))
    members: dict[int, list[int]] = {}
    order = np.lexsort((b, a, -strengths[others]))
    for one, other in zip(a[order].tolist(), b[order].tolist(), strict=True):
        first, second = int(root[one]), int(root[other])
        parts_of_group = members.get(first, [first]), members.get(second, [second])
        if first != second and all(
            (min(x, y), max(x, y)) in allowed_pairs
            for x in parts_of_group[0]
            for y in parts_of_group[1]
        ):
            joined = sorted(parts_of_group[0] + parts_of_group[1])
            root[joined] = joined[0]
            members[joined[0]] = joined
    return root


def _reasons(
    links: tuple[Codes, Codes],
    strengths: NDArray[np.int64],
    root: Codes,
    comparer: Comparer,
    decisions: Decisions,
) -> dict[int, str]:
    """Return the strongest link of each merged record within its group, in words."""
    a, b = links
    inner_links = np.flatnonzero(root[a] == root[b])
    order = inner_links[np.lexsort((b[inner_links], a[inner_links], -strengths[inner_links]))]
    best_links: dict[int, int] = {}
    for link, one, other in zip(order.tolist(), a[order].tolist(), b[order].tolist(), strict=True):
        best_links.setdefault(one, link)
        best_links.setdefault(other, link)
    unique_links = np.array(sorted(set(best_links.values())), dtype=np.int64)
    evidence = comparer.compare(a[unique_links], b[unique_links])
    is_decided = decisions.are_decided(a[unique_links], b[unique_links])
    texts = {
        link: "a reviewer found them the same" if is_decided[at] else reason(evidence, at)
        for at, link in enumerate(unique_links.tolist())
    }
    return {row: texts[link] for row, link in best_links.items()}


def _doubtful(
    located: pd.DataFrame, p: Profiles, root: Codes, pairs: _Pairs, comparer: Comparer
) -> pd.DataFrame:
    """Return doubtful pairs whose records ended in different groups, sorted by key."""
    open_pairs = _where(
        pairs, (pairs.verdict == Verdict.DOUBTFUL) & (root[pairs.a] != root[pairs.b])
    )
    evidence = comparer.compare(open_pairs.a, open_pairs.b)
    one, other = (located.iloc[p.input_row[rows]] for rows in (open_pairs.a, open_pairs.b))
    frame = pd.DataFrame(
        {
            "source_id": one["source_id"].to_numpy(),
            "source_key": one["source_key"].to_numpy(),
            "other_source_id": other["source_id"].to_numpy(),
            "other_source_key": other["source_key"].to_numpy(),
            "doubt_reason": pd.Series(questions(evidence), dtype="str"),
            "name_similarity": evidence.similarity.astype(float).round(2),
            "miles_apart": evidence.miles.round(3),
        }
    )
    return frame.sort_values(
        ["source_id", "source_key", "other_source_id", "other_source_key"], ignore_index=True
    )
