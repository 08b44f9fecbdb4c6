"""The application for an ASGI server: `granian --interface asgi serving.asgi:app`."""

import gc

# What a start makes stays: the collector would walk all of it again and again, for a quarter of the
# start. The lifespan turns it on again.
gc.disable()

from serving.app import create_app  # noqa: E402
from serving.settings import read_settings  # noqa: E402

app = create_app(read_settings())
