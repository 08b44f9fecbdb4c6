"""The application for an ASGI server: `granian --interface asgi serving.asgi:app`."""

from __future__ import annotations

from serving.app import create_app
from serving.processes.parent import end_with_server
from serving.settings import read_settings

end_with_server()
app = create_app(read_settings())
