"""Eligibility at places that do not serve everyone, by type of place.

Sources: 7 CFR 225.2 and 225.6 (summer meals: children of 18 and under, and persons over 18 with a
disability who take part in a school programme; no registration at open sites), 7 CFR 210 and 220
(school meals: pupils of the school), 45 CFR 1302.12 (Head Start: enrolled children from birth to
five).
"""

from schemas.words import Words

WHO_MAY_EAT: dict[str, Words] = {
    "summer_meal": Words(
        "Children and teenagers, 18 and under. Most sites ask for no registration. Adults are not "
        "served.",
        "Niños y adolescentes de hasta 18 años. La mayoría de los sitios no pide inscripción. No "
        "se sirve a adultos.",
    ),
    "school_meal": Words("Students of this school.", "Estudiantes de esta escuela."),
    "head_start": Words(
        "Children enrolled in this Head Start program, birth to age 5.",
        "Niños inscritos en este programa Head Start, desde el nacimiento hasta los 5 años.",
    ),
}
