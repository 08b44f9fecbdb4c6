"""Matches source records that describe one place: candidates, evidence, verdicts, groups, reasons.

The result depends on the records alone: not on their order, not on the number of threads.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from assets.matching.decisions import Decisions, read_decisions
from assets.matching.evidence import Comparer, Evidence
from assets.matching.linking import group
from assets.matching.match_features import with_shared
from assets.matching.names import telling_words_of
from assets.matching.profiles import Codes, Flags, Profiles, profiles_of
from assets.matching.streets import AddressRelation
from assets.matching.type_relations import TypeRelation
from assets.matching.verdicts import (
    Verdict,
    are_compatible,
    are_compatible_by_door,
    by_door,
    by_hours,
    by_line,
    judge,
    questions,
    reason,
    strength,
)
from warehouse.blocking import candidate_pairs

ONLY_RECORD = "only record"
# Pairs compared at a time; limits memory without changing the result.
_CHUNK = 400_000
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
    in those of DOUBTFUL_PAIRS."""

    clusters: pd.DataFrame
    doubtful: pd.DataFrame


class _Rank(IntEnum):
    """Precedence of a pair among others. A link of the last three holds only where neither record
    has a closer partner in the other's list.
    """

    TWIN = -1  # one list gives it twice at one door
    NONE = 0
    PARTNER = 1  # such a closer partner
    LINE = 2  # other names behind one telephone, or at one door
    DOOR = 3  # no name, or that of a host
    CROSS = 4  # a pantry and a kitchen


@dataclass(frozen=True)
class _Pairs:
    a: Codes
    b: Codes
    verdict: NDArray[np.int8]
    strength: NDArray[np.int64]
    question: NDArray[np.int8]
    rank: NDArray[np.int8]

    @property
    def keys(self) -> NDArray[np.int64]:
        return _keys(self.a, self.b)


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
    decisions = read_decisions(previous_decisions, profiles.member)
    return _match(located, profiles, decisions, _candidates(profiles))


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
    return _match(located, profiles, decisions, _in_chunks(pairs))


def _match(
    located: pd.DataFrame,
    profiles: Profiles,
    decisions: Decisions,
    candidates: Iterable[tuple[Codes, Codes]],
) -> Matching:
    comparer = Comparer(profiles)
    pairs = _judge(profiles, comparer, decisions, candidates)
    verdict = _one_to_one(profiles, pairs)
    is_apart = (pairs.verdict == Verdict.SAME) & (verdict != Verdict.SAME)
    apart_keys = np.sort(pairs.keys[is_apart & (pairs.rank != _Rank.DOOR)])
    pairs = replace(pairs, verdict=verdict)
    is_same = pairs.verdict == Verdict.SAME
    links = pairs.a[is_same], pairs.b[is_same]
    is_door = np.isin(pairs.rank, [_Rank.TWIN, _Rank.PARTNER])
    door = _components(len(profiles), pairs, is_same & is_door)

    def may_join(a: Codes, b: Codes) -> Flags:
        evidence = comparer.compare(a, b)
        verdict = judge(evidence, _is_unambiguous(profiles, a, b))
        is_allowed = (verdict == Verdict.SAME) | are_compatible(evidence)
        # The point or telephone of one of two records at one door applies to both.
        one, other = np.sort([door[a], door[b]], axis=0)
        is_proven = np.isin(_keys(one, other), _keys(one, other)[is_allowed])
        is_allowed |= is_proven & are_compatible_by_door(evidence)
        return np.asarray(
            is_allowed & ~decisions.are_apart(a, b) & ~np.isin(_keys(a, b), apart_keys)
        )

    root = group(len(profiles), links, pairs.strength[is_same], may_join)
    reasons = _reasons(links, pairs.strength[is_same], root, comparer, decisions)
    return Matching(
        _clusters(located, profiles, root, reasons),
        _doubtful(located, profiles, root, pairs, comparer),
    )


