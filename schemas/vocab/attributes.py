"""Facts about a place that people filter by: papers, food, groups of people. Codes with labels.

Who is served by law at places of some types: 7 CFR 210 and 220 (school meals: pupils of the
school), 7 CFR 225.2 (summer meals: 18 and under), 45 CFR 1302.12 (Head Start: birth to five), 7 CFR
246.2 (WIC: women who are pregnant or have a baby, children under five), 7 CFR 247.9 (commodities
for people of 60 and over), 7 U.S.C. 2012(k)(9) (meals in restaurants: older, disabled or homeless
people).
"""

from typing import NamedTuple

from schemas.words import Words

DOCUMENTS: dict[str, Words] = {
    "photo_id": Words("Photo identification", "Identificación con foto"),
    "identification": Words("Identification", "Identificación"),
    "proof_of_address": Words("Proof of address", "Comprobante de domicilio"),
    "proof_of_income": Words("Proof of income", "Comprobante de ingresos"),
    "proof_of_household_size": Words("Proof of household size", "Comprobante del tamaño del hogar"),
    "social_security_card": Words("Social Security card", "Tarjeta de seguro social"),
    "birth_certificate": Words("Birth certificate", "Acta de nacimiento"),
    "referral": Words("Referral", "Carta de referencia"),
}
# A photo ID is an identification, too.
ID_DOCUMENTS: frozenset[str] = frozenset({"photo_id", "identification"})

FOOD_TYPES: dict[str, Words] = {
    "groceries": Words("Groceries", "Alimentos para llevar a casa"),
    "fresh_produce": Words("Fresh fruit and vegetables", "Frutas y verduras frescas"),
    "prepared_meals": Words("Prepared meals", "Comidas preparadas"),
    "hot_meals": Words("Hot meals", "Comidas calientes"),
    "halal": Words("Halal", "Halal"),
    "kosher": Words("Kosher", "Kosher"),
    "vegetarian": Words("Vegetarian", "Vegetariana"),
    "vegan": Words("Vegan", "Vegana"),
    "gluten_free": Words("Gluten free", "Sin gluten"),
    "baby_formula": Words("Baby formula", "Fórmula para bebé"),
    "baby_food": Words("Baby food", "Comida para bebé"),
    "diapers": Words("Diapers", "Pañales"),
    "pet_food": Words("Pet food", "Comida para mascotas"),
}

AUDIENCES: dict[str, Words] = {
    "everyone": Words("Everyone", "Todas las personas"),
    "seniors": Words("Older people", "Personas mayores"),
    "children": Words("Children and teenagers", "Niños y adolescentes"),
    "students": Words("Students", "Estudiantes"),
    "families": Words("Families with children", "Familias con niños"),
    "women": Words("Women", "Mujeres"),
    "veterans": Words("Veterans and military families", "Veteranos y familias militares"),
    "unhoused": Words("People without a home", "Personas sin hogar"),
    "disabled": Words("People with disabilities", "Personas con discapacidad"),
}

DOCUMENT_CODES: tuple[str, ...] = tuple(DOCUMENTS)
FOOD_CODES: tuple[str, ...] = tuple(FOOD_TYPES)
AUDIENCE_CODES: tuple[str, ...] = tuple(AUDIENCES)


class Served(NamedTuple):
    """Groups that a type of place serves by law."""

    audiences: tuple[str, ...]
    minimum_age: int | None = None
    maximum_age: int | None = None


SERVED_BY_LAW: dict[str, Served] = {
    "school_meal": Served(("students",)),
    "summer_meal": Served(("children",), maximum_age=18),
    "head_start": Served(("children",), maximum_age=5),
    "wic_office": Served(("women", "children")),
    "senior_commodity": Served(("seniors",), minimum_age=60),
    "rmp_restaurant": Served(("seniors", "unhoused", "disabled")),
}


# Eligibility at places that do not serve everyone, by type of place.
#
# Sources: 7 CFR 225.2 and 225.6 (summer meals: children of 18 and under, and persons over 18 with a
# disability who take part in a school program; no registration at open sites), 7 CFR 210 and 220
# (school meals: pupils of the school), 45 CFR 1302.12 (Head Start: enrolled children from birth to
# five), 7 U.S.C. 2012(k)(9) and 2018(h) (meals in restaurants: households of older, disabled or
# homeless people, in states that contract with restaurants).

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
