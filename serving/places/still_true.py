"""How many listings like a place's were still right, for its age at the instant of the request."""

from datetime import UTC, datetime

from schemas.languages import Language
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.still_true import NO_EVIDENCE, Likelihood, PStillTrue, age_on, likelihood
from schemas.words import messages
from warehouse.index.profiles import Moment
from warehouse.index.reader import OpenRelease


def p_still_true(release: OpenRelease, row: int, moment: Moment, now: datetime) -> PStillTrue:
    """Return the shares for a row: its hours by their own date, the rest by its newest date."""
    kind, origin = TYPE_IDS[release.type_of(row)], None
    if release.hours_codes[row] >= 0:
        origin = release.hours_origin(row)
    hours_age = None if origin is None else age_on(now.astimezone(UTC).date(), origin.day)
    exists = likelihood("exists", kind, moment.age_days)
    phone = likelihood("phone", kind, moment.age_days) if release.has_phone[row] else None
    hours = likelihood("hours", kind, hours_age)
    return PStillTrue(exists, phone, hours) if exists or phone or hours else NO_EVIDENCE


def still_true_words(shares: PStillTrue, language: Language) -> tuple[str, ...]:
    """Return a sentence for each fact with evidence: "About 2 in 10 listings like this one still
    had the same hours."."""
    t = messages("place", language).still_true
    by_fact = {"exists": shares.exists, "phone": shares.phone, "hours": shares.hours}
    return tuple(
        str(t.sentence.format(share=_share(chance, language), fact=t.facts[fact]))
        for fact, chance in by_fact.items()
        if chance is not None
    )


def _share(chance: Likelihood, language: Language) -> str:
    t, tenths = messages("place", language).still_true, round(chance.p * 10)
    if tenths == 0:
        return str(t.hardly_any)
    return str(t.nearly_all if tenths == 10 else t.tenths.format(n=tenths))
