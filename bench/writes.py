"""Measure reports during reads: `python -m bench.writes DATA_FOLDER [SECONDS [DATABASE_URL]]`.

The service runs with two workers. Separate processes send 3,000 reads a second evenly, first alone,
then with 500 reports a second by operators of as many places as the limit of reports requires.
Times count from a request's due time; the rows of the store are counted at the end. Load and
service share the machine, so the processor time of the service is also reported separately.
"""

import json
import random
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from bench.load import hammer
from bench.paced import Request, Sender
from bench.processor import cpu_seconds
from bench.servers import the_service
from tests.support.operators import count_notes, make_tokens

READS, REPORTS, WORKERS = 3000, 500, 2
# The limit is sixty an hour per claim: use enough one-place claims for the whole run.
_REPORTS_OF_A_CLAIM = 50
_PAGE = 500


def _pantries(base: str, count: int) -> list[dict[str, Any]]:
    """Return the first food pantries of the directory. Raises ValueError for too few."""
    places: list[dict[str, Any]] = []
    for page in range(1, 2 + count // _PAGE):
        address = f"{base}/api/resources/bulk?type=food_pantry&limit={_PAGE}&page={page}"
        with urllib.request.urlopen(address) as answer:
            places += json.loads(answer.read())["resources"]
    if len(places) < count:
        raise ValueError(f"{count:,} food pantries are needed, {len(places):,} are listed")
    return places[:count]


def _reads(pantries: list[dict[str, Any]]) -> list[Request]:
    zips = sorted({p["zip"] for p in pantries if p["zip"]})
    paths = [f"/api/resources/search?zip={code}&mode=free" for code in zips]
    paths += [f"/api/resources/{p['id']}" for p in pantries]
    random.Random(1).shuffle(paths)
    return [("GET", path, None) for path in paths]


def _reports(tokens: list[str]) -> list[Request]:
    """Return different reports in each round, by each operator in turn."""
    requests: list[Request] = []
    for status in ("open_today", "low_stock"):
        bodies = (
            {"claim_token": token, "status": status, "inventory": {"dairy": "low"}}
            for token in tokens
        )
        requests += [("POST", "/api/pantry/status", json.dumps(body)) for body in bodies]
    return requests


def measure(data: Path, url: str, seconds: int) -> dict[str, object]:
    """Measure reads alone, reads together with reports, the reports, and milliseconds of processor
    time for each."""
    environment = {
        "LARDER_DATA": str(data),
        "LARDER_OPERATIONS_URL": url,
        "LARDER_LIMITS": "off",
        "LARDER_LOG_LEVEL": "error",
    }
    with the_service(environment, workers=WORKERS, ready="/api/health") as server:
        pantries = _pantries(server.base, max(600, -(-REPORTS * seconds // _REPORTS_OF_A_CLAIM)))
        reads = _reads(pantries)
        reports = _reports(make_tokens(url, [p["id"] for p in pantries]))
        hammer(server.base, [path for _, path, _ in reads], seconds=3)
        start = cpu_seconds(server.pid)
        alone = Sender(server.base, reads, READS, seconds).results()
        between = cpu_seconds(server.pid)
        both = [Sender(server.base, r, n, seconds) for r, n in ((reads, READS), (reports, REPORTS))]
        beside, report_results = (sender.results() for sender in both)
        end = cpu_seconds(server.pid)
    count_before = count_notes(url).total()
    a_read = (between - start) / (alone["answered"] or 1)
    more = end - between - a_read * beside["answered"]
    return {
        "reads_alone": alone,
        "reads_beside": beside,
        "reports": report_results,
        "reports_accepted_and_not_held": report_results["answered"]
        - report_results["errors"]
        - count_before,
        "reads_lost_percent": round(100 * (1 - beside["per_second"] / alone["per_second"]), 1),
        "cpu_ms_a_read_alone": round(a_read * 1000, 3),
        "cpu_ms_more_a_report": round(more / (report_results["answered"] or 1) * 1000, 3),
        "cores_busy": (
            round((between - start) / seconds, 2),
            round((end - between) / seconds, 2),
        ),
    }


def main() -> None:
    data = Path(sys.argv[1])
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[3] if len(sys.argv) > 3 else f"sqlite:///{folder}/operations.sqlite"
        figures = measure(data, url, seconds)
    print("\n".join(f"{name}: {json.dumps(value)}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
