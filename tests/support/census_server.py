"""Serve the Census batch geocoder on loopback, in its own wire form, with faults on request."""

import csv
import io
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP

from tests.support.http_servers import QuietHandler, serving

Row = list[str]
WEB_PAGE = b"<!DOCTYPE html>\r\n<html><head><title>Service Unavailable</title></head><body/></html>"
BENCHMARKS = {
    "benchmarks": [
        {
            "isDefault": True,
            "benchmarkDescription": "Public Address Ranges - Current Benchmark",
            "id": "4",
            "benchmarkName": "Public_AR_Current",
        },
        {
            "isDefault": False,
            "benchmarkDescription": "Public Address Ranges - Census 2020 Benchmark",
            "id": "2020",
            "benchmarkName": "Public_AR_Census2020",
        },
    ]
}
VINTAGES = {
    "selectedBenchmark": BENCHMARKS["benchmarks"][0],
    "vintages": [
        {"isDefault": True, "id": "4", "vintageName": "Current_Current"},
        {"isDefault": False, "id": "420", "vintageName": "Census2020_Current"},
    ],
}


@dataclass(frozen=True)
class Batch:
    """Parts of the form by name, and the file, of a request."""

    path: str
    fields: dict[str, str]
    file_name: str
    file_type: str
    content: bytes

    @property
    def rows(self) -> list[Row]:
        return list(csv.reader(io.StringIO(self.content.decode("ascii"), newline="")))


@dataclass(frozen=True)
class Reply:
    """Bytes to answer with; `resets` breaks the connection instead, `cut_at` closes it early."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_at: int | None = None
    is_cut_unannounced: bool = False
    resets: bool = False
    silent_seconds: float = 0.0


Fault = Callable[[Batch, list[Row]], Reply | None]


def quote_rows(rows: list[Row]) -> bytes:
    """Return rows as the service writes them: every field in quotes, no header."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


class Census:
    """A running geocoder. `columns[street]` are those from `Match` on; other streets are No_Match.

    Each batch takes one of `faults`; None, or an empty list, gives a good answer. `always` has
    priority.
    """

    def __init__(self) -> None:
        self.port = 0
        self.columns: dict[str, Row] = {}
        self.faults: list[Fault | None] = []
        self.always: Fault | None = None
        self.batches: list[Batch] = []
        self.lists: dict[str, Reply] = {
            "/geocoder/benchmarks": Reply(json.dumps(BENCHMARKS).encode()),
            "/geocoder/vintages": Reply(json.dumps(VINTAGES).encode()),
        }
        self.list_requests: list[str] = []
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/geocoder"

    def match(
        self, street: str, matched_address: str, point: str, *codes: str, exact: bool = True
    ) -> None:
        exactness = "Exact" if exact else "Non_Exact"
        self.columns[street] = ["Match", exactness, matched_address, point, "59653655", "R", *codes]

    def tie(self, street: str) -> None:
        self.columns[street] = ["Tie"]

    def reply_to(self, batch: Batch) -> Reply:
        with self._lock:
            self.batches.append(batch)
            fault = self.faults.pop(0) if self.faults else None
        rows = [self._row(row) for row in batch.rows]
        # The real service answers in any order.
        rows.reverse()
        for one in (self.always, fault):
            if one is not None and (reply := one(batch, rows)) is not None:
                return reply
        return Reply(quote_rows(rows))

    def _row(self, row: Row) -> Row:
        row_id, street, *place = row
        return [row_id, ", ".join([street, *place]), *self.columns.get(street, ["No_Match"])]


def parse_batch(path: str, content_type: str, body: bytes) -> Batch:
    """Parse the parts of a multipart/form-data body."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = {
        part.get_param("name", header="content-disposition"): part for part in message.iter_parts()
    }  # type: ignore[attr-defined]
    file = parts.pop("addressFile")
    fields = {str(name): part.get_payload(decode=True).decode() for name, part in parts.items()}
    content = file.get_payload(decode=True)
    return Batch(path, fields, file.get_filename(), file.get_content_type(), content)


@contextmanager
def census_server() -> Iterator[Census]:
    census = Census()

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            census.list_requests.append(self.path)
            self._send(census.lists[self.path.partition("?")[0]], "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            batch = parse_batch(self.path, self.headers["Content-Type"], body)
            try:
                self._send(census.reply_to(batch), "text/plain")
            except OSError:
                self.close_connection = True

        def _send(self, reply: Reply, media_type: str) -> None:
            time.sleep(reply.silent_seconds)
            if reply.resets:
                self.reset()
                return
            body = reply.body if reply.cut_at is None else reply.body[: reply.cut_at]
            self.send_response(reply.status)
            for name, value in {"Content-Type": media_type, **reply.headers}.items():
                self.send_header(name, value)
            if not reply.is_cut_unannounced:
                self.send_header("Content-Length", str(len(reply.body)))
            self.close_connection = reply.cut_at is not None or reply.is_cut_unannounced
            self.end_headers()
            self.wfile.write(body)

    with serving(Handler) as census.port:
        yield census
