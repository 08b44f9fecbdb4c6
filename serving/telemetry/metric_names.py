"""Every metric of the service, declared once: what kind of number, what it means, how workers'
numbers add up.

Counters end in `_total` in `/metrics`, histograms have `_bucket`, `_sum` and `_count`: see
`exposed_names`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["counter", "gauge", "histogram"]
Together = Literal["sum", "max", "min"]


class Metric(NamedTuple):
    """Metric declaration. `together`: how workers' values are combined. Counters and histograms
    are added."""

    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    together: Together = "sum"


_REQUEST = ("method", "route", "status")
METRICS: dict[str, Metric] = {
    "larder_requests": Metric("counter", "Requests answered.", _REQUEST),
    "larder_request_seconds": Metric("histogram", "Time to answer.", _REQUEST),
    "larder_requests_refused": Metric(
        "counter",
        "Requests refused with 503 because there was too much to do: reason=wait (for their turn), reads or writes (under way).",
        ("reason",),
    ),
    "larder_requests_under_way": Metric("gauge", "Requests that wait for their answer."),
    "larder_wait_seconds": Metric(
        "gauge",
        "Longest time that a request waited for its turn since these numbers were last taken.",
        together="max",
    ),
    "larder_background_task_failures": Metric(
        "counter",
        "Unexpected errors of a background task; it is started again after each.",
        ("task",),
    ),
    "larder_release_swaps": Metric("counter", "Releases swapped in since the start."),
    "larder_release_failures": Metric("counter", "Releases that could not be opened."),
    "larder_release_is_refused": Metric(
        "gauge",
        "1 while the promoted release is refused: the one before it is served, or it is served damaged for want of another.",
        together="max",
    ),
    "larder_release_damaged_files": Metric(
        "gauge",
        "Files of the promoted or the served release that are not as its manifest says.",
        together="max",
    ),
    "larder_release_age_seconds": Metric(
        "gauge", "Age of the release being served.", together="max"
    ),
    "larder_release_info": Metric(
        "gauge", "1 for each release that is being served.", ("release_id",), "max"
    ),
    "larder_resources": Metric("gauge", "Active places.", together="min"),
    "larder_source_age_days": Metric(
        "gauge",
        "Days since a source was retrieved (since=retrieved), and since the day its newest rows speak for (since=vintage).",
        ("source", "since"),
        "max",
    ),
    "larder_source_due_days": Metric(
        "gauge", "Days after which a source is to be retrieved again.", ("source",), "max"
    ),
    "larder_disasters_age_seconds": Metric(
        "gauge",
        "Time since the disaster declarations were last compared with the publisher's.",
        together="max",
    ),
    "larder_store_seconds": Metric(
        "histogram", "Time of a transaction of the operations store.", ("kind",)
    ),
    "larder_store_failures": Metric(
        "counter",
        "Transactions that failed because the operations store could not be used.",
        ("kind",),
    ),
    "larder_store_up": Metric(
        "gauge",
        "1 when the last transaction of the operations store did not fail for the store's sake.",
        together="min",
    ),
    "larder_live_lag_seconds": Metric(
        "gauge", "Time since operators' reports were last read from the store.", together="max"
    ),
    "larder_live_reports": Metric(
        "gauge", "Operators' reports laid over the release.", together="max"
    ),
    "larder_queue_length": Metric("gauge", "What waits for a person, by queue.", ("queue",), "max"),
    "larder_search_counts_pending": Metric("gauge", "Search counts not yet written."),
    "larder_remembered_answers": Metric("gauge", "Answers in the response cache."),
    "larder_remembered_bytes": Metric("gauge", "Size of the response cache."),
    "larder_disk_free_bytes": Metric("gauge", "Free space where the releases are.", together="min"),
    "larder_resident_bytes": Metric("gauge", "Memory in use."),
    "larder_open_files": Metric("gauge", "Open files and connections."),
    "larder_cpu_seconds": Metric("counter", "Processor time used."),
    "larder_workers": Metric("gauge", "Processes that answer."),
    "larder_up_seconds": Metric("gauge", "Age of the youngest of these processes.", together="min"),
}


def exposed_names(name: str) -> set[str]:
    """Return the names under which Prometheus stores a metric."""
    kind = METRICS[name].kind
    if kind == "counter":
        return {f"{name}_total"}
    return {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
