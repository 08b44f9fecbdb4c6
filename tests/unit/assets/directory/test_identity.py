"""The promises of permanent ids, as properties over random histories of records and clusters."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.directory.identity import assign_ids, issue_id

pytestmark = pytest.mark.slow
KEYS = st.sampled_from("abcdefgh")
# A release: which records exist and which cluster each is in.
RELEASE = st.dictionaries(KEYS, st.integers(0, 3), min_size=1)


def _clusters(release: dict[str, int]) -> pd.DataFrame:
    keys = sorted(release)
    smallest = {g: min(k for k in keys if release[k] == g) for g in set(release.values())}
    return pd.DataFrame(
        {
            "source_id": pd.Series(["s"] * len(keys), dtype="str"),
            "source_key": pd.Series(keys, dtype="str"),
            "cluster_id": pd.Series([smallest[release[k]] for k in keys], dtype="str"),
        }
    )


def _assign(
    release: dict[str, int], previous: pd.DataFrame | None, name: str
) -> tuple[dict[str, int], pd.DataFrame]:
    clusters = _clusters(release)
    ids, registry = assign_ids(
        clusters, pd.Series(range(len(clusters)), index=clusters.index), previous, name
    )
    return dict(zip(clusters["source_key"], ids, strict=True)), registry


def _answer(registry: pd.DataFrame) -> dict[int, tuple[str, int | None]]:
    rows = registry[["resource_id", "id_status", "successor_id"]].itertuples(index=False)
    return {int(i): (s, None if pd.isna(n) else int(n)) for i, s, n in rows}


@given(RELEASE)
def test_a_rebuild_from_nothing_gives_the_same_ids(release: dict[str, int]) -> None:
    assert _assign(release, None, "r1")[0] == _assign(release, None, "r2")[0]


@given(RELEASE)
def test_equal_inputs_give_equal_ids(release: dict[str, int]) -> None:
    first, registry = _assign(release, None, "r1")
    second, again = _assign(release, registry, "r2")
    assert second == first
    assert _answer(again) == _answer(registry)


@given(RELEASE)
def test_members_of_a_cluster_share_one_id_and_clusters_differ(release: dict[str, int]) -> None:
    ids, _ = _assign(release, None, "r1")
    by_cluster: dict[int, set[int]] = {}
    for key, cluster in release.items():
        by_cluster.setdefault(cluster, set()).add(ids[key])
    assert all(len(ids_of_cluster) == 1 for ids_of_cluster in by_cluster.values())
    assert len({*map(frozenset, by_cluster.values())}) == len(by_cluster)


@given(RELEASE, KEYS)
def test_one_added_record_changes_no_other_id(release: dict[str, int], new_member: str) -> None:
    release.pop(new_member, None)
    if not release:
        release = {"z": 0}
    first, registry = _assign(release, None, "r1")
    alone = {**release, new_member: 99}
    assert {k: v for k, v in _assign(alone, None, "r1")[0].items() if k != new_member} == first
    assert {k: v for k, v in _assign(alone, registry, "r2")[0].items() if k != new_member} == first


@given(st.lists(RELEASE, min_size=2, max_size=5))
def test_every_published_id_resolves_in_later_releases(history: list[dict[str, int]]) -> None:
    registry: pd.DataFrame | None = None
    past_ids: set[int] = set()
    for number, release in enumerate(history):
        ids, registry = _assign(release, registry, f"r{number}")
        current_ids = set(ids.values())
        past_ids |= current_ids
        lookups = _answer(registry)
        assert past_ids <= lookups.keys()
        for old in past_ids:
            status, successor = lookups[old]
            assert (status == "active") == (old in current_ids)
            assert (status == "merged") == (successor is not None)
            if successor is not None:
                assert successor in current_ids, "a successor is always live: one hop, no chain"


def test_a_place_keeps_its_id_when_its_leading_record_vanishes() -> None:
    first, registry = _assign({"a": 0, "b": 0}, None, "r1")
    second, registry = _assign({"b": 0}, registry, "r2")
    assert second["b"] == first["b"] == issue_id("s", "a")
    assert _answer(registry)[first["a"]] == ("active", None)


def test_an_older_id_leads_over_a_newcomer_of_higher_rank() -> None:
    first, registry = _assign({"b": 0}, None, "r1")
    second, registry = _assign({"a": 0, "b": 0}, registry, "r2")
    assert second == {"a": first["b"], "b": first["b"]}
    assert _answer(registry)[issue_id("s", "a")] == ("merged", first["b"])


def test_ids_fit_a_json_number() -> None:
    assert all(0 < issue_id("usda_snap", str(n)) < 2**52 for n in range(1000))
