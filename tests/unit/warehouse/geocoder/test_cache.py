"""Cached answers across builds: look-up, expiry, and concurrent builds."""

import multiprocessing
import os
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from warehouse.geocoder.cache import Address, Answer, GeocodeCache, as_sent
from warehouse.gzip_files import DamagedFileError

NOW = datetime(2026, 11, 1, 6, tzinfo=UTC)
MATCH = Answer(
    match="match",
    is_exact=False,
    matched_address="1 A, B, MA, 01970",
    lat=42.5,
    lng=-70.9,
    tiger_line="007",
    side="L",
    tract="09001000100",
    block="0007",
)
FORKED = multiprocessing.get_context("spawn")


def address(number: int) -> Address:
    return as_sent(f"{number} Invented Way", "Salem", "MA", "01970")


def cache_at(data: Path, when: datetime = NOW, vintage: str = "Census2020_Current") -> GeocodeCache:
    return GeocodeCache(data, "Public_AR_Current", vintage, clock=lambda: when)


def test_the_cache_finds_only_stored_addresses(tmp_path: Path) -> None:
    assert cache_at(tmp_path).find([address(1)]) == {}
    assert not (tmp_path / "geocode").exists()
    answers = {
        address(1): MATCH,
        address(2): Answer(match="tie"),
        address(3): Answer(match="no_match"),
    }
    cache_at(tmp_path).keep(answers)
    assert cache_at(tmp_path).find(map(address, range(1, 6))) == answers
    assert cache_at(tmp_path, vintage="Current_Current").find(answers) == {}


AGES = [
    ("match_stays", MATCH, 3650, True),
    ("no_match_of_yesterday", Answer(match="no_match"), 1, True),
    ("no_match_of_last_year", Answer(match="no_match"), 181, False),
    ("tie_of_last_year", Answer(match="tie"), 181, False),
]


@pytest.mark.parametrize(
    ("answer", "days", "is_known"), [c[1:] for c in AGES], ids=[c[0] for c in AGES]
)
def test_only_negative_answers_grow_old(
    tmp_path: Path, answer: Answer, days: int, is_known: bool
) -> None:
    cache_at(tmp_path).keep({address(1): answer})
    later = cache_at(tmp_path, NOW + timedelta(days=days))
    assert (address(1) in later.find([address(1)])) is is_known


def test_a_newer_answer_replaces_an_older_one(tmp_path: Path) -> None:
    cache_at(tmp_path).keep({address(1): Answer(match="no_match")})
    cache_at(tmp_path).keep({address(1): MATCH})
    assert cache_at(tmp_path).find([address(1)]) == {address(1): MATCH}


def test_the_cache_contains_no_addresses(tmp_path: Path) -> None:
    cache_at(tmp_path).keep({address(1): Answer(match="no_match")})
    assert b"INVENTED" not in cache_at(tmp_path).path.read_bytes()


def test_a_damaged_file_is_named_with_its_remedy(tmp_path: Path) -> None:
    path = cache_at(tmp_path).path
    path.parent.mkdir()
    path.write_bytes(b"no database at all, " * 100)
    with pytest.raises(DamagedFileError, match=r"answers\.sqlite.*Move it away"):
        cache_at(tmp_path).find([address(1)])


def _keep_many(data: Path, first: int) -> None:
    for start in range(first, first + 1_000, 50):
        cache_at(data).keep({address(n): MATCH for n in range(start, start + 50)})


def test_two_builds_write_at_once(tmp_path: Path) -> None:
    writers = [FORKED.Process(target=_keep_many, args=(tmp_path, n)) for n in (0, 500)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(cache_at(tmp_path).find(map(address, range(2_000)))) == 1_500


def _keep_for_ever(data: Path) -> None:
    for start in range(0, 10**9, 100):
        cache_at(data).keep({address(n): MATCH for n in range(start, start + 100)})


def test_kill_9_leaves_whole_batches(tmp_path: Path) -> None:
    writer = FORKED.Process(target=_keep_for_ever, args=(tmp_path,))
    writer.start()
    until = time.monotonic() + 60
    while not cache_at(tmp_path).find([address(250)]) and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(writer.pid or 0, signal.SIGKILL)
    writer.join(60)
    count = len(cache_at(tmp_path).find(map(address, range(100_000))))
    assert count >= 300
    assert count % 100 == 0


def _ask_once(data: Path, request_log: Path) -> None:
    cache = cache_at(data)
    with cache.asking():
        if not cache.find([address(1)]):
            with request_log.open("a") as log:
                log.write("asked\n")
            time.sleep(0.5)
            cache.keep({address(1): MATCH})


def test_a_second_build_waits_and_finds_the_answer(tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    builds = [FORKED.Process(target=_ask_once, args=(tmp_path, log)) for _ in range(2)]
    for build in builds:
        build.start()
    for build in builds:
        build.join(60)
    assert [build.exitcode for build in builds] == [0, 0]
    assert log.read_text() == "asked\n"
