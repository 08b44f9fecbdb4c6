"""Substance use treatment facilities of SAMHSA's locator, 2021: only opioid treatment programs are
listed here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains
from assets.sources.reading import with_rejects
from assets.sources.reading_table import read_table
from assets.sources.samhsa_locator import OPTIONAL, REQUIRED, places_of
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
    places = places_of(read_table(file, required=REQUIRED, optional=OPTIONAL))
    is_program = contains(places["name"], _SAYS_OPIOID_TREATMENT)
    is_program &= ~contains(places["name"], _SAYS_OTHERWISE)
    yield with_rejects(places, (("not_in_catalog", ~is_program, places["name"].fillna("")),))
