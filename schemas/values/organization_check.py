"""Finds example values and gaps in an organization's file."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from schemas.api.organization import Organization


class Finding(NamedTuple):
    """Value to review: its path in the file, the value, and the reason."""

    path: str
    value: str
    why: str


# Domains and numbers that are reserved for examples: RFC 2606, RFC 6761; 555-0100 to 555-0199
# (NANPA).
_MARKS = (
    (re.compile(r"\b00-\d{7}\b"), "no EIN begins with 00"),
    (
        re.compile(r"\bexample\.(org|com|net)\b|\.example\b|\.invalid\b|\.test\b", re.I),
        "this domain is reserved for examples",
    ),
    (re.compile(r"\b555-01\d\d\b"), "this telephone number is reserved for examples"),
    (re.compile(r"^00000$"), "there is no ZIP code 00000"),
    (re.compile(r"\b(example|ejemplo)(ville|s)?\b", re.I), "this is the shipped example's name"),
    (
        re.compile(r"\b(fictional|invented|fictici|inventad|does not exist|no existe)", re.I),
        "this says that it is invented",
    ),
)
_WANTED = {
    "mission": "say in one sentence what the organization is for",
    "founded_date": "name the day on which it was founded",
    "founder": "name who founded it",
    "board": "name the members of the board",
    "contacts": "name whom to write to",
    "policies": "list the policies",
    "financial_years": "give at least one fiscal year",
    "security_contact_checked": (
        "name the day on which you checked that the contact for security answers"
    ),
    "donation_channels": "list the ways to give, or leave them closed",
}


def examples_left(organization: Organization) -> list[Finding]:
    """Return facts that are invented, in the order of the file."""
    findings = (
        [Finding("is_fictional", "true", "set it to false once the rest is yours")]
        if organization.is_fictional
        else []
    )
    for path, text in _texts(msgspec.to_builtins(organization)):
        why = next((why for mark, why in _MARKS if mark.search(text)), None)
        if why is not None:
            findings.append(Finding(path, text, why))
    return findings


def facts_missing(organization: Organization) -> list[Finding]:
    """Return facts without which documents have gaps, and claims that nothing carries."""
    missing = [
        Finding(name, "", why) for name, why in _WANTED.items() if not getattr(organization, name)
    ]
    missing += [
        Finding(f"policies.{p.id}.adopted_date", "", "name the day on which the board adopted it")
        for p in organization.policies
        if p.adopted_date is None
    ]
    if organization.accepts_donations and not any(
        c.is_open for c in organization.donation_channels
    ):
        missing.append(
            Finding("donation_channels", "", "gifts are accepted, but no way of giving is open")
        )
    if organization.accepts_donations and not organization.is_tax_exempt:
        missing.append(
            Finding(
                "is_tax_exempt",
                "false",
                "gifts are accepted: say on your pages that they are not deductible",
            )
        )
    return missing


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{n}]")
    elif isinstance(value, str):
        yield path, value
