"""Running the service: `python -m serving.run`."""

from __future__ import annotations

import os
import socket
import sys

from granian import Granian
from granian.constants import Interfaces, Loops

from serving.settings import SettingError, read_settings


class PortTakenError(RuntimeError):
    """Something else listens on the port."""


def serve(host: str, port: int, workers: int) -> None:
    """Answer requests until told to stop. Raises PortTakenError saying what to do."""
    _check_port(host, port)
    # The workers are processes of their own and read the settings again.
    os.environ["LARDER_HOST"], os.environ["LARDER_PORT"] = host, str(port)
    Granian(
        "serving.asgi:app",
        address=host,
        port=port,
        workers=workers,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        log_access=False,
        respawn_failed_workers=True,
    ).serve()


def _check_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortTakenError(
                f"cannot listen on {host}:{port} ({error.strerror}). Something else may run there:"
                f" stop it, or choose another port (PORT={port + 1} for make, LARDER_PORT={port + 1} otherwise)."
            ) from error


def main() -> int:
    """Serve as the environment says; with `--check` only see whether that would work.

    Returns 2 when a setting or the port is wrong.
    """
    try:
        settings = read_settings()
        if "--check" in sys.argv[1:]:
            _check_port(settings.host, settings.port)
            return 0
        serve(settings.host, settings.port, settings.workers)
    except (SettingError, PortTakenError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
