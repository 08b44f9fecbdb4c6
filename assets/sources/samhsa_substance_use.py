"""Substance use treatment facilities of SAMHSA's locator: only opioid treatment programs are listed
here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains
from assets.sources.reading import with_rejects
from assets.sources.samhsa_locator import is_certified, places_of, read_locator
from schemas.sources.registry import Source

# Methadone for opioid use disorder is dispensed by certified opioid treatment programs only.
# Buprenorphine is not, and "comprehensive treatment center" is a chain's brand: neither word proves
# a program.
_SAYS_OPIOID_TREATMENT = (
    r"\bmethadone\b|\bo\.?t\.?p\b|\bmmtp\b|\b(?:opioid|opiate) (?:treatment|add(?:iction)? (?:treatment|trt))\b"
    r"|\bnarcotics? (?:drug )?treatment\b|\bnarcotic replacement therapy\b"
)
# A doctor's office that prescribes, and programs that say that they are free of methadone.
_SAYS_OTHERWISE = r"\boffice.?based opioid\b|\bobot\b|\bno methadone\b|\bnon.methadone\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_locator(file, [])
    places = places_of(rows)
    is_program = contains(places["name"], _SAYS_OPIOID_TREATMENT)
    is_program &= ~contains(places["name"], _SAYS_OTHERWISE)
    is_program |= is_certified(rows)
    yield with_rejects(places, (("not_in_catalog", ~is_program, places["name"].fillna("")),))
