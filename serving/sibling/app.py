"""The sibling service: resources for veterans and information for donors, from the same factory and
release.
"""

from importlib import resources
from types import SimpleNamespace

import msgspec
from litestar import Litestar, get
from litestar.openapi.spec import Tag
from litestar.types import Scope

from schemas.api.veterans import SiblingDataset, SiblingDiscovery, SiblingEndpoint
from schemas.vocab.veterans import VETERAN_LICENSE
from serving import health
from serving.app import make_app
from serving.context import context_of, current_release
from serving.donors import donors, veterans
from serving.donors.veterans import NAME
from serving.http.answers import DAY, MINUTE, Answer, json_answer, redirect
from serving.http.openapi import answers, openapi_config
from serving.reference.organization import organization_of
from serving.settings import API_VERSION, Settings
from serving.site import pages, static

_ENDPOINTS: list[dict[str, str]] = msgspec.yaml.decode(
    (resources.files("content") / "sibling.yaml").read_bytes()
)


@get(
    "/api/discovery",
    summary="Where everything is",
    tags=["discovery"],
    responses=answers(SiblingDiscovery, "Data sets and addresses of this service."),
)
async def get_discovery(scope: Scope) -> Answer:
    """Return every data set with its addresses, and every other address with its meaning."""
    settings, release = context_of(scope).settings, current_release(scope)
    base, organization = f"{settings.url}/api/{NAME}", organization_of(settings)
    veterans = SiblingDataset(
        id=NAME,
        title="Resources for veterans",
        json_url=f"{base}.json",
        csv_url=f"{base}.csv",
        parquet_url=f"{base}.parquet",
        license=VETERAN_LICENSE,
        cached_seconds=DAY,
    )
    document = SiblingDiscovery(
        service="Open Larder: veterans and donors",
        version=API_VERSION,
        organization=organization.common_name,
        contact=organization.email,
        release_id=release.release_id if release else None,
        is_synthetic=release.is_synthetic if release else None,
        datasets=[veterans],
        endpoints=[
            SiblingEndpoint(one["name"], settings.url + one["path"], one["description"])
            for one in _ENDPOINTS
        ],
    )
    return json_answer(document, MINUTE)


@get("/", include_in_schema=False)
async def front() -> Answer:
    """Lead to the discovery document."""
    return redirect("/api/discovery", status=307, max_age=MINUTE)


_TAGS = [
    Tag("veterans", "The data set of resources for veterans."),
    Tag("donors", "Ways of giving, employers' matches and tax benefits. No tax advice."),
    Tag("discovery", "Where everything is."),
    Tag("health", "Whether the service works."),
]
_DESCRIPTION = (
    "Resources for veterans in the United States as one open data set, and information for donors."
    "\n\n"
    "Reading needs no key. Every answer names the release of the data it is made from in "
    "`X-Release`, carries an\n"
    "`ETag` and honours `If-None-Match`; every GET also answers HEAD. Answers made from invented "
    "records say so in\n"
    "`X-Synthetic: true`. Errors are RFC 9457 problem reports."
)
# Its discovery document, and routes of every service; the front page and the pages about food are
# the directory's own.
_SHARED = SimpleNamespace(
    HANDLERS=[
        front,
        get_discovery,
        health.get_health,
        health.get_readiness,
        health.get_deep_health,
        pages.problem,
        pages.description,
    ]
)
_ROOMS = (veterans, donors, static, _SHARED)


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
