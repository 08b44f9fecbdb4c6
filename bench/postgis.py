"""The same query in PostGIS: the peer for measuring the nearest search.

A private server in a temporary folder, one table for each mode with a GiST index in three
dimensions, its rows in the order of the index, everything in memory, no sync. The application below
queries it through asyncpg's prepared statements and returns the same records, without their total.

    granian --interface asgi bench.postgis:app     with LARDER_PEER_DSN set
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
from litestar import Litestar, Response, get
from litestar.di import NamedDependency, Provide

from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.vocab.resource_types import MODES
from serving.search.parameters import (
    Latitude,
    Longitude,
    SearchParameters,
)
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease

_LOAD_TIME = datetime.now(UTC)
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "2GB",
    "work_mem": "64MB",
    "maintenance_work_mem": "512MB",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "random_page_cost": "1.0",
    "effective_cache_size": "8GB",
    "max_connections": "40",
    "dynamic_shared_memory_type": "posix",
}
_POOL = 8
# The ten nearest only: counting all places, as our service does, would cost the peer far more.
_NEAREST = """
    SELECT record FROM (
        SELECT record, at <<->> ST_MakePoint($1, $2, $3) AS chord FROM place_{mode}
        ORDER BY at <<->> ST_MakePoint($1, $2, $3) LIMIT $5
    ) nearest WHERE chord <= $4"""


def missing() -> str | None:
    """Return the component that the peer lacks here; None when it can run."""
    if _programs() is None:
        return "no PostgreSQL server: apt-get install postgresql"
    if not list(Path("/usr/share/postgresql").glob("*/extension/postgis.control")):
        return "no PostGIS: apt-get install postgresql-15-postgis-3"
    return None


def _programs() -> Path | None:
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return paths[-1].parent if paths else None


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """Run a private PostgreSQL server; yield its DSN and process id. As root, run it as `postgres`:
    the server refuses to run as root.
    """
    programs = _programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="larder-postgis-"))
    is_root = os.geteuid() == 0
    as_user = (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if is_root else []
    )
    if is_root:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    subprocess.run(
        [*as_user, programs / "initdb", "-D", data, "-A", "trust", "-U", "larder", "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    process = subprocess.Popen(
        [*as_user, programs / "postgres", "-D", data, "-k", folder, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(programs, folder, process)
        yield f"postgresql://larder@/postgres?host={folder}", process.pid
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(programs: Path, folder: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        ready = subprocess.run(
            [programs / "pg_isready", "-h", folder, "-q"], check=False, timeout=10
        )
        if ready.returncode == 0:
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("the private PostgreSQL server did not start")


def load(dsn: str, release: OpenRelease) -> None:
    """Fill the peer with the places of a release: the same points and the same bytes."""
    asyncio.run(_load(dsn, release))


async def _load(dsn: str, release: OpenRelease) -> None:
    db = await asyncpg.connect(dsn)
    try:
        await _fill(db, release)
    finally:
        await db.close()


async def _fill(db: asyncpg.Connection, release: OpenRelease) -> None:
    await db.execute("CREATE EXTENSION postgis")
    for mode in MODES:
        types = MODE_TYPES[mode]
        rows = [row for row, code in enumerate(release.type_codes.tolist()) if code in types]
        await db.execute(f"CREATE TABLE place_{mode} (x float8, y float8, z float8, record bytea)")
        await db.copy_records_to_table(
            f"place_{mode}",
            records=((*ecef_point(*release.point_of(r)), _record(release, r)) for r in rows),
        )
        await db.execute(
            f"ALTER TABLE place_{mode} ADD at geometry(PointZ);"
            f"UPDATE place_{mode} SET at = ST_MakePoint(x, y, z);"
            f"ALTER TABLE place_{mode} DROP x, DROP y, DROP z;"
            f"ALTER TABLE place_{mode} ALTER record SET STORAGE MAIN;"
            f"CREATE INDEX place_{mode}_at ON place_{mode} USING gist (at gist_geometry_ops_nd);"
            f"CLUSTER place_{mode} USING place_{mode}_at"
        )
        await db.execute(f"VACUUM ANALYZE place_{mode}")
        await db.execute(f"SELECT sum(length(record)) FROM place_{mode}")  # into the buffers


def _record(release: OpenRelease, row: int) -> bytes:
    live = release.live_members(row, release.moment(row, _LOAD_TIME), 1.0)
    return release.read_record(row) + live


# ---------------------------------------------------------------- the application


def make_app() -> Litestar:
    """Make an application with one handler and the service's typed parameters."""
    pools: dict[str, Any] = {}

    @asynccontextmanager
    async def lifespan(_: Litestar) -> Any:
        async with asyncpg.create_pool(
            os.environ["LARDER_PEER_DSN"], min_size=_POOL, max_size=_POOL
        ) as pool:
            pools["pool"] = pool
            yield

    @get(
        "/api/resources/nearby",
        dependencies={"parameters": Provide(SearchParameters, sync_to_thread=False)},
    )
    async def nearby(
        lat: Latitude,
        lng: Longitude,
        parameters: NamedDependency[SearchParameters],
    ) -> Response[bytes]:
        point = ecef_point(lat, lng)
        query = _NEAREST.format(mode=parameters.mode)
        async with pools["pool"].acquire() as db:
            rows = await db.fetch(
                query, *point, miles_to_chord(parameters.radius), parameters.limit
            )
        head = b'{"success":true,"count":%d,"resources":[' % len(rows)
        body = head + b",".join(row["record"] for row in rows) + b"]}"
        return Response(body, media_type="application/json")

    return Litestar([nearby], lifespan=[lifespan], openapi_config=None, logging_config=None)


def __getattr__(name: str) -> Any:
    """Create `app` when a server requests it, not when the benchmark imports the module."""
    if name == "app":
        return make_app()
    raise AttributeError(name)
