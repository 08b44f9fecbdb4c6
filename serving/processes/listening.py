"""Closes a worker's listening sockets before its server stops, so that no connection is reset.

A server that stops closes its listening socket, with which the kernel resets every connection that
waits in its queue, and each connection of which it has read nothing yet. A proxy may not send a
write again that met such a reset (RFC 9110, section 9.2.2): its client gets 502, although nothing
was written. A connection that is refused it opens to another replica.
"""

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

# asm-generic/socket.h; Python's module does not name it.
_SO_ATTACH_FILTER = 26
# `struct sock_filter` (linux/filter.h): BPF_RET | BPF_K with 0, accept no byte of any packet.
_DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)
# `tcpi_unacked` of `struct tcp_info` (linux/tcp.h): connections in the queue of a listening socket.
_UNACKED = slice(24, 28)
# The queue is empty within milliseconds, unless the worker has as many connections as it may have.
_QUEUE_SECONDS = 2.0
_LOOK_SECONDS = 0.001
# For the last connections to be read, also on a busy machine.
_READ_SECONDS = 1.0


def refuse_before_stop(port: int) -> None:
    """Refuse new connections to `port` before the server's own handler of SIGTERM acts.

    Does nothing but on Linux, in a worker that a server has started.
    """
    is_worker = multiprocessing.parent_process() is not None
    is_main = threading.current_thread() is threading.main_thread()
    if sys.platform == "linux" and is_worker and is_main:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, _refuse_and_stop, loop, port)


def _refuse_and_stop(loop: asyncio.AbstractEventLoop, port: int) -> None:
    for number, listener in _listeners(port):
        with listener:
            _drop_handshakes(listener)
            _wait_for_empty_queue(listener)
            _replace(number)
    # Granian handles both signals alike, and its handler of this one is still in place.
    loop.call_later(_READ_SECONDS, os.kill, os.getpid(), signal.SIGINT)


def _drop_handshakes(listener: socket.socket) -> None:
    """Let the kernel drop SYNs: their clients send them again a second later, and are refused.

    Some kernels permit it to root alone. Without it, a client that connects in the moment before
    the socket is closed is reset, and the worker stops all the same.
    """
    code = ctypes.create_string_buffer(_DROP_ALL, len(_DROP_ALL))
    program = struct.pack("HP", 1, ctypes.addressof(code))
    with contextlib.suppress(PermissionError):
        listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)


def _wait_for_empty_queue(listener: socket.socket) -> None:
    end = time.monotonic() + _QUEUE_SECONDS
    while _queue_length(listener) and time.monotonic() < end:
        time.sleep(_LOOK_SECONDS)


def _queue_length(listener: socket.socket) -> int:
    info = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _UNACKED.stop)
    return int.from_bytes(info[_UNACKED], sys.byteorder)


def _replace(number: int) -> None:
    """Close a listening socket, and put one under its number that no client knows: the server,
    which waits for connections at this number, sees neither an error nor a connection.
    """
    with socket.create_server(("127.0.0.1", 0)) as unknown:
        unknown.setblocking(False)
        os.dup2(unknown.fileno(), number, inheritable=False)


def _listeners(port: int) -> Iterator[tuple[int, socket.socket]]:
    """Yield the number of each socket of this process that listens on `port`, and a duplicate."""
    for number in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError):
            if not Path(f"/proc/self/fd/{number}").is_socket():
                continue
            listener = socket.socket(fileno=os.dup(number))
            if _is_listening(listener, port):
                yield number, listener
            else:
                listener.close()


def _is_listening(listener: socket.socket, port: int) -> bool:
    is_tcp = listener.family in {socket.AF_INET, socket.AF_INET6}
    return (
        is_tcp
        and listener.getsockname()[1] == port
        and bool(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    )
