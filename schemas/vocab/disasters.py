"""Words of FEMA's files, in English as people say them and in Spanish."""

from __future__ import annotations

from schemas.words import Words

DECLARATION_TYPES: dict[str, Words] = {
    "DR": Words("Major disaster", "Desastre mayor"),
    "EM": Words("Emergency", "Emergencia"),
    "FM": Words("Fire management help", "Ayuda para manejo de incendios"),
    "FS": Words("Fire suppression help", "Ayuda para extinción de incendios"),
}

# FEMA's `incidentType` -> Spanish. An incident that is not here keeps FEMA's word.
INCIDENTS_ES: dict[str, str] = {
    "Biological": "Emergencia biológica",
    "Chemical": "Emergencia química",
    "Coastal Storm": "Tormenta costera",
    "Dam/Levee Break": "Rotura de presa o dique",
    "Drought": "Sequía",
    "Earthquake": "Terremoto",
    "Fire": "Incendio",
    "Fishing Losses": "Pérdidas de pesca",
    "Flood": "Inundación",
    "Freezing": "Helada",
    "Human Cause": "Causa humana",
    "Hurricane": "Huracán",
    "Mud/Landslide": "Deslizamiento de tierra",
    "Other": "Otro",
    "Severe Ice Storm": "Tormenta de hielo",
    "Severe Storm": "Tormenta fuerte",
    "Severe Storm(s)": "Tormentas fuertes",
    "Snowstorm": "Nevada fuerte",
    "Straight-Line Winds": "Vientos fuertes",
    "Terrorist": "Ataque terrorista",
    "Tornado": "Tornado",
    "Toxic Substances": "Sustancias tóxicas",
    "Tropical Depression": "Depresión tropical",
    "Tropical Storm": "Tormenta tropical",
    "Tsunami": "Tsunami",
    "Typhoon": "Tifón",
    "Volcanic Eruption": "Erupción volcánica",
    "Winter Storm": "Tormenta de invierno",
}

BECAUSE: dict[str, Words] = {
    "incident_going_on": Words("The incident is going on.", "El incidente sigue en curso."),
    "no_end_yet": Words(
        "Declared a short time ago; FEMA gives no last day yet.",
        "Declarada hace poco; FEMA aún no da el último día.",
    ),
    "filing_open": Words(
        "You can still file for individual assistance.",
        "Todavía se puede pedir asistencia individual.",
    ),
    "recent": Words(
        "The incident is over; it was a short time ago.",
        "El incidente ya terminó; fue hace poco.",
    ),
}

# How a declaration touches the place that was requested.
MATCHES: dict[str, Words] = {
    "county": Words("Declared for this county.", "Declarada para este condado."),
    "statewide": Words("Declared for the whole state.", "Declarada para todo el estado."),
    "state": Words("Declared in this state.", "Declarada en este estado."),
    "areas_unknown": Words(
        "Declared in this state; our copy of FEMA's data does not say for which counties. Check on FEMA's page.",
        "Declarada en este estado; nuestra copia de los datos de FEMA no dice para qué condados. Consulte la página de FEMA.",
    ),
    "tribal_area": Words(
        "Declared for a tribal area in this state. If you live there, ask the tribe or FEMA.",
        "Declarada para un área tribal de este estado. Si vive allí, pregunte a la tribu o a FEMA.",
    ),
}
