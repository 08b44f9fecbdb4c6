"""The application for an ASGI server: `granian --interface asgi serving.asgi:app`."""

from serving.app import create_app
from serving.settings import read_settings
from warehouse.release.watch import keep_uncollected

with keep_uncollected():
    app = create_app(read_settings())
