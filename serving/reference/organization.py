"""The organization that runs this instance: facts from one YAML file, the shipped one or the
operator's.
"""

from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec

from schemas.api.organization import Organization, OrganizationHead
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
