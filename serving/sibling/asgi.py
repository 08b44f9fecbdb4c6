"""The sibling service for an ASGI server: `granian --interface asgi serving.sibling.asgi:app`."""

from serving.settings import read_settings
from serving.sibling.app import create_sibling_app
from warehouse.release.watch import keep_uncollected

with keep_uncollected():
    app = create_sibling_app(read_settings())
