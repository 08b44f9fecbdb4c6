"""What was acknowledged survives a full disk; what was not leaves no half.

That it survives the end of the service is the fault "service killed under reads and writes".
"""

import resource
import subprocess
import sys
from pathlib import Path

from tests.support.town import write_town

ROOT = Path(__file__).resolve().parents[2]


_FULL = """
import asyncio, json, resource, sys
from datetime import UTC, datetime
from litestar.testing import TestClient
from pathlib import Path
from serving.app import create_app
from serving.settings import Settings

data, operations, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
settings = Settings(data_dir=Path(data), operations_file=operations, limits="off", log_level="critical")
with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
    def claim(n):
        return client.post("/api/pantry/claim", json={"resource_id": 300 + n % 120, "operator_email": f"op-{n}@pantry.example", "operator_name": "x" * 100})
    first = claim(0)
    # From here on the disk takes so many bytes of a file and no more.
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    stored, refused = [], []
    for n in range(1, 400):
        answer = claim(n)
        (stored if answer.status_code == 200 else refused).append((n, answer.status_code, answer.headers.get("retry-after")))
        if len(refused) >= 5:
            break
    read = client.get("/api/resources/101").status_code
    store = [c["status"] for c in client.get("/api/health/deep").json()["checks"] if c["name"] == "store"]
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    again = claim(1000).status_code
    manage = [client.get(f"/api/pantry/manage/{first.json()['claim_token']}").status_code]
print(json.dumps({"stored": [n for n, _, _ in stored], "refused": refused, "read": read, "store": store, "again": again, "manage": manage}))
"""


def test_a_full_disk(tmp_path):
    town = tmp_path / "town"
    write_town(town)
    import json

    from sqlalchemy import select

    from warehouse.operations.engine import open_store
    from warehouse.operations.models import CLAIMS

    path = tmp_path / "operations.sqlite"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FULL, str(town), str(path), "600000"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    body = json.loads(done.stdout.splitlines()[-1])
    assert body["stored"]
    assert {tuple(r[1:]) for r in body["refused"]} == {(503, "10")}
    assert body["read"] == 200
    assert body["store"] == ["broken"]
    assert body["again"] == 200
    assert body["manage"] == [200]
    store = open_store(path)
    with store.read() as db:
        emails = set(db.execute(select(CLAIMS.c.operator_email)).scalars())
    store.close()
    wanted = {f"op-{n}@pantry.example" for n in (0, 1000, *body["stored"])}
    assert emails == wanted
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