def _judge(
    profiles: Profiles,
    comparer: Comparer,
    decisions: Decisions,
    candidates: Iterable[tuple[Codes, Codes]],
) -> _Pairs:
    """Return pairs that are the same or doubtful; others are dropped along the way."""
    pairs = [_decisions_as_pairs(decisions)]
    for one, other in candidates:
        is_open = ~decisions.are_decided(one, other)
        a, b = one[is_open], other[is_open]
        evidence = comparer.compare(a, b)
        verdict = judge(evidence, _is_unambiguous(profiles, a, b))
        open_questions = questions(evidence)
        question = np.select(
            [where for where, _ in open_questions], range(len(open_questions)), default=-1
        )
        keep = verdict >= Verdict.DOUBTFUL
        pairs.append(
            _Pairs(
                a[keep],
                b[keep],
                verdict[keep],
                strength(evidence)[keep],
                question[keep].astype(np.int8),
                _ranks(evidence)[keep],
            )
        )
    return _concatenate(pairs)


def _ranks(e: Evidence) -> NDArray[np.int8]:
    is_door = e.address >= AddressRelation.ALIKE
    conditions = [
        (e.type == TypeRelation.COMPATIBLE) & ~e.is_free_food,
        by_door(e),
        # What lists of one table give twice under names that share a telling word is one partner.
        (by_line(e) & ~(e.is_gathered & e.is_specific)) | by_hours(e),
        is_door & e.is_same_list,
        is_door,
    ]
    ranks = [_Rank.CROSS, _Rank.DOOR, _Rank.LINE, _Rank.TWIN, _Rank.PARTNER]
    rank = np.select(conditions, ranks, _Rank.NONE)
    return rank.astype(np.int8)


def _one_to_one(p: Profiles, pairs: _Pairs) -> NDArray[np.int8]:
    """Return the verdicts when a record that has a partner in a list takes no other one there.

    So the pantry and the kitchen of one publisher are assigned to those of another. A partner that
    is itself doubtful leaves the link to a reviewer, as do two at one door of which none has the
    name. Records that one list gives twice are one partner. Without lists any partner counts.
    """
    is_same = pairs.verdict == Verdict.SAME
    is_door, is_cross = pairs.rank == _Rank.DOOR, pairs.rank == _Rank.CROSS
    is_partner = pairs.rank == _Rank.PARTNER
    one_list = np.zeros(len(p), dtype=np.int32)
    lists, sources = (p.list, p.source) if p.has_sources else (one_list, one_list)
    is_own = is_same & (p.list[pairs.a] == p.list[pairs.b])
    partners = _components(len(p), pairs, is_own & (pairs.rank <= _Rank.NONE))
    is_settled = is_own & is_door & ~_have_rival(pairs, lists, partners, is_own & is_door)
    partners = _components(len(p), pairs, is_settled | (is_own & (pairs.rank <= _Rank.NONE)))

    def have_rival(mask: Flags) -> Flags:
        return np.where(
            is_cross,
            _have_rival(pairs, sources, partners, mask),
            _have_rival(pairs, lists, partners, mask),
        )

    is_weak = is_same & (pairs.rank >= _Rank.LINE)
    is_open = is_weak & (have_rival(is_partner) | (is_door & have_rival(is_same & is_door)))
    verdict = np.where(is_open, Verdict.DOUBTFUL, pairs.verdict)
    verdict[is_weak & have_rival(is_partner & is_same)] = Verdict.UNRELATED
    return verdict.astype(np.int8)


def _components(count: int, pairs: _Pairs, mask: Flags) -> Codes:
    links = pairs.a[mask], pairs.b[mask]
    graph = coo_array((np.ones(len(links[0]), dtype=np.int8), links), shape=(count, count))
    labels: Codes = connected_components(graph, directed=False)[1].astype(np.int32)
    return labels


def _have_rival(pairs: _Pairs, lists: Codes, partners: Codes, mask: Flags) -> Flags:
    """Check which pairs have, for either record, another partner in the other's list."""
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


def _keys(a: Codes, b: Codes) -> NDArray[np.int64]:
    return a.astype(np.int64) << 32 | b


def _concatenate(parts: list[_Pairs]) -> _Pairs:
    columns = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(_Pairs)
    }
    return _Pairs(**columns)


