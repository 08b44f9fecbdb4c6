"""Who runs an instance, as documents tell it and as the file of facts gives it."""

from __future__ import annotations

from typing import Annotated

import msgspec

_Meta = msgspec.Meta
Ein = Annotated[str, _Meta(pattern=r"^[0-9]{2}-[0-9]{7}$", description="Employer Identification Number. Numbers that begin with 00 are never issued: they mark an example.", examples=["00-0000000"])]  # fmt: skip


class SisterOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """An organization beside the primary one."""

    legal_name: str
    common_name: str
    ein: Ein
    classification: str
    relationship: str
    domain: str


class Organization(msgspec.Struct, forbid_unknown_fields=True):
    """All facts about the organization that runs this instance; the shipped ones are invented."""

    is_fictional: bool
    legal_name: str
    common_name: str
    ein: Ein
    classification: str
    address: str
    city: str
    state: Annotated[str, _Meta(pattern="^[A-Z]{2}$")]
    zip: Annotated[str, _Meta(pattern="^[0-9]{5}$")]
    phone: str
    email: str
    domain: str
    sisters: list[SisterOrganization] = []


class OrganizationHead(msgspec.Struct, forbid_unknown_fields=True):
    """The organization as most documents name it."""

    name: Annotated[str, _Meta(description="Name it is known by.")]
    legal_name: Annotated[str, _Meta(description="Name it is registered under.")]
    ein: Ein
    email: Annotated[str, _Meta(description="Where to write.")]
    url: Annotated[str, _Meta(description="Address of this service.")]
    is_fictional: Annotated[bool, _Meta(description="True for an example: there is no such organization.")]  # fmt: skip
    note: Annotated[str | None, _Meta(description="What to know before relying on these facts.")]
