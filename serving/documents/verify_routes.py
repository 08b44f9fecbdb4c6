"""Verifies that a number on a letter or a check is that of the organization which runs this
service."""

import re
from typing import Annotated

import msgspec
from litestar import get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from litestar.types import Scope

from schemas.api.organization import (
    EinQuery,
    EinResult,
    Headquarters,
    IdentityCard,
    Organization,
    SisterOrganization,
    UnknownEin,
)
from serving.context import Context, context_of, request_id_of
from serving.http.answers import DAY, Answer, json_answer
from serving.http.errors import KINDS, PROBLEM_TYPE, invalid
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.reference.organization import IRS_LOOKUP, organization_of, verification_urls

_EIN = re.compile(r"([0-9]{2})-?([0-9]{7})")
_NOBODY = Headquarters(None, None, None, None, None)
Ein = Annotated[str, path_part("ein", schema_extra={"pattern": "^[0-9]{2}-?[0-9]{7}$"}, name="ein")]


@get(
    "/api/v1/verify/{ein:str}",
    summary="Whether an EIN is ours",
    tags=["documents"],
    responses=answers(IdentityCard, "The identity card of one of the three organizations.")
    | {
        404: ResponseSpec(
            UnknownEin,
            description="Another organization's; `hint_url` is the official lookup.",
            generate_examples=False,
            media_type="application/problem+json",
        )
    },
)
async def verify_ein(scope: Scope, ein: FromPath[Ein]) -> Answer:
    """Compare the EIN on a letter, a check or a form with those of this organization and its
    sisters.
    """
    match = _EIN.fullmatch(ein)
    if match is None:
        raise invalid("ein", "nine digits, with or without a hyphen after the second")
    query = EinQuery(ein, f"{match[1]}-{match[2]}")
    context = context_of(scope)
    result = identity(organization_of(context.settings), query.ein_normalized)
    if result is None:
        return _answer_unknown(context, scope, query)
    return json_answer(IdentityCard(query, result), DAY)


def identity(organization: Organization, ein: str) -> EinResult | None:
    """Return the card of an EIN (with its hyphen); None for an unknown EIN."""
    organizations: tuple[Organization | SisterOrganization, ...] = (
        organization,
        *organization.sisters,
    )
    owner = next((one for one in organizations if one.ein == ein), None)
    if owner is None:
        return None
    return EinResult(
        is_this_org=True,
        is_primary=owner is organization,
        name=owner.legal_name,
        common_name=owner.common_name,
        ein=ein,
        classification=owner.classification,
        relationship=owner.relationship if isinstance(owner, SisterOrganization) else None,
        headquarters=Headquarters(
            organization.address, organization.city, organization.state, organization.zip, "US"
        ),
        verification_urls=verification_urls(ein),
        is_fictional=organization.is_fictional,
    )


def _answer_unknown(context: Context, scope: Scope, query: EinQuery) -> Answer:
    kind, ein = KINDS["unknown-ein"], query.ein_normalized
    detail = (
        f"{ein} is not the EIN of this organization or of one of its sisters. "
        f"Look it up with the IRS: {IRS_LOOKUP}"
    )
    body = UnknownEin(
        type=f"{context.settings.url}/problems/unknown-ein",
        title=kind.title,
        status=kind.status,
        detail=detail,
        instance=scope["path"],
        error=detail,
        request_id=request_id_of(scope),
        success=False,
        query=query,
        result=EinResult(
            False, False, "", "", ein, "", None, _NOBODY, verification_urls(ein), False
        ),
        hint_url=IRS_LOOKUP,
    )
    return Answer(
        msgspec.json.encode(body), media_type=PROBLEM_TYPE, max_age=DAY, status=kind.status
    )
