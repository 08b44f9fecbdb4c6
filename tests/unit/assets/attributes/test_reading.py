"""Facts are read from plain clauses only; contradictions stay unknown."""

import pandas as pd
import pytest

from assets.attributes.reading import (
    FACT_COLUMNS,
    facts_in,
    facts_of,
    find_unread_clauses,
    with_facts,
)


def facts(*texts: str, column: str = "notes"):
    return facts_of(finding for text in texts for finding in facts_in(text, column))


def said(text: str, *names: str, column: str = "notes"):
    facts_of_text = facts(text, column=column)
    return tuple(facts_of_text.get(name) for name in names)


# Text, required_documents, requires_documents, requires_id.
DOCUMENTS = {
    "ID": ("ID required", ["identification"], True, True),
    "photo ID and address": ("Photo ID and proof of address required", ["photo_id", "proof_of_address"], True, True),
    "no ID is not no papers": ("No ID required", [], None, False),
    "no documents": ("No documents required", [], False, False),
    "a referral alone": ("Referral required for pantry", ["referral"], True, None),
    "preferred": ("ID preferred", None, None, None),
    "preferred, not required": ("ID preferred, but not required", [], None, False),
    "for first visits only": ("1st time visitors must bring an ID to register, ID is not required after 1st visit", None, None, None),
    "nobody is refused": ("ID required. Will not refuse anyone even if they don't have ID", None, None, None),
    "encouraged": ("ID required\n- ID strongly encouraged, but OK if not available", None, None, None),
    "nobody is turned away": ("ID is required, but no one will be turned away", None, None, None),
    "contradiction": ("ID required\n- ID not required", None, None, None),
    "contradiction leaves the rest": ("ID required\nNo ID needed\nMust bring proof of address", ["proof_of_address"], True, None),
    "bags are no papers": ("Bring your own bags or cart", None, None, None),
    "one of several": ("Bring ID or other proof of address", None, None, None),
    "Spanish": ("Se requiere identificación con foto", ["photo_id"], True, True),
    "Spanish list": ("Debe traer identificación y comprobante de domicilio", ["identification", "proof_of_address"], True, True),
    "Spanish no": ("No se requiere identificación", [], None, False),
    "Spanish nothing": ("No se necesitan documentos", [], False, False),
    "Spanish if": ("Traer identificación si es posible", None, None, None),
    "Spanish bag": ("Traiga su propia bolsa", None, None, None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "papers", "needs", "needs_id"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents(text, papers, needs, needs_id):
    names = ("required_documents", "requires_documents", "requires_id")
    assert said(text, *names) == (papers, needs, needs_id)


FOOD = {
    "kosher only": ("Kosher food only", ["kosher"]),
    "diets of a list": ("Supported diets: HALAL", ["halal"]),
    "sometimes": ("Kosher food sometimes available", None),
    "when in stock": ("Halal and kosher food available when in stock", None),
    "not": ("Prepared Kosher style but food is NOT Kosher", None),
    "vegan": ("Provides exclusively vegan foods", ["vegan"]),
    "options": ("Vegetarian options available", ["vegetarian"]),
    "upon request": ("Vegetarian options available upon request", None),
    "diapers and formula": (
        "This location has access to diapers, wipes, and formula",
        ["baby_formula", "diapers"],
    ),
    "limited": ("limited supplies of diapers", None),
    "services": ("Free Groceries, Walk up", ["groceries"]),
    "a shop": ("Large Grocery Store", None),
    "produce": ("Choice Pantry, Produce", ["groceries", "fresh_produce"]),
    "no produce": ("Dry foods, no fresh produce", None),
    "gifts to the pantry": ("Accepts non-perishable food donations", None),
    "hot": ("Hot meals for the homeless", ["prepared_meals", "hot_meals"]),
    "closed at noon": ("Closed for lunch", None),
    "a name": ("Also called Laurelville Food Pantry", None),
    "pets": ("We provide groceries, baby care items, pet food", ["groceries", "pet_food"]),
    "Spanish": ("Comidas calientes y pañales", ["prepared_meals", "hot_meals", "diapers"]),
    "Spanish at times": ("A veces hay pañales", None),
}


@pytest.mark.parametrize(("text", "kinds"), FOOD.values(), ids=FOOD)
def test_food(text, kinds):
    assert said(text, "food_types") == (kinds,)


# Text, requires_appointment, accepts_walkins.
APPOINTMENTS = {
    "only": ("By appointment only", True, False),
    "required": ("Appointment required, call (330) 725-5853", True, False),
    "none": ("No appointment needed", False, True),
    "welcome": ("Open to everyone, walk in welcome", None, True),
    "both": ("By appointment only\n- Walk-ins welcome", None, None),
    "no walk-ins": ("This pantry does not accept walk ins", None, False),
    "one day": ("Open on Thursdays by appointment only", None, None),
    "recommended": ("Appointments recommended", None, None),
    "something else": ("Hair cuts are by appointment only", None, None),
    "before an hour": ("Walk-ins without appointments are allowed before 5PM", None, None),
    "Spanish": ("Sólo con cita previa", True, False),
    "Spanish none": ("No se necesita cita", False, True),
}


@pytest.mark.parametrize(("text", "appointment", "walkin"), APPOINTMENTS.values(), ids=APPOINTMENTS)
def test_appointments(text, appointment, walkin):
    assert said(text, "requires_appointment", "accepts_walkins") == (appointment, walkin)


PAPERS = [
    ("Walk-in with photo ID", ["photo_id"]),
    ("Walk-ins accepted with proper ID", ["identification"]),
    ("Valid ID", ["identification"]),
    ("Need a picture ID", ["photo_id"]),
    ("Need to bring ID", ["identification"]),
    ("Photo ID, proof of address and proof of income", ["photo_id", "proof_of_address", "proof_of_income"]),
    ("Florida driver’s license required", ["photo_id"]),
    ("No referral required, but must have photo I.D", ["photo_id"]),
    ("No appointment needed, but please bring photo ID", ["photo_id"]),
    ("Must provide proof of residency (such as a utility bill or lease)", ["proof_of_address"]),
    ("Photo ID and proof of need (turn-off or eviction notice) required", ["photo_id"]),
    ("Must apply in person and bring Photo ID", ["photo_id"]),
    ("Neither referral nor identification is necessary", []),
    ("Bring current identification on your first day", None),
    ("Thursdays for seniors only (must provide valid ID)", None),
    ("New clients must bring a photo ID", None),
    ("Must bring a picture ID (if applicable)", None),
    ("Photo ID or referral", None),
    ("No ID required, but if you have one bring it", None),
    ("Registration is done on the first visit, need ID for that", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "papers"), PAPERS, ids=[text for text, _ in PAPERS])
@pytest.mark.parametrize("column", ["requirements_text", "hours_text"])
def test_papers_in_every_text(text, papers, column):
    assert facts(text, column=column).get("required_documents") == papers


VISITS = [
    ("Clients are seen by appointment", True),
    ("By appointment", True),
    ("Call for an appointment", True),
    ("Please call 740-555-0156 to schedule an appointment", True),
    ("Must call for an appointment", True),
    ("Please call to make a required appointment", True),
    ("Telephone, By Appointment", True),
    ("By Appointment, Telephone, Referral Required (from an agency)", True),
    ("Telephone, Walk-In, By Appointment", None),
    ("Other times by appointment", None),
    ("or by appointment", None),
    ("Call to make an appointment, or walk-in", None),
    ("Call for information and appointments", None),
    ("Call Mondays to make an appointment", None),
]


@pytest.mark.parametrize(("text", "is_required"), VISITS, ids=[text for text, _ in VISITS])
@pytest.mark.parametrize("column", ["notes", "hours_text"])
def test_visits_by_appointment(text, is_required, column):
    assert facts(text, column=column).get("requires_appointment") == is_required


@pytest.mark.parametrize(
    "text",
    ["By Appointment, Walk-In", "Telephone, Walk-In, By appointment, Referral Required for food"],
)
def test_walk_ins_in_a_list_of_ways_to_apply(text):
    assert facts(text)["accepts_walkins"] is True


def test_hours_that_are_all_by_appointment():
    day, other = "Monday 9:00 AM - 5:00 PM (By Appointment)", "Friday 1:00 PM - 3:00 PM"
    all_days = f"{day} | {other} (every other week by appointment only)"
    assert facts(all_days, column="hours_text")["requires_appointment"] is True
    assert "requires_appointment" not in facts(f"{day} | {other}", column="hours_text")


def test_a_text_of_hours_contains_other_facts():
    text = (
        "Tuesday 9-11 am | Services the following zip codes: 44203. Bring photo ID\n"
        "Please call for appointment • Use the side door. Anyone in need"
    )
    facts_of_text = facts_in(text, "hours_text")
    assert {(f.field, text[slice(*f.span)]) for f in facts_of_text} == {
        ("area", "Services the following zip codes: 44203"),
        ("required_documents", "Bring photo ID"),
        ("requires_appointment", "Please call for appointment"),
        ("audiences", "Anyone in need"),
    }
    assert all(text[slice(*finding.span)] == finding.clause for finding in facts_of_text)
    assert find_unread_clauses(text, "hours_text") == ["Use the side door"]


def test_a_closed_day_is_read():
    text = "Sunday closed; Monday 9am-5pm; ring twice"
    assert find_unread_clauses(text, "hours_text") == ["ring twice"]


def test_unread_clauses_contain_hours():
    text = "Tuesday 9-11 am; ID required; use the side door"
    assert find_unread_clauses(text, "notes") == ["Tuesday 9-11 am", "use the side door"]


def test_among_hours_a_meal_or_a_group_is_of_one_time():
    assert (
        facts("Thursdays 9-12\nSeniors only; lunch; delivery available", column="hours_text") == {}
    )


def test_appointments_in_a_text_of_hours():
    text = 'Sa 08:00AM-03:00PM "By appointment only"; hot meals'
    assert facts(text, column="hours_text") == {
        "requires_appointment": True,
        "accepts_walkins": False,
    }


TRUTHS = {
    "delivery": ("offers_delivery", "Delivery available for homebound seniors", True),
    "delivers": ("offers_delivery", "Delivers food to people who are housebound", True),
    "no delivery": ("offers_delivery", "No longer doing delivery", False),
    "limited delivery": ("offers_delivery", "Limited delivery service available", None),
    "delivery of supplies": (
        "offers_delivery",
        "Food availability depends on delivery supply",
        None,
    ),
    "Spanish delivery": ("offers_delivery", "Entrega a domicilio", True),
    "wheelchair": ("is_wheelchair_accessible", "Wheelchair accessible and benches available", True),
    "no wheelchair": ("is_wheelchair_accessible", "Not wheelchair accessible", False),
    "standing in line": (
        "is_wheelchair_accessible",
        "Accessible for people with difficulty walking",
        None,
    ),
    "Spanish wheelchair": ("is_wheelchair_accessible", "Accesible en silla de ruedas", True),
    "languages": ("languages", "Staff speaks: English and Spanish", ["en", "es"]),
    "languages of clients": ("languages", "Languages Clients Speak: English and Spanish", None),
    "one language": ("languages", "Volunteers speak only English", ["en"]),
    "a translator is advised": ("languages", "Spanish translator is advised", None),
    "Spanish spoken": ("languages", "Se habla español", ["es"]),
    "students": ("audiences", "Open to CUNY students only", ["students"]),
    "everyone": ("audiences", "Open to the general public", ["everyone"]),
    "residents are not everyone": ("audiences", "Open to all Bronx residents", None),
    "first in line": ("audiences", "Elderly is served first", None),
    "one meal of several": ("audiences", "Daily hot lunch available only for seniors", None),
    "contradiction": ("audiences", "Open to everyone. Seniors only", None),
    "not the public": ("audiences", "Currently for members only, not open to the public", None),
    "age": ("minimum_age", "Must be 60 years or older to receive food", 60),
    "an age in passing": ("minimum_age", "Prioritizes 60 years and older", None),
    "two ages": ("minimum_age", "Only Seniors (60+, 55+ with a disability)", None),
    "greatest age": ("maximum_age", "only kids/youth 18 & younger", 18),
    "once a month": (
        "visit_limit_text",
        "Photo ID is required. Customers can shop once per month.",
        "Customers can shop once per month",
    ),
    "limits of two kinds": (
        "visit_limit_text",
        "- One visit allowed per month\n- Clients may visit once every 30 days",
        "One visit allowed per month; Clients may visit once every 30 days",
    ),
    "three times a year": (
        "visit_limit_text",
        "Families may visit up to 3 times per year",
        "Families may visit up to 3 times per year",
    ),
    "the pantry opens once a month": ("visit_limit_text", "Pantry operates once per month", None),
    "only open": ("visit_limit_text", "- Only Once a month", None),
    "it delivers": ("visit_limit_text", "Delivers meals to seniors twice a week", None),
    "clothes, perhaps": (
        "visit_limit_text",
        "Community members are able to get clothes once every 30 days",
        None,
    ),
    "by telephone": (
        "visit_limit_text",
        "People can call for emergency food assistance every day",
        None,
    ),
    "area": (
        "service_area_text",
        "Serves residents of zip code 11203",
        "Serves residents of zip code 11203",
    ),
}


@pytest.mark.parametrize(("name", "text", "value"), TRUTHS.values(), ids=TRUTHS)
def test_facts(name, text, value):
    assert said(text, name) == (value,)


ELIGIBILITY = {
    "all": ("All", "audiences", ["everyone"]),
    "a school": ("Students of this school", "audiences", ["students"]),
    "a group": ("Unhoused", "audiences", ["unhoused"]),
    "an age": ("Persons ages 60 or older", "minimum_age", 60),
    "a town": ("Irving Residents", "audiences", None),
}


@pytest.mark.parametrize(("text", "name", "value"), ELIGIBILITY.values(), ids=ELIGIBILITY)
def test_eligibility(text, name, value):
    assert said(text, name, column="eligibility_text") == (value,)


def test_evidence_is_the_clause():
    facts_of_text = facts_in("- Bring a bag\n- Photo ID required\n- First come", "notes")
    assert [(f.field, f.value, f.clause) for f in facts_of_text] == [
        ("required_documents", "photo_id", "Photo ID required")
    ]


def test_frames():
    rows = pd.DataFrame(
        {
            "notes": ["Walk-ins welcome", None, "Walk-ins welcome", "By appointment only"],
            "requirements_text": ["No ID required", None, None, "ID required"],
            "accepts_walkins": pd.array([None, None, False, None], dtype="boolean"),
        },
        index=[7, 3, 5, 1],
    )
    facts_of_rows = with_facts(rows)
    assert list(facts_of_rows.index) == [7, 3, 5, 1]
    assert set(FACT_COLUMNS) <= set(facts_of_rows)
    assert facts_of_rows["accepts_walkins"].to_list() == [True, pd.NA, False, False], (
        "a publisher's own column goes before the texts"
    )
    assert facts_of_rows["requires_id"].to_list() == [False, pd.NA, pd.NA, True]
    assert facts_of_rows["required_documents"].to_list() == [[], None, None, ["identification"]]
    assert with_facts(rows.iloc[:0])["requires_id"].to_list() == []
