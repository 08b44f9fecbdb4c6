"""Types of places, and the search modes they belong to.

Type ids are those of the interface's type catalog plus `snap_retailer`, which the catalog lacks and
the directory needs: a shop that takes EBT is not free food, so it has a type of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.words import Words

Mode = Literal["free", "snap", "school", "summer", "wic", "health"]
MODES: tuple[Mode, ...] = ("free", "snap", "school", "summer", "wic", "health")

MODE_LABELS: dict[Mode, Words] = {
    "free": Words("Free food", "Comida gratis"),
    "snap": Words("SNAP", "SNAP"),
    "school": Words("School meals", "Comidas escolares"),
    "summer": Words("Summer meals", "Comidas de verano"),
    "wic": Words("WIC", "WIC"),
    "health": Words("Health care", "Atención médica"),
}


@dataclass(frozen=True)
class ResourceType:
    """One type of place. `mode` is None where no search mode holds it (diaper banks)."""

    id: str
    mode: Mode | None
    labels: Words
    description: str

    @property
    def label(self) -> str:
        return self.labels.en


_CATALOG: tuple[ResourceType, ...] = (
    ResourceType(
        "food_pantry",
        "free",
        Words("Food pantry", "Despensa de alimentos"),
        "Gives free groceries to take home.",
    ),
    ResourceType(
        "food_bank",
        "free",
        Words("Food bank", "Banco de alimentos"),
        "Collects food and supplies pantries; some also serve the public directly.",
    ),
    ResourceType(
        "soup_kitchen",
        "free",
        Words("Soup kitchen", "Comedor comunitario"),
        "Serves free prepared meals.",
    ),
    ResourceType(
        "mobile_pantry",
        "free",
        Words("Mobile pantry", "Despensa móvil"),
        "A truck or pop-up that gives out food at set times and places.",
    ),
    ResourceType(
        "community_fridge",
        "free",
        Words("Community fridge", "Refrigerador comunitario"),
        "A public refrigerator: take what you need, leave what you can.",
    ),
    ResourceType(
        "emergency",
        "free",
        Words("Emergency food", "Alimentos de emergencia"),
        "Food for people who need it right away, often with other emergency help.",
    ),
    ResourceType(
        "wic_office",
        "wic",
        Words("WIC office", "Oficina de WIC"),
        "Clinic or office of the Special Supplemental Nutrition Program for Women, Infants, and Children.",
    ),
    ResourceType(
        "snap_office",
        "snap",
        Words("SNAP office", "Oficina de SNAP"),
        "Office where households apply for SNAP (food stamps).",
    ),
    ResourceType(
        "school_meal",
        "school",
        Words("School meal site", "Comidas en la escuela"),
        "School that serves breakfast or lunch to its own students.",
    ),
    ResourceType(
        "summer_meal",
        "summer",
        Words("Summer meal site", "Comidas de verano"),
        "Site that serves free meals to children and teenagers when school is out.",
    ),
    ResourceType(
        "health_center",
        "health",
        Words("Community health center", "Centro de salud comunitario"),
        "Federally funded health center with fees based on income.",
    ),
    ResourceType(
        "tribal_food",
        "free",
        Words("Tribal food program", "Programa de alimentos tribal"),
        "Food distribution on or near a reservation (FDPIR).",
    ),
    ResourceType(
        "senior_commodity",
        "free",
        Words("Senior food box", "Caja de alimentos para mayores"),
        "Monthly box of groceries for people 60 and older (CSFP).",
    ),
    ResourceType(
        "rmp_restaurant",
        "snap",
        Words("Restaurant that takes EBT", "Restaurante que acepta EBT"),
        "Restaurant Meals Program: sells prepared meals to eligible SNAP households.",
    ),
    ResourceType(
        "head_start",
        "school",
        Words("Head Start center", "Centro Head Start"),
        "Early education with meals for enrolled children.",
    ),
    ResourceType(
        "diaper_bank",
        None,
        Words("Diaper bank", "Banco de pañales"),
        "Gives diapers and other supplies for babies.",
    ),
    ResourceType(
        "mental_health_facility",
        "health",
        Words("Mental health care", "Atención de salud mental"),
        "Facility that treats mental health conditions.",
    ),
    ResourceType(
        "ryan_white_provider",
        "health",
        Words("HIV care (Ryan White)", "Atención del VIH (Ryan White)"),
        "Provider of the Ryan White HIV/AIDS Program.",
    ),
    ResourceType(
        "opioid_treatment",
        "health",
        Words("Opioid treatment program", "Programa de tratamiento de opioides"),
        "Certified program for opioid use disorder.",
    ),
    ResourceType(
        "rural_health_clinic",
        "health",
        Words("Rural health clinic", "Clínica de salud rural"),
        "Clinic certified by Medicare in an underserved rural area.",
    ),
    ResourceType(
        "snap_retailer",
        "snap",
        Words("Store that takes EBT", "Tienda que acepta EBT"),
        "Store authorized to accept SNAP benefits. It sells food; it does not give it away.",
    ),
)

RESOURCE_TYPES: dict[str, ResourceType] = {t.id: t for t in _CATALOG}
TYPE_IDS: tuple[str, ...] = tuple(RESOURCE_TYPES)
TYPES_BY_MODE: dict[Mode, tuple[str, ...]] = {
    mode: tuple(t.id for t in _CATALOG if t.mode == mode) for mode in MODES
}
# The food-pantry class of the atlas and of the data-quality report.
PANTRY_CLASS: tuple[str, ...] = (
    "food_pantry",
    "food_bank",
    "soup_kitchen",
    "mobile_pantry",
    "community_fridge",
)
