"""The organization that runs this instance, from the shipped YAML file or the operator's; and the
contacts that answers name: hotlines, WIC, where to apply by state.
"""

from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec

from schemas.api.organization import Organization, OrganizationHead
from serving.reference.policy import FactsOn, FactValue, nearest
from serving.settings import SettingError, Settings

IRS_LOOKUP = "https://apps.irs.gov/app/eos/"
_FICTIONAL = (
    "Example data: this organization does not exist. The operator of this instance has not been "
    "named."
)


def organization_of(settings: Settings) -> Organization:
    """Return all facts. Raises SettingError when the operator's file is missing or wrong."""
    return _read(settings.organization_file)


def organization_head(settings: Settings) -> OrganizationHead:
    """Return the few facts that most documents carry."""
    organization = organization_of(settings)
    return OrganizationHead(
        name=organization.common_name,
        legal_name=organization.legal_name,
        ein=organization.ein,
        email=organization.email,
        url=settings.url,
        is_fictional=organization.is_fictional,
        note=_FICTIONAL if organization.is_fictional else None,
    )


@lru_cache(maxsize=8)
def _read(path: str) -> Organization:
    """Read once per process: the organization does not change while it runs."""
    file = Path(path) if path else resources.files("content") / "organization.yaml"
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=Organization)
    except (OSError, msgspec.DecodeError) as error:
        raise SettingError(f"LARDER_ORGANIZATION_FILE={path!r}: {error}") from error


def verification_urls(ein: str) -> dict[str, str]:
    """Return public registers for looking up an EIN. The first two are official or derived from
    official files."""
    digits = ein.replace("-", "")
    return {
        "irs_tax_exempt_organization_search": IRS_LOOKUP,
        "propublica_nonprofit_explorer": f"https://projects.propublica.org/nonprofits/organizations/{digits}",
        "candid": f"https://www.guidestar.org/profile/{ein}",
        "charity_navigator": f"https://www.charitynavigator.org/ein/{digits}",
    }


class Portal(msgspec.Struct):
    """The page on which a state takes applications."""

    url: str
    source: str
    as_of: date
    second_source_agrees: bool
    name: str | None = None


class Phone(msgspec.Struct):
    """A telephone number and the day it was checked."""

    number: str
    source: str
    as_of: date


class StateProgram(msgspec.Struct):
    """SNAP, or a territory's program in its place, in one state."""

    program: str
    agency: str | None
    portal: Portal | None = None
    phone: Phone | None = None
    is_snap: bool = True
    website: str | None = None
    """Of the agency, where no portal is known."""


class Wic(msgspec.Struct):
    """The income limit of WIC, in percent of the poverty guideline, and its period."""

    pct_of_poverty: int
    effective_from: date
    effective_to: date
    source: str
    as_of: date


class Facts(msgspec.Struct, frozen=True):
    """The contacts and limits in force on a day."""

    programs: dict[str, StateProgram]
    local: Phone | None
    # For benefits of veterans.
    veterans: Phone | None
    wic: Wic
    # Telephones of food banks, by their id in the network's list.
    food_banks: dict[str, Phone]


def facts() -> Facts:
    """Return the facts of today (UTC). Raises msgspec.ValidationError when a file of the package
    is damaged."""
    return _facts_on(datetime.now(UTC).date())


@lru_cache(maxsize=4)
def _facts_on(day: date) -> Facts:
    figures = FactsOn(day)
    portals, phones = figures.under("state.portal"), figures.under("state.phone")
    programs = {
        state: StateProgram(
            program.value["name"],
            program.value["agency"],
            _portal(portals.get(state)),
            _phone(phones.get(state)),
            program.value["is_snap"],
            program.source_url,
        )
        for state, program in figures.under("state.program").items()
    }
    # New limits come every July; until then the last ones are shown, with the days between which
    # they hold.
    limit, _ = nearest("wic.income_pct", day) or (figures["wic.income_pct"], False)
    assert limit.effective_from is not None
    assert limit.effective_to is not None
    return Facts(
        programs,
        local=_phone(figures.get("hotline.local")),
        veterans=_phone(figures.get("hotline.va_benefits")),
        wic=Wic(
            limit.value, limit.effective_from, limit.effective_to, limit.source_title, limit.as_of
        ),
        food_banks={
            i: Phone(fact.value, fact.source_title, fact.as_of)
            for i, fact in figures.under("food_bank.phone").items()
        },
    )


def _portal(fact: FactValue | None) -> Portal | None:
    if fact is None:
        return None
    portal = fact.value
    return Portal(
        portal["url"],
        fact.source_title,
        fact.as_of,
        portal["second_source_agrees"],
        portal.get("name"),
    )


def _phone(fact: FactValue | None) -> Phone | None:
    return Phone(fact.value, fact.source_title, fact.as_of) if fact else None
