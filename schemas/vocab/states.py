"""States and territories: USPS code, ANSI/FIPS code, names in English and Spanish, population.

Population: Census Bureau, Vintage 2025 estimates for 2025-07-01 (NST-EST2025) for the 50 states, DC
and Puerto Rico; 2020 Census counts (release of 2021-10-28) for Guam, the US Virgin Islands,
American Samoa and the Northern Mariana Islands. The freely associated states (FM, MH, PW) appear in
federal source files and are known by code, but are not part of the directory's area.
"""

from __future__ import annotations

from dataclasses import dataclass

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


_ROWS = """
AL|01|Alabama|Alabama|5193088|state
AK|02|Alaska|Alaska|737270|state
AZ|04|Arizona|Arizona|7623818|state
AR|05|Arkansas|Arkansas|3114791|state
CA|06|California|California|39355309|state
CO|08|Colorado|Colorado|6012561|state
CT|09|Connecticut|Connecticut|3688496|state
DE|10|Delaware|Delaware|1059952|state
DC|11|District of Columbia|Distrito de Columbia|693645|district
FL|12|Florida|Florida|23462518|state
GA|13|Georgia|Georgia|11302748|state
HI|15|Hawaii|Hawái|1432820|state
ID|16|Idaho|Idaho|2029733|state
IL|17|Illinois|Illinois|12719141|state
IN|18|Indiana|Indiana|6973333|state
IA|19|Iowa|Iowa|3238387|state
KS|20|Kansas|Kansas|2977220|state
KY|21|Kentucky|Kentucky|4606864|state
LA|22|Louisiana|Luisiana|4618189|state
ME|23|Maine|Maine|1414874|state
MD|24|Maryland|Maryland|6265347|state
MA|25|Massachusetts|Massachusetts|7154084|state
MI|26|Michigan|Míchigan|10127884|state
MN|27|Minnesota|Minnesota|5830405|state
MS|28|Mississippi|Misisipi|2954160|state
MO|29|Missouri|Misuri|6270541|state
MT|30|Montana|Montana|1144694|state
NE|31|Nebraska|Nebraska|2018006|state
NV|32|Nevada|Nevada|3282188|state
NH|33|New Hampshire|Nuevo Hampshire|1415342|state
NJ|34|New Jersey|Nueva Jersey|9548215|state
NM|35|New Mexico|Nuevo México|2125498|state
NY|36|New York|Nueva York|20002427|state
NC|37|North Carolina|Carolina del Norte|11197968|state
ND|38|North Dakota|Dakota del Norte|799358|state
OH|39|Ohio|Ohio|11900510|state
OK|40|Oklahoma|Oklahoma|4123288|state
OR|41|Oregon|Oregón|4273586|state
PA|42|Pennsylvania|Pensilvania|13059432|state
RI|44|Rhode Island|Rhode Island|1114521|state
SC|45|South Carolina|Carolina del Sur|5570274|state
SD|46|South Dakota|Dakota del Sur|935094|state
TN|47|Tennessee|Tennessee|7315076|state
TX|48|Texas|Texas|31709821|state
UT|49|Utah|Utah|3538904|state
VT|50|Vermont|Vermont|644663|state
VA|51|Virginia|Virginia|8880107|state
WA|53|Washington|Washington|8001020|state
WV|54|West Virginia|Virginia Occidental|1766147|state
WI|55|Wisconsin|Wisconsin|5972787|state
WY|56|Wyoming|Wyoming|588753|state
PR|72|Puerto Rico|Puerto Rico|3184835|territory
AS|60|American Samoa|Samoa Americana|49710|territory
GU|66|Guam|Guam|153836|territory
MP|69|Northern Mariana Islands|Islas Marianas del Norte|47329|territory
VI|78|U.S. Virgin Islands|Islas Vírgenes de los Estados Unidos|87146|territory
"""

STATES: dict[str, State] = {}
for _line in _ROWS.strip().splitlines():
    _code, _fips, _name, _name_es, _population, _kind = _line.split("|")
    STATES[_code] = State(_code, _fips, Words(_name, _name_es), int(_population), _kind)

# The 51 of the per-state documents: 50 states and the District of Columbia.
FIFTY_ONE: tuple[str, ...] = tuple(s.code for s in STATES.values() if s.kind != "territory")
STATE_CODES: tuple[str, ...] = tuple(STATES)
CODE_BY_FIPS: dict[str, str] = {s.fips: s.code for s in STATES.values()}
CODE_BY_NAME: dict[str, str] = {
    name.casefold(): s.code for s in STATES.values() for name in (s.names.en, s.names.es)
}

# Military post offices have "states" of their own; they are addresses, not places to walk to.
MILITARY_CODES: tuple[str, ...] = ("AA", "AE", "AP")
FREELY_ASSOCIATED_CODES: tuple[str, ...] = ("FM", "MH", "PW")
