"""A real S3 server on loopback, which can stop and restart with its content."""

import itertools
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import boto3
from moto.server import ThreadedMotoServer

from tests.support.server import free_port
from warehouse.storage.bucket import Bucket

_NUMBERS = itertools.count(1)
ACCESS_KEY, SECRET = "AKIAEXAMPLEEXAMPLE", "a-secret-that-must-not-be-logged"


@dataclass
class S3Server:
    """A server, reached with `environment`; `url` is a bucket with a prefix."""

    port: int
    url: str = ""
    _server: ThreadedMotoServer | None = field(default=None, repr=False)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
        }

    def start(self) -> None:
        """Listen on the port, with the previous content."""
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self._server.start()

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def new_bucket(self) -> None:
        """Create an empty bucket and set `url` to it."""
        name = f"releases-{next(_NUMBERS)}"
        client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1")
        client.create_bucket(Bucket=name)
        self.url = f"s3://{name}/larder"

    def bucket(self) -> Bucket:
        return Bucket(self.url)


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Run a server. The caller sets `environment` and calls `new_bucket`."""
    server = S3Server(free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()
