"""Discovery document of the sibling service."""

from __future__ import annotations

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

# Name, path and meaning of every address that is no data set, in the order in which discovery lists
# them.
ENDPOINTS: tuple[tuple[str, str, str], ...] = (
    (
        "donor_information",
        "/api/donor-information.json",
        "Every way of giving, with what each needs.",
    ),
    ("donor_information_es", "/api/donor-information-es.json", "The same in Spanish."),
    (
        "donor_intent",
        "/api/donor/intent?q=stock",
        "One way of giving; POST `text` for a wish in one's own words.",
    ),
    (
        "donor_impact",
        "/api/donor/impact?amount=50&cadence=monthly",
        "An amount in days of food.",
    ),
    (
        "employer_match",
        "/api/donor/employer-match?employer=Microsoft",
        "Known details of a matching program.",
    ),
    (
        "state_tax_credit",
        "/api/state-tax-credit?state=AZ&gift=400",
        "What a state gives back.",
    ),
    (
        "legacy_giving",
        "/api/legacy-giving?vehicle=bequest",
        "Sample language for a planned gift.",
    ),
    ("health", "/api/health", "Whether the service answers."),
    ("health_ready", "/api/health/ready", "Whether it has data to answer from."),
    ("health_deep", "/api/health/deep", "Whether every part of it works."),
    ("openapi", "/api/openapi.json", "Description of the API (OpenAPI 3.1)."),
    ("discovery", "/api/discovery", "This document."),
)


@get(
    "/api/discovery",
    operation_id="getDiscovery",
    summary="Where everything is",
    tags=["discovery"],
    responses=answers(SiblingDiscovery, "Data sets and addresses of this service."),
)
async def discovery(scope: Scope) -> Answer:
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
            SiblingEndpoint(name, settings.url + path, text) for name, path, text in ENDPOINTS
        ],
    )
    return json_answer(document, MINUTE)


@get("/", include_in_schema=False)
async def front() -> Answer:
    """Lead to the discovery document."""
    return redirect("/api/discovery", status=307, max_age=MINUTE)
