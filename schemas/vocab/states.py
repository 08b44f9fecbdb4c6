"""States and territories: USPS code, ANSI/FIPS code, names in English and Spanish, population.

Population: Census Bureau, Vintage 2025 estimates for 2025-07-01 (NST-EST2025) for the 50 states, DC
and Puerto Rico; 2020 Census counts (release of 2021-10-28) for Guam, the US Virgin Islands,
American Samoa and the Northern Mariana Islands. The freely associated states (FM, MH, PW) appear in
federal source files and are known by code, but are not part of the directory's area.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType

import msgspec

from schemas.languages import Language
from schemas.values.names import fold_name
from schemas.words import Words


@dataclass(frozen=True)
class State:
    code: str
    fips: str
    names: Words
    population: int
    kind: str  # state, district, territory

    @property
    def name(self) -> str:
        return self.names.en


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    fips: str
    en: str
    es: str
    population: int
    kind: str


_ENTRIES = msgspec.yaml.decode(
    Path(__file__).with_name("states.yaml").read_bytes(), type=dict[str, _Entry]
)
STATES: dict[str, State] = {
    code: State(code, e.fips, Words(e.en, e.es), e.population, e.kind)
    for code, e in _ENTRIES.items()
}

# The 51 of the per-state documents: 50 states and the District of Columbia.
FIFTY_ONE: tuple[str, ...] = tuple(s.code for s in STATES.values() if s.kind != "territory")
STATE_CODES: tuple[str, ...] = tuple(STATES)


def sort_by_name(codes: Iterable[str], language: Language) -> list[str]:
    """Return codes of states in the order of their names in a language: accents do not count."""
    return sorted(codes, key=lambda code: fold_name(STATES[code].names[language]))


CODE_BY_FIPS: dict[str, str] = {s.fips: s.code for s in STATES.values()}
CODE_BY_NAME: dict[str, str] = {
    name.casefold(): s.code for s in STATES.values() for name in (s.names.en, s.names.es)
}

# Military post offices have separate "states": addresses, not destinations.
MILITARY_CODES: tuple[str, ...] = ("AA", "AE", "AP")
FREELY_ASSOCIATED_CODES: tuple[str, ...] = ("FM", "MH", "PW")


# Spellings of a state other than its postal code and full names, as people type them.

# The abbreviations of before 1963, still common in newspapers, and names without "U.S.".
_TRADITIONAL = """
AL Ala|AZ Ariz|AR Ark|CA Calif Cal|CO Colo|CT Conn|DE Del|FL Fla|GA Ga|ID Ida|IL Ill|IN Ind
KS Kans Kan|KY Ken|MD Md|MA Mass|MI Mich|MN Minn|MS Miss|MT Mont|NE Nebr Neb|NV Nev|NH N.H.|NJ N.J.
NM N.Mex N.M.|NY N.Y.|NC N.C. N.Car|ND N.D. N.Dak|OH O.|OK Okla|OR Ore Oreg|PA Penn Penna|RI R.I.
SC S.C. S.Car|SD S.D. S.Dak|TN Tenn|TX Tex|VA Va|VT Vt|WA Wash|WV W.Va WVa|WI Wis Wisc|WY Wyo
PR P.R.|VI V.I. USVI
"""
_FULL = {
    "US Virgin Islands": "VI",
    "Virgin Islands": "VI",
    "Islas Virgenes": "VI",
    "CNMI": "MP",
    "Mariana Islands": "MP",
}


def _squash(text: str) -> str:
    return fold_name(text).replace(" ", "")


def _words() -> dict[str, str]:
    codes = {
        _squash(name): state.code
        for state in STATES.values()
        for name in (state.code, state.names.en, state.names.es)
    }
    for line in _TRADITIONAL.strip().replace("\n", "|").split("|"):
        code, *words = line.split()
        codes |= {_squash(word): code for word in words if _squash(word) not in codes}
    return codes | {_squash(name): code for name, code in _FULL.items()}


_CODE_BY_WORD = _words()
# "Islas Vírgenes de los Estados Unidos" has six words; no state's name has more.
MAX_WORDS = 6


def state_by_words(text: str) -> str | None:
    """Return a state's code by code, name (English, Spanish) or abbreviation."""
    return _CODE_BY_WORD.get(_squash(text))


def military_by_words(text: str) -> str | None:
    """Return AA, AE or AP: the "states" of military post offices."""
    plain = text.strip().upper()
    return plain if plain in MILITARY_CODES else None


# Residents of states and territories, with publisher and date of each count.
#
# The numbers are in `schemas.vocab.states`. The ZIP table's residents are not summed by state: ZIP
# code areas cross state lines, and the table has no residents if the geography comes from packages.

_ESTIMATES = "U.S. Census Bureau, Vintage 2025 population estimates (NST-EST2025)"
_CENSUS = "U.S. Census Bureau, 2020 Census"
_ISLANDS = ("AS", "GU", "MP", "VI")


@dataclass(frozen=True)
class Population:
    """Residents on a day, by a source."""

    people: int
    source: str
    on: date


POPULATIONS: Mapping[str, Population] = MappingProxyType(
    {
        code: Population(state.population, _CENSUS, date(2020, 4, 1))
        if code in _ISLANDS
        else Population(state.population, _ESTIMATES, date(2025, 7, 1))
        for code, state in STATES.items()
    }
)
