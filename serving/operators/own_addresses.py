"""Decides whether an e-mail address is on a place's own host, so that reading mail there proves who
runs it."""

from functools import cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from schemas.vocab.shared_hosts import LOCALITY, SHARED_HOSTS, SHARED_SUFFIXES, SHARED_WORDS
from warehouse.index.reader import OpenRelease

# A church lists its pantry, its kitchen and its van. More places share a host that nobody owns
# alone.
MAX_PLACES = 3


@cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffix list as shipped with the library; nothing is fetched."""
    return PublicSuffixList()


def registrable_domain(host: str) -> str | None:
    """Return the registered part of a host: `food.stjohn.org` is of `stjohn.org`. None for a suffix
    alone."""
    domain: str | None = _suffixes().privatesuffix(host.strip().strip(".").lower())
    return domain


def domain_of_website(website: str) -> str | None:
    """Return the registrable domain of a website as listed, with or without its scheme."""
    try:
        host = urlsplit(website if "//" in website else f"//{website}").hostname
    except ValueError:
        return None
    return registrable_domain(host) if host else None


def is_shared(domain: str) -> bool:
    """Return whether a registrable domain is of a mail provider, directory, school, government
    or national body."""
    return (
        domain in SHARED_HOSTS
        or registrable_parent(domain) in SHARED_HOSTS
        or domain.endswith(SHARED_SUFFIXES)
        or LOCALITY.search(domain) is not None
        or SHARED_WORDS.search(domain) is not None
    )


def registrable_parent(domain: str) -> str:
    """Return the part after the first dot: the host of `name.wixsite.com`, which is a public
    suffix itself."""
    return domain.partition(".")[2]


def is_own_address(release: OpenRelease, email: str, website: str | None) -> bool:
    """Return whether an address is of the registrable domain of a place's website, and that domain
    is the place's own.

    It is nobody's own if it is shared by nature, or if more than MAX_PLACES places of the release
    or places of different organizations list it. Queries the database: call it in a thread.
    """
    domain = domain_of_website(website) if website else None
    if (
        domain is None
        or domain != registrable_domain(email.rpartition("@")[2])
        or is_shared(domain)
    ):
        return False
    return is_of_one_organization(release, domain)


def is_of_one_organization(release: OpenRelease, domain: str) -> bool:
    """Return whether at most MAX_PLACES places list a domain, all of one organization. Queries the
    database."""
    with release.cursor() as db:
        rows = db.execute(
            "SELECT website, organization, name FROM core_directory__resources WHERE is_active "
            "AND contains(lower(website), ?)",
            [domain],
        ).fetchall()
    users = [
        (organization, name)
        for website, organization, name in rows
        if domain_of_website(website) == domain
    ]
    return len(users) <= MAX_PLACES and len({_organization(*user) for user in users}) <= 1


def _organization(organization: str | None, name: str) -> str:
    """Return letters and digits of an organization; of a place without one, of its name before a
    dash."""
    owner = organization or name.partition(" - ")[0]
    return "".join(c for c in owner.casefold() if c.isalnum())
