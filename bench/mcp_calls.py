"""Compares a call of each MCP tool with a call of a bare SDK server that returns the same answer:
p50 and ratio.

    python -m bench.mcp_calls --data <data folder>
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from bench.servers import serving, the_service

VERSION = "2026-07-28"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("find_food_resources", {"location": "10002"}),
    ("find_open_now", {"location": "10002"}),
    ("get_resource_details", {}),
    ("estimate_snap_benefit", {"household_size": 3, "state": "OR", "monthly_earned_income": 1500}),
    ("get_state_portal", {"state": "OR"}),
    ("get_active_disasters", {"state": "FL"}),
    ("get_organization_info", {}),
)


def request(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a call in the stateless era: body and headers."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    }
    params = {"_meta": meta, "name": name, "arguments": arguments}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return {"json": body, "headers": headers}


def p50_ms(base: str, name: str, arguments: dict[str, Any], count: int) -> float:
    """Return the median of `count` sequential calls on one connection, in milliseconds."""
    call, times = request(name, arguments), []
    with httpx.Client() as client:
        for _ in range(count + 20):
            start = time.perf_counter()
            answer = client.post(f"{base}/mcp/v1", **call)
            times.append((time.perf_counter() - start) * 1000)
            if answer.status_code != 200 or answer.json()["result"].get("isError"):
                raise RuntimeError(f"{name}: {answer.text[:300]}")
    return statistics.median(times[20:])


def measure(data: Path, count: int) -> list[tuple[str, float, float]]:
    """Return the tool, its p50, and the p50 of a bare call with the same answer."""
    with tempfile.TemporaryDirectory() as own:
        ours = {
            "DIRECTORY_DATA_DIR": str(data),
            "LARDER_OPERATIONS_FILE": f"{own}/operations.sqlite",
            "LARDER_HOSTS": "*",
            "LARDER_LIMITS": "off",
        }
        with the_service(ours, workers=1, ready="/api/health") as service:
            page = httpx.get(f"{service.base}/api/resources/bulk?limit=1").json()
            first = {"resource_id": page["resources"][0]["id"]}
            rows = []
            for name, arguments in CALLS:
                call_arguments = arguments or (first if name == "get_resource_details" else {})
                answer = httpx.post(
                    f"{service.base}/mcp/v1", **request(name, call_arguments), timeout=30
                )
                content = json.dumps(answer.json()["result"]["structuredContent"])
                with serving(
                    "bench.bare_mcp:app",
                    {"LARDER_BENCH_ANSWER": content},
                    workers=1,
                    ready="/",
                ) as bare:
                    mine = p50_ms(service.base, name, call_arguments, count)
                    rows.append((name, mine, p50_ms(bare.base, "bare", {}, count)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data folder with a release")
    parser.add_argument("--calls", type=int, default=300, help="calls measured of each tool")
    options = parser.parse_args()
    sys.stdout.write(
        "| tool | p50 ms | bare SDK p50 ms | ratio | beside ms |\n| --- | ---: | ---: | ---: | "
        "---: |\n"
    )
    for name, ours, bare in measure(options.data, options.calls):
        sys.stdout.write(
            f"| {name} | {ours:.2f} | {bare:.2f} | {ours / bare:.2f} | {ours - bare:+.2f} |\n"
        )


if __name__ == "__main__":
    main()
