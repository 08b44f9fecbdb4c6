"""Ends a process when its parent has ended for any reason."""

import ctypes
import multiprocessing
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with_parent(parent: int) -> None:
    """Let the kernel kill this process as soon as process `parent` has ended. Linux only; raises
    OSError.

    The thread that started this process counts as the parent: it must live as long as the parent
    does.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it ended before the kernel was notified
        os._exit(1)


def end_with_server() -> None:
    """End a server's worker with the server. Does nothing in a process that no server started."""
    server = multiprocessing.parent_process()
    if server is not None and server.pid is not None:
        end_with_parent(server.pid)