def _decisions_as_pairs(decisions: Decisions) -> _Pairs:
    """Return pairs that a reviewer called the same, as the strongest links."""
    a, b = decisions.same
    verdict = np.full(len(a), Verdict.SAME, dtype=np.int8)
    question = np.full(len(a), -1, dtype=np.int8)
    rank = np.full(len(a), _Rank.NONE, dtype=np.int8)
    return _Pairs(a, b, verdict, np.full(len(a), 2**40), question, rank)


def _candidates(p: Profiles) -> Iterator[tuple[Codes, Codes]]:
    records = pa.table(
        {
            "row": np.arange(len(p), dtype=np.int32),
            "name": p.name.codes,
            "content": p.content.codes,
            "number": p.number,
            "core": p.core,
            "zip": p.zip,
            "city": p.city.codes,
            "state": p.state,
            "phone": p.phone,
            "website": p.website,
            "lat": p.lat,
            "lng": p.lng,
            "is_exact": p.is_exact,
        }
    )
    names = pa.table(
        {
            "name": np.arange(len(p.name.values), dtype=np.int32),
            "words": pa.array(map(telling_words_of, p.name.values), pa.string()),
        }
    )
    return _in_chunks(candidate_pairs(records, names))


def _in_chunks(pairs: pa.Table) -> Iterator[tuple[Codes, Codes]]:
    for start in range(0, pairs.num_rows, _CHUNK):
        chunk = pairs.slice(start, _CHUNK)
        yield chunk["a"].to_numpy(), chunk["b"].to_numpy()


def _is_unambiguous(p: Profiles, a: Codes, b: Codes) -> Flags:
    """Check that no second address in town has their name, and both have one or neither has and the
    ZIP code is one."""
    is_only = (p.addresses_by_name[a] <= 1) & (p.addresses_by_name[b] <= 1)
    # Two boxes are two addresses, although neither has a house number; a box and a corner may be
    # one.
    box, other = p.box[a], p.box[b]
    is_only &= (box == other) | (box < 0) | (other < 0)
    is_nowhere = ~p.has_address[a] & ~p.has_address[b] & (p.zip[a] == p.zip[b]) & (p.zip[a] >= 0)
    return np.asarray(is_only & ((p.has_address[a] & p.has_address[b]) | is_nowhere))


def _reasons(
    links: tuple[Codes, Codes],
    strengths: NDArray[np.int64],
    root: Codes,
    comparer: Comparer,
    decisions: Decisions,
) -> dict[int, str]:
    """Return for every merged record its strongest link inside its group, in words."""
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


def _clusters(
    located: pd.DataFrame, p: Profiles, root: Codes, reasons: dict[int, str]
) -> pd.DataFrame:
    in_order = np.argsort(p.input_row)
    texts = [reasons.get(row, ONLY_RECORD) for row in range(len(p))]
    return pd.DataFrame(
        {
            "source_id": located["source_id"],
            "source_key": located["source_key"],
            "cluster_id": p.member.iloc[root[in_order]].set_axis(located.index),
            "match_reason": pd.Series(texts, dtype="str").iloc[in_order].set_axis(located.index),
        }
    )


def _doubtful(
    located: pd.DataFrame, p: Profiles, root: Codes, pairs: _Pairs, comparer: Comparer
) -> pd.DataFrame:
    """Return doubtful pairs whose records ended in different groups, sorted by key."""
    is_open = (pairs.verdict == Verdict.DOUBTFUL) & (root[pairs.a] != root[pairs.b])
    a, b, question_codes = pairs.a[is_open], pairs.b[is_open], pairs.question[is_open]
    evidence = comparer.compare(a, b)
    texts = [text for _, text in questions(evidence)]
    one, other = located.iloc[p.input_row[a]], located.iloc[p.input_row[b]]
    frame = pd.DataFrame(
        {
            "source_id": one["source_id"].to_numpy(),
            "source_key": one["source_key"].to_numpy(),
            "other_source_id": other["source_id"].to_numpy(),
            "other_source_key": other["source_key"].to_numpy(),
            "doubt_reason": pd.Series([texts[q] for q in question_codes], dtype="str"),
            "name_similarity": evidence.similarity.astype(float).round(2),
            "miles_apart": evidence.miles.round(3),
        }
    )
    return frame.sort_values(
        ["source_id", "source_key", "other_source_id", "other_source_key"], ignore_index=True
    )
