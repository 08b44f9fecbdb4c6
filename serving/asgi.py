"""The application for an ASGI server: `granian --interface asgi serving.asgi:app`."""

from serving.app import create_app
from serving.settings import read_settings

app = create_app(read_settings())
