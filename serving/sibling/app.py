"""The sibling service: resources for veterans and information for donors, from the same factory and
release.
"""

from types import SimpleNamespace

from litestar import Litestar
from litestar.openapi.spec import Tag

from serving.app import make_app
from serving.donors import routes as donors
from serving.donors import veteran_routes as veterans
from serving.health import routes as health
from serving.http.openapi import openapi_config
from serving.settings import Settings
from serving.sibling import discovery
from serving.site import pages, static

_TAGS = [
    Tag("veterans", "The data set of resources for veterans."),
    Tag("donors", "Ways of giving, employers' matches and tax benefits. No tax advice."),
    Tag("discovery", "Where everything is."),
    Tag("health", "Whether the service works."),
]
_DESCRIPTION = """Resources for veterans in the United States as one open data set, and information for donors.

Reading needs no key. Every answer names the release of the data it is made from in `X-Release`, carries an
`ETag` and honours `If-None-Match`; every GET also answers HEAD. Answers made from invented records say so in
`X-Synthetic: true`. Errors are RFC 9457 problem reports."""
# Routes of every service; the front page and the pages about food are the directory's own.
_SHARED = SimpleNamespace(
    HANDLERS=[
        health.get_health,
        health.get_readiness,
        health.get_deep_health,
        pages.problem,
        pages.description,
    ]
)
_ROOMS = (veterans, discovery, donors, static, _SHARED)


def create_sibling_app(settings: Settings) -> Litestar:
    """Return the sibling service. Raises ValueError when the settings turn it off."""
    own = settings.sibling
    if own is None:
        raise ValueError("LARDER_SIBLING_PORT=0 turns the sibling service off")
    config = openapi_config(own)
    config.title = "Open Larder: veterans and donors"
    config.summary = "Resources for veterans, information for donors."
    config.description = _DESCRIPTION
    config.tags = list(_TAGS)
    return make_app(own, _ROOMS, config)
