"""Small files by convention: robots.txt, security.txt (RFC 9116), ai-plugin.json."""

from datetime import UTC, datetime, time, timedelta

from schemas.api.discovery import AiPlugin, PluginApi, PluginAuth
from schemas.api.organization import Organization
from schemas.values.instants import instant_text
from serving.reference.organization import organization_of
from serving.render.assets import asset
from serving.settings import Settings

# A notice is valid for less than a year (RFC 9116, 2.5.5) from the day a person checked the
# contact.
SECURITY_DAYS = 360
# Paths for one person alone, or for operators of the instance.
_NOT_FOR_CRAWLERS = (
    "/admin",
    "/pantry/manage/",
    "/es/pantry/manage/",
    "/pantry/confirm/",
    "/es/pantry/confirm/",
)
_NAME_LENGTH, _DESCRIPTION_LENGTH = 20, 100


def robots_txt(settings: Settings) -> str:
    """Return rules that allow everything; pages that search engines must skip say so themselves."""
    rules = "".join(f"Disallow: {path}\n" for path in _NOT_FOR_CRAWLERS)
    return f"User-agent: *\n{rules}\nSitemap: {settings.url}/sitemap.xml\n"


def security_contact(organization: Organization) -> str:
    """Return the address for reports of holes."""
    return next((c.email for c in organization.contacts if c.id == "security"), organization.email)


def security_expires(organization: Organization) -> datetime | None:
    """Return the last day of the notice; None if the contact was never checked."""
    day = organization.security_contact_checked
    return datetime.combine(day, time(), UTC) + timedelta(days=SECURITY_DAYS) if day else None


def security_txt(settings: Settings) -> str | None:
    """Return the notice; None when the day on which the contact was checked is not known: it may
    not be left open."""
    organization = organization_of(settings)
    expires = security_expires(organization)
    if expires is None:
        return None
    url = settings.url
    lines = [
        f"Contact: mailto:{security_contact(organization)}",
        f"Expires: {instant_text(expires)}",
        "Preferred-Languages: en, es",
    ]
    if url.startswith("https://"):  # web addresses must begin so (2.5.2, 2.5.3, 2.5.7)
        lines += [
            f"Contact: {url}/contacts",
            f"Canonical: {url}/.well-known/security.txt",
            f"Policy: {url}/security",
        ]
    return "\n".join(lines) + "\n"


def ai_plugin(settings: Settings) -> AiPlugin:
    """Return the manifest of AI plugins (a retired form that some agents still read)."""
    organization = organization_of(settings)
    return AiPlugin(
        schema_version="v1",
        name_for_human="Food help directory"[:_NAME_LENGTH],
        name_for_model="food_assistance_directory",
        description_for_human="Find free food, SNAP and WIC help near you."[:_DESCRIPTION_LENGTH],
        description_for_model=(
            "Finds food assistance in the United States: pantries, meal sites, SNAP and WIC "
            "offices, health centers, by ZIP code, city or point; what is open now; active "
            "disasters. When hours_status is unknown, tell people to call first. Stores "
            "(snap_retailer) sell food and are not free food."
        ),
        auth=PluginAuth("none"),
        api=PluginApi("openapi", f"{settings.url}/api/openapi.json"),
        logo_url=settings.url + asset("icon.svg"),
        contact_email=organization.email,
        legal_info_url=f"{settings.url}/policies",
    )
