"""Run the service and its sibling: `python -m serving.run`.

One command, two servers: the food directory in this process, the sibling (veterans, donors) in a
child process; each has workers, which are its own children. A signal to stop ends all of them.
Granian replaces a worker that ends. If one of the servers ends, the other is stopped, and systemd,
compose or Kubernetes start the command again; they also end what a killed process leaves.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings

from serving.settings import SettingError, Settings, read_settings, settings_in_words
from serving.telemetry.logs import SERVER_LOG

_SIBLING = "--sibling"
# Time for requests to finish at shutdown; the rest are cut off. Less than the timeout that stops
# the process from outside (systemd, Kubernetes, compose: 30 s in deploy/).
_DRAIN_SECONDS = 20
# For the sibling to stop after this service, besides its own time as not ready.
_STOP_SECONDS = 8.0
_LOOK_SECONDS = 0.2
# Threads of a just killed worker hold its port until the last of them has ended.
_RELEASE_SECONDS = 1.0
# A new worker answers within this time: a national release opens within a second.
_RESPAWN_SECONDS = 8.0
# For the head of a request, and for the silence before the next one. nginx closes its own after 20
# s (deploy/nginx).
_HEADER_MILLISECONDS = 30_000
# Limit of a request's head, read at once: many times that of browsers and proxies.
_BUFFER_BYTES = 65_536
# Listen backlog: a burst of connections is not refused.
_BACKLOG = 4096
# Files of the release, the store, pipes: open files other than connections.
_OTHER_FILES = 256


class PortTakenError(RuntimeError):
    """Something else listens on the port."""


def serve(settings: Settings) -> None:
    """Answer requests until stopped. Raises PortTakenError with advice."""
    check_ports(settings)
    with _sibling(settings), _metrics_folder(settings):
        _server("serving.asgi:app", settings, settings.workers).serve()


def serve_sibling(settings: Settings) -> None:
    """Answer the sibling service's requests until stopped."""
    own = settings.sibling
    if own is None:
        raise SettingError("LARDER_SIBLING_PORT=0 turns the sibling service off")
    _server("serving.sibling.asgi:app", own, workers=1).serve()


@contextlib.contextmanager
def _sibling(settings: Settings) -> Iterator[None]:
    """Run the sibling service in a child process during the block; if it ends, so does this one."""
    if settings.sibling is None:
        yield
        return
    is_stopping = threading.Event()
    command = [sys.executable, "-m", "serving.run", _SIBLING]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own command

    def stop_with_it() -> None:
        process.wait()
        if not is_stopping.is_set():
            print("error: the sibling service ended; stopping", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop_with_it, daemon=True).start()
    try:
        yield
    finally:
        is_stopping.set()
        process.terminate()
        try:
            process.wait(settings.drain_seconds + _STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def _metrics_folder(settings: Settings) -> Iterator[None]:
    """Create the folder in which workers exchange their metrics, for the duration of the block."""
    if settings.workers == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="larder-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _server(target: str, settings: Settings, workers: int) -> Any:
    return Granian(
        target,
        address=settings.host,
        port=settings.port,
        workers=workers,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        # Guessing between HTTP/1 and 2 waits for the first bytes of a connection without end. nginx
        # speaks HTTP/1.1 to us.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=_HEADER_MILLISECONDS, max_buffer_size=_BUFFER_BYTES
        ),
        backlog=_BACKLOG,
        # Of connections, idle ones too. How many requests are worked on is for
        # `serving.http.admission` to say.
        backpressure=_connections(settings),
        log_access=False,
        log_dictconfig=SERVER_LOG,
        respawn_failed_workers=True,
        # A new worker takes part before the old one leaves (SIGHUP).
        respawn_interval=_RESPAWN_SECONDS,
        workers_kill_timeout=_DRAIN_SECONDS,
    )


def _connections(settings: Settings) -> int:
    """Return the maximum connections of a worker within the limit of open files, which is raised
    for that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard > soft:
        limit = settings.connections + _OTHER_FILES
        soft = max(soft, limit if hard == resource.RLIM_INFINITY else min(hard, limit))
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(settings.connections, soft - _OTHER_FILES))


def check_ports(settings: Settings) -> None:
    """Raise PortTakenError when a port of the service or its sibling cannot be listened on."""
    end = time.monotonic() + _RELEASE_SECONDS
    for variable, host, port in _ports(settings):
        while True:
            try:
                _check_port(host, port, variable)
                break
            except PortTakenError:
                if time.monotonic() > end:
                    raise
                time.sleep(_LOOK_SECONDS)


def _ports(settings: Settings) -> Iterator[tuple[str, str, int]]:
    yield "LARDER_PORT", settings.host, settings.port
    if settings.sibling is not None:
        yield "LARDER_SIBLING_PORT", settings.host, settings.sibling.port
    for own in (settings, settings.sibling):
        if own is not None and own.metrics_port:
            yield "LARDER_METRICS_PORT", own.metrics_host, own.metrics_port


def _check_port(host: str, port: int, variable: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortTakenError(
                f"cannot listen on {host}:{port} ({error.strerror}). Something else "
                "may run there: stop it, or choose"
                f" another port ({variable.removeprefix('LARDER_')}={port + 10} for "
                f"make, {variable}={port + 10} otherwise)."
            ) from error


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "larder-serve",
        description="Serve the current release. Settings come from the environment:",
        epilog=settings_in_words(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="only see whether it would work")
    parser.add_argument(_SIBLING, action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Serve as configured in the environment; with `--check` only check the configuration.

    Returns 2 for an invalid setting, port or argument.
    """
    arguments = _arguments()
    try:
        settings = read_settings()
        if arguments.check:
            check_ports(settings)
        elif arguments.sibling:
            serve_sibling(settings)
        else:
            serve(settings)
        return 0
    except (SettingError, PortTakenError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
