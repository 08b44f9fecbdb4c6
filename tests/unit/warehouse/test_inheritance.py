"""A parent leaves a release to its children: they query it, its database too, without opening the
rest again.
"""

import subprocess
import sys

import pytest

from tests.support.town import write_town
from warehouse.release.store import ReleaseStore

_FAMILY = """
import os, sys
from pathlib import Path
from warehouse.index import preload
from warehouse.index.reader import OpenRelease

folder = Path(sys.argv[1])
preload.leave(OpenRelease(folder))
assert preload.take_shared().folder == folder

def child(number):
    release = preload.inherit(folder if number < 2 else folder.parent / "another")
    if number == 2:
        return release is None and preload.take_shared() is None
    rows = release.cursor().execute("SELECT count(*) FROM core_directory__resources WHERE is_active").fetchall()
    near = release.spatial.select(None).nearest((0.0, 0.0, 0.0), 3, 1e9)
    return rows[0][0] == len(release) and len(near) == 3 and preload.inherit(folder) is None

children = []
for number in range(3):
    pid = os.fork()
    if not pid:
        os._exit(0 if child(number) else 1)
    children.append(pid)
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children])
preload.clear()
assert preload.take_shared() is None and preload.inherit(folder) is None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    data = tmp_path_factory.mktemp("town")
    write_town(data)
    store = ReleaseStore(data)
    return store.folder(str(store.current()))


def test_forked_children_query_the_parents_data(folder):
    process = subprocess.run(
        [sys.executable, "-c", _FAMILY, str(folder)],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert (process.stdout, process.returncode) == ("[0, 0, 0]\n", 0), process.stderr
