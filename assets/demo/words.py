"""Words of the demo: invented names, streets, hours and remarks, in English and Spanish.

No real organization, chain or person. Telephone numbers are 555-0100 to 555-0199, which are never
assigned; web addresses are below example.org.
"""

from __future__ import annotations

STREETS = (
    "Main St",
    "Oak Ave",
    "Maple St",
    "Cedar Ln",
    "Elm St",
    "Washington Ave",
    "2nd St",
    "3rd Ave",
    "Lake Rd",
    "Hill St",
    "Church St",
    "Park Blvd",
    "River Rd",
    "Sunset Dr",
    "Mill St",
    "Union Ave",
    "Spring St",
    "Franklin Ave",
    "Highland Ave",
    "Center St",
    "N 5th St",
    "S Broadway",
    "W Market St",
    "E Lincoln Way",
    "Old County Rd",
    "Pleasant Valley Rd",
    "State Route 9",
    "Jefferson Ave",
    "Prospect St",
    "School St",
)
STREETS_ES = (
    "Calle Luna",
    "Ave San Martín",
    "Calle del Sol",
    "Carr 2 Km 11.3",
    "Calle 4",
    "Calle Comercio",
    "Ave Las Palmas",
    "Urb Villa Real Calle 7",
)
FIRST = (
    "Amberfen", "Quillbrook", "Willowmere", "Copperleaf", "Lanternfield", "Juniper Loop", "Bluebell Row",
    "Tamarind Way", "Foxglove Hollow", "Pebblewick", "Marigold Bend", "Thistledown", "Brightwater Nook",
    "Larkspur Gate", "Hazelmoor", "Cinderpath", "Orchard Spindle", "Kettlebrook", "Driftwood Lane",
    "Sparrowgate", "Clovermint", "Silverbirch Steps", "Mossbridge", "Goldenrod Yard", "Wrenfield",
    "Saltmarsh Circle", "Plumtree Corner", "Windlass", "Emberly", "Northlantern", "Rushlight", "Honeywick",
    "Starling Porch", "Fernhallow", "Riverquill", "Teasel Green", "Applegarth Turn", "Stonecrop Hill",
    "Cedarwisp", "Meadowlamp",
)  # fmt: skip
PANTRY_KINDS = (
    "Food Pantry",
    "Community Pantry",
    "Food Shelf",
    "Food Closet",
    "Neighborhood Pantry",
    "Food Cupboard",
    "Soup Kitchen",
    "Community Kitchen",
    "Mobile Food Pantry",
    "Community Fridge",
    "Food Bank",
)
PANTRY_KINDS_ES = (
    "Despensa de Alimentos",
    "Comedor Comunitario",
    "Despensa Comunitaria",
    "Banco de Alimentos",
)
FIRST_ES = (
    "Camino Claro",
    "Sol de Mañana",
    "Manos Abiertas del Río",
    "Mesa Común",
    "La Colmena Azul",
    "Jardín Sereno",
    "Pan y Puente",
    "Esquina Amable",
    "Río Sonoro",
    "Luz del Barrio",
    "Árbol Nuevo",
    "Corazón de Maíz",
    "Buena Cosecha",
    "Niños del Alba",
)
STORE_KINDS = (
    "Market",
    "Grocery",
    "Food Mart",
    "Supermarket",
    "Corner Store",
    "Farm Stand",
    "Deli & Grocery",
    "Bodega",
    "Dollar Shop",
    "Convenience",
    "Fish Market",
    "Farmers Market",
    "Carniceria",
)
STORE_TYPES = (
    "Convenience Store",
    "Grocery Store",
    "Supermarket",
    "Super Store",
    "Specialty Store",
    "Farmers and Markets",
    "Other",
)
SCHOOL_KINDS = (
    "Elementary School",
    "Middle School",
    "High School",
    "Academy",
    "Primary School",
    "Charter School",
)
HEALTH_KINDS = (
    "Community Health Center",
    "Family Clinic",
    "Health Services",
    "Medical & Dental Center",
)

