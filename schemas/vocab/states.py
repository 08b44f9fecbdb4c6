"""States and territories: USPS code, ANSI/FIPS code, names in English and Spanish, population.

Population: Census Bureau, Vintage 2025 estimates for 2025-07-01 (NST-EST2025) for the 50 states, DC
and Puerto Rico; 2020 Census counts (release of 2021-10-28) for Guam, the US Virgin Islands,
American Samoa and the Northern Mariana Islands. The freely associated states (FM, MH, PW) appear in
federal source files and are known by code, but are not part of the directory's area.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

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
CODE_BY_FIPS: dict[str, str] = {s.fips: s.code for s in STATES.values()}
CODE_BY_NAME: dict[str, str] = {
    name.casefold(): s.code for s in STATES.values() for name in (s.names.en, s.names.es)
}

# Military post offices have "states" of their own; these are addresses, not destinations.
MILITARY_CODES: tuple[str, ...] = ("AA", "AE", "AP")
FREELY_ASSOCIATED_CODES: tuple[str, ...] = ("FM", "MH", "PW")
