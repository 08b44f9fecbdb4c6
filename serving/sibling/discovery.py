"""Discovery document of the sibling service."""

from importlib import resources

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.veterans import SiblingDataset, SiblingDiscovery, SiblingEndpoint
from schemas.vocab.veterans import VETERAN_LICENSE
from serving.context import context_of, current_release
from serving.donors.veterans import NAME
from serving.http.answers import DAY, MINUTE, Answer, json_answer, redirect
from serving.http.openapi import answers
from serving.reference.organization import organization_of
from serving.settings import API_VERSION

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
        datapackage_url=f"{settings.url}/api/datapackage.json",
        record_url_template=f"{base}/{{id}}",
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