HEAD_START_KINDS = (
    "Head Start Center",
    "Early Learning Center",
    "Children's Center",
    "Early Head Start",
)
HIV_CARE_KINDS = ("Care Alliance", "Health Access Clinic", "Wellness Project", "Community Care")
HIV_SERVICES = (
    "Outpatient/ambulatory health services, Medical case management",
    "Oral health care",
    "Food bank/home delivered meals",
    "",
)
MENTAL_HEALTH_KINDS = ("Behavioral Health", "Counseling Center", "Center for Care")
SUMMER_KINDS = (
    "Elementary School",
    "Park",
    "Branch Library",
    "Recreation Center",
    "Boys & Girls House",
)
OFFICE_HOURS = (
    "Monday - Friday 8:30 AM - 5:00 PM",
    "Mon-Fri 8am-4:30pm",
    "Mon-Thu 7:30am-5:30pm",
    "M-F 9-5",
)

HOURS = (
    "Tu,Th 10:00AM-12:00PM",
    "Mon-Fri 9am-5pm",
    "Wednesdays 4pm to 6pm",
    "Sa 9:00AM-11:30AM",
    "Monday, Wednesday and Friday from 10:00 am to 2:00 pm",
    "1st & 3rd Saturday 9am-12pm",
    "Second Tuesday of the month, 5:30 PM - 7:00 PM",
    "Mon-Thu 10-2",
    "Thursdays 12 noon - 3 pm",
    "Tues & Thurs 1-3pm, Sat 10am-noon",
    "Daily 11:30 AM - 1:00 PM",
    "By appointment only",
    "Call first",
    "Every other Friday 2pm-4pm",
    "Mon - Fri 8:30 AM - 4:30 PM, closed 12-1",
    "24/7",
    "Last Friday of each month 10:00AM-1:00PM",
    "Sun 1pm-3pm",
    "June through August: Mon-Fri 11am-1pm",
    "M-F 9-4; closed holidays",
    "Fr 03:00PM-06:00PM",
    "Tue 9am - 11am and 5pm - 7pm",
    "hours vary",
)
HOURS_ES = (
    "Lunes a viernes de 9:00 a.m. a 4:00 p.m.",
    "Martes y jueves, 10am - 12pm",
    "Sábados de 8:00 a 11:00 a.m.",
    "Primer sábado del mes, 9:00am a 12:00pm",
    "Llamar antes",
    "Miércoles 2:00 p.m. - 5:00 p.m.",
    "Con cita previa",
)
NOTES = (
    "Bring your own bags",
    "Proof of address requested",
    "Enter at the side door",
    "While supplies last",
    "Serves residents of this ZIP code",
    "Please arrive 15 minutes early",
    "Drive-through; stay in your car",
    "",
    "Wheelchair accessible",
    "Delivery available for homebound seniors",
    "Vegetarian options available",
    "Halal food only",
    "Staff speaks: English and Spanish",
    "By appointment only",
    "Walk-ins welcome",
    "Diapers and baby formula",
    "Open to everyone",
    "",
    "",
    "",
    "",
    "",
    "",
)
NOTES_ES = (
    "Traiga sus bolsas",
    "Entrada por el lado",
    "Hasta agotar existencias",
    "Se habla español",
    "Sin cita",
    "",
    "",
)
# How a scheduler labels a distribution, what such agencies are called, and how often they occur.
SCHEDULED = (
    ("Choice Pantry", "Choice Pantry", 40),
    ("Food Pantry", "Community Pantry", 25),
    ("Produce", "Mobile Market", 12),
    ("Soup Kitchen", "Community Kitchen", 8),
    ("CSFP", "Senior Center", 5),
    ("Emergency Food", "Relief Center", 4),
    ("Food Bank", "Warehouse", 3),
    ("Child Meal Site", "Recreation Center", 3),
)
INCIDENTS = (
    ("Hurricane", "HURRICANE {}"),
    ("Flood", "FLOODING"),
    ("Fire", "{} FIRE"),
    ("Severe Storm", "SEVERE STORMS"),
    ("Tornado", "SEVERE STORMS, STRAIGHT-LINE WINDS, AND TORNADOES"),
    ("Winter Storm", "SEVERE WINTER STORM"),
)
