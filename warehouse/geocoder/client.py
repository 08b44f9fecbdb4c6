"""Client of the Census Bureau's batch geocoder, one batch in flight.

A failed batch is retried under the rules of `warehouse.fetch`, then in halves, so that one bad row
affects only itself. Nothing here raises when the service is down: a build goes on with ZIP points.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from warehouse.fetch.addresses import HostGuard
from warehouse.fetch.errors import AnswerError, FetchError, RefusedAddressError
from warehouse.fetch.settings import FetchSettings
from warehouse.fetch.web import Form, Report, Web, whole_body, with_retries
from warehouse.geocoder.cache import Address, Answer, batch_as_csv, read_answers

CENSUS_URL = "https://geocoding.geo.census.gov/geocoder"
# "There is currently an upper limit of 10,000 records per batch file" (Census, Geocoding Services
# API).
MAX_ROWS = 10_000
_PLAIN_ANSWER = {"Accept-Encoding": "identity"}
# Retries or smaller batches do not fix these.
_FINAL = (AnswerError, RefusedAddressError)

Batch = list[Address]


def _patient() -> FetchSettings:
    # A full batch takes 35 to 45 seconds on good days, all of them silent.
    return FetchSettings(
        connect_timeout_seconds=10,
        read_timeout_seconds=300,
        progress_window_seconds=300,
        min_bytes_per_second=1,
        max_seconds_per_file=900,
        attempts=4,
        wait_initial_seconds=5,
        wait_max_seconds=180,
        wait_jitter_seconds=2,
    )


@dataclass(frozen=True)
class GeocoderSettings:
    """Address, data set and limits of the geocoder.

    `benchmark` is the set of address ranges, `vintage` that of the counties and tracts, by name:
    ids shift. The 2020 vintage has Connecticut's eight counties, as the directory has. After
    `max_failures_in_a_row` failed batches, or `max_seconds` in total, a client stops.
    """

    url: str = CENSUS_URL
    benchmark: str = "Public_AR_Current"
    vintage: str = "Census2020_Current"
    batch_rows: int = MAX_ROWS
    max_failures_in_a_row: int = 5
    max_seconds: float = 2 * 3600.0
    fetch: FetchSettings = field(default_factory=_patient)

    def __post_init__(self) -> None:
        if not 1 <= self.batch_rows <= MAX_ROWS:
            raise ValueError(f"batch_rows is {self.batch_rows}; the service takes 1 to {MAX_ROWS}")


class CensusBatchClient:
    """Sends batches. One client per build: once it gave up, it sends no more."""

    def __init__(
        self,
        settings: GeocoderSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings or GeocoderSettings()
        self._clock = clock
        self._asks_until: float | None = None
        self._is_checked = False
        self.gave_up = ""
        base = httpx.URL(self.settings.url)
        host = base.host if base.port in (None, 80, 443) else f"{base.host}:{base.port}"
        self._guard = HostGuard(frozenset({host}), self.settings.fetch.allow_private)

    def ask(self, addresses: Sequence[Address], report: Report) -> Iterator[dict[Address, Answer]]:
        """Yield answers batch by batch; unanswered addresses are omitted."""
        unique = list(dict.fromkeys(addresses))
        size = self.settings.batch_rows
        waiting = deque(unique[start : start + size] for start in range(0, len(unique), size))
        if not waiting:
            return
        with Web(self.settings.fetch, self._guard) as web:
            if not self._is_ready(web, report):
                return
            yield from self._ask_all(web, waiting, report)

    def _is_ready(self, web: Web, report: Report) -> bool:
        if self.gave_up:
            report(f"geocoder: skipped, {self.gave_up}")
            return False
        if self._asks_until is None:
            self._asks_until = self._clock() + self.settings.max_seconds
        try:
            if not self._is_checked:
                self._check_names(web, report)
                self._is_checked = True
        except FetchError as error:
            self._give_up(error.cause, report)
        return not self.gave_up

    def _ask_all(
        self, web: Web, waiting: deque[Batch], report: Report
    ) -> Iterator[dict[Address, Answer]]:
        failures = 0
        while waiting:
            if self._asks_until is not None and self._clock() > self._asks_until:
                self._give_up(f"it took more than {self.settings.max_seconds:g} seconds", report)
                return
            batch = waiting.popleft()
            try:
                answers = self._ask_batch(web, batch, report)
            except FetchError as error:
                failures += 1
                report(f"geocoder: {len(batch)} addresses without answer: {error.cause}")
                if isinstance(error, _FINAL) or failures >= self.settings.max_failures_in_a_row:
                    self._give_up(error.cause, report)
                    return
                # To the end of the queue: batches that may work come first.
                middle = len(batch) // 2
                waiting.extend(half for half in (batch[:middle], batch[middle:]) if middle)
                continue
            failures = 0
            yield answers

    def _give_up(self, cause: str, report: Report) -> None:
        self.gave_up = cause
        report(f"geocoder: gave up for this build: {cause}")

    def _ask_batch(self, web: Web, batch: Batch, report: Report) -> dict[Address, Answer]:
        url = httpx.URL(f"{self.settings.url}/geographies/addressbatch")
        rows = {str(number): address for number, address in enumerate(batch, start=1)}
        form = Form(
            fields={"benchmark": self.settings.benchmark, "vintage": self.settings.vintage},
            file_field="addressFile",
            file_name="batch.csv",
            content=batch_as_csv(rows),
            media_type="text/csv",
        )
        answers = with_retries(
            lambda: read_answers(_body(web, url, form), rows, str(url)),
            self.settings.fetch,
            f"geocoder, {len(batch)} addresses",
            report,
        )
        if len(answers) < len(batch):
            report(
                f"geocoder: {len(batch) - len(answers)} rows answered for other addresses, not used"
            )
        return answers

    # ------------------------------------------------------------------ names of the data

    def _check_names(self, web: Web, report: Report) -> None:
        """Raise AnswerError if the service does not list the benchmark or vintage."""
        name = self.settings.benchmark
        benchmarks = self._list(web, "benchmarks", {}, report)
        benchmark = next(
            (b for b in benchmarks if name in (b.get("benchmarkName"), b.get("id"))), None
        )
        if benchmarks and benchmark is None:
            raise AnswerError(self.settings.url, f"the service has no benchmark {name}")
        if benchmark is None:
            return
        number = {"benchmark": str(benchmark.get("id", name))}
        vintages = self._list(web, "vintages", number, report)
        if vintages and not any(self.settings.vintage == v.get("vintageName") for v in vintages):
            raise AnswerError(self.settings.url, f"{name} has no vintage {self.settings.vintage}")

    def _list(
        self, web: Web, kind: str, query: dict[str, str], report: Report
    ) -> list[dict[str, Any]]:
        """Return one of the service's lists; empty if it is unreadable."""
        url = httpx.URL(f"{self.settings.url}/{kind}", params=query)
        try:
            body = with_retries(
                lambda: _body(web, url, None), self.settings.fetch, f"geocoder, {kind}", report
            )
            entries = json.loads(body)[kind]
        except AnswerError as error:
            report(f"geocoder: list of {kind} not read: {error.cause}")
            return []
        except (ValueError, KeyError, TypeError):
            report(f"geocoder: list of {kind} not read")
            return []
        return [entry for entry in entries if isinstance(entry, dict)]


def _body(web: Web, url: httpx.URL, form: Form | None) -> bytes:
    headers = _PLAIN_ANSWER if form else {**_PLAIN_ANSWER, "Accept": "application/json"}
    with web.open(url, headers, form=form) as response:
        return whole_body(response, str(url), web.settings)
