"""Words of FEMA's files, in English as people say them and in Spanish."""

from pathlib import Path

import msgspec

from schemas.words import Words


class _Entries(msgspec.Struct, forbid_unknown_fields=True):
    declaration_types: dict[str, Words]
    incidents_es: dict[str, str]
    because: dict[str, Words]
    matches: dict[str, Words]


_ENTRIES = msgspec.yaml.decode(
    Path(__file__).with_name("disasters.yaml").read_bytes(), type=_Entries
)
DECLARATION_TYPES, INCIDENTS_ES = _ENTRIES.declaration_types, _ENTRIES.incidents_es
BECAUSE, MATCHES = _ENTRIES.because, _ENTRIES.matches
