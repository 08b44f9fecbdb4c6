"""Mailboxes and telephones: their one form, and whether the directory may contact them."""

import contextlib
import re
from typing import Literal

import phonenumbers
from phonenumbers import PhoneNumberType
from sqlalchemy import Connection

from warehouse.operations.sms import has_opted_out

Channel = Literal["email", "phone"]

# Domains of one provider that deliver to the same mailbox.
_SAME_MAILBOX = {
    "googlemail.com": "gmail.com",
    "me.com": "icloud.com",
    "mac.com": "icloud.com",
    "pm.me": "proton.me",
    "protonmail.com": "proton.me",
    "protonmail.ch": "proton.me",
}
# Characters that a provider ignores in the local part.
_IGNORED = {"gmail.com": ".", "proton.me": ".-_"}
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?")
# Names that no public mail server has: RFC 6761, 6762, 8375, and the name reserved by ICANN.
_NOT_PUBLIC = (
    ".localhost",
    ".local",
    ".localdomain",
    ".internal",
    ".home.arpa",
    ".invalid",
    ".lan",
)
# Telephones of the United States and its territories. Other countries share the code +1.
_REGIONS = frozenset({"US", "PR", "VI", "GU", "AS", "MP"})
_TEXTABLE = {
    PhoneNumberType.FIXED_LINE,
    PhoneNumberType.MOBILE,
    PhoneNumberType.FIXED_LINE_OR_MOBILE,
}
# Exchanges that charge the caller or belong to a carrier's own services, in every area code.
_CHARGED_EXCHANGES = frozenset({"976", "950", "958", "959"})


def mailbox_of(address: str) -> str:
    """Return the mailbox behind an e-mail address, equal for every way to write it.

    Letters are small and the domain is in ASCII. A part after "+" is a tag of the same mailbox
    (RFC 5233); some providers ignore dots or have several domains.
    """
    local, _, domain = address.strip().casefold().rpartition("@")
    with contextlib.suppress(UnicodeError):  # no domain: `is_public_mailbox` says so
        domain = domain.rstrip(".").encode("idna").decode()
    domain = _SAME_MAILBOX.get(domain, domain)
    local = local.partition("+")[0] or local
    ignored = _IGNORED.get(domain, "")
    return f"{''.join(c for c in local if c not in ignored)}@{domain}"


def number_of(phone: str) -> str:
    """Return a telephone number in E.164; the digits of what is no number."""
    try:
        number = phonenumbers.parse(phone, "US")
    except phonenumbers.NumberParseException:
        return "".join(c for c in phone if c.isdigit())
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def refusal(db: Connection, channel: Channel, recipient: str) -> str | None:
    """Return why the directory must not contact a mailbox or telephone; None if it may."""
    if channel == "email":
        return None if is_public_mailbox(recipient) else "no public mailbox"
    number = number_of(recipient)
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return "no telephone number"
    if phonenumbers.region_code_for_number(parsed) not in _REGIONS:
        return "no telephone of the United States"
    if phonenumbers.number_type(parsed) not in _TEXTABLE or number[5:8] in _CHARGED_EXCHANGES:
        return "no ordinary telephone"
    return "it opted out" if has_opted_out(db, number) else None


def is_public_mailbox(address: str) -> bool:
    """Return whether an address can be a mailbox on the Internet, and not on this network."""
    local, _, domain = mailbox_of(address).rpartition("@")
    return bool(local and _DOMAIN.fullmatch(domain)) and not domain.endswith(_NOT_PUBLIC)
