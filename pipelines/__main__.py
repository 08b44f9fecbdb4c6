"""`larder`, also as `python -m pipelines`.

A separate module: forked processes import the main module again unless it is a `__main__`.
"""

import atexit
import os
import sys


def run() -> None:
    """Run the command, then end the process without clearing its memory.

    Python would free every object first, for up to four seconds after a build.
    """
    exit_codes: list[int] = []
    # Registered before all others, called after them.
    atexit.register(_end, exit_codes)
    from pipelines.cli import main  # noqa: PLC0415 - what it imports registers others

    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, int):
            exit_codes.append(end.code)
        raise


def _end(exit_codes: list[int]) -> None:
    """End this process with the status of its command; leave it to Python after an error."""
    if exit_codes:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as with `>&-`
                stream.flush()
        os._exit(exit_codes[0])


if __name__ == "__main__":
    run()
