"""Writes the API description to standard output; needs no release."""

import sys
import tempfile
from pathlib import Path

from serving.app import create_app
from serving.http.openapi import document
from serving.settings import Settings


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), log_level="critical")
        sys.stdout.buffer.write(document(create_app(settings)))


if __name__ == "__main__":
    main()
