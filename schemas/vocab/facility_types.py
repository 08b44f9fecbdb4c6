"""Kinds of facilities in other registers; those for veterans are the veteran data set's."""

FACILITY_TYPES: tuple[str, ...] = (
    "hospital",
    "va_hospital",
    "va_clinic",
    "vet_center",
    "benefits_office",
    "other",
)
