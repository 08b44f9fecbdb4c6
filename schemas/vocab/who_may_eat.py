"""Eligibility at places that do not serve everyone, by type of place.

Sources: 7 CFR 225.2 and 225.6 (summer meals: children of 18 and under, and persons over 18 with a
disability who take part in a school programme; no registration at open sites), 7 CFR 210 and 220
(school meals: pupils of the school), 45 CFR 1302.12 (Head Start: enrolled children from birth to
five), 7 U.S.C. 2012(k)(9) and 2018(h) (meals in restaurants: households of older, disabled or
homeless people, in states that contract with restaurants).
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
    "rmp_restaurant": Words(
        "Restaurant Meals Program. SNAP (EBT) pays for prepared meals here only if every member of "
        "your household is 60 or older, has a disability or has no home, or is the spouse of such "
        "a person, and only in states that take part.",
        "Programa de Comidas en Restaurantes. SNAP (EBT) paga aquí comidas preparadas solo si "
        "cada persona de su hogar tiene 60 años o más, tiene una discapacidad o no tiene "
        "vivienda, o es cónyuge de una de ellas, y solo en los estados que participan.",
    ),
    "head_start": Words(
        "Children enrolled in this Head Start program, birth to age 5.",
        "Niños inscritos en este programa Head Start, desde el nacimiento hasta los 5 años.",
    ),
}
