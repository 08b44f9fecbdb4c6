"""Words of the demo, from `words.yaml`.

Telephone numbers are 555-0100 to 555-0199, which are never assigned; web addresses are below
example.org.
"""

from pathlib import Path

import msgspec


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file, a list each to draw from; `_es` are Spanish."""

    streets: tuple[str, ...]
    streets_es: tuple[str, ...]
    first: tuple[str, ...]
    pantry_kinds: tuple[str, ...]
    pantry_kinds_es: tuple[str, ...]
    first_es: tuple[str, ...]
    store_kinds: tuple[str, ...]
    store_types: tuple[str, ...]
    school_kinds: tuple[str, ...]
    health_kinds: tuple[str, ...]
    head_start_kinds: tuple[str, ...]
    hiv_care_kinds: tuple[str, ...]
    hiv_services: tuple[str, ...]
    mental_health_kinds: tuple[str, ...]
    summer_kinds: tuple[str, ...]
    office_hours: tuple[str, ...]
    hours: tuple[str, ...]
    hours_es: tuple[str, ...]
    notes: tuple[str, ...]
    notes_es: tuple[str, ...]
    scheduled: tuple[tuple[str, str, int], ...]
    incidents: tuple[tuple[str, str], ...]
    fdpir_states: tuple[str, ...]
    headers: dict[str, tuple[str, ...]]


WORDS = msgspec.yaml.decode(Path(__file__).with_name("words.yaml").read_bytes(), type=Words)
