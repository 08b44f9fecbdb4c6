"""The processes that other tests start and end."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import comes_true, is_alive

_FIRST_THREAD_ENDS = """
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_process_is_alive_until_its_last_thread_has_ended():
    with subprocess.Popen([sys.executable, "-c", _FIRST_THREAD_ENDS], stdin=-1) as process:
        status = Path(f"/proc/{process.pid}/stat")
        assert comes_true(lambda: " Z " in status.read_text())
        assert is_alive(process.pid)
    assert not is_alive(process.pid)
