"""Spellings of a state other than its postal code and full names, as people type them."""

from schemas.values.names import fold_name
from schemas.vocab.states import MILITARY_CODES, STATES

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
