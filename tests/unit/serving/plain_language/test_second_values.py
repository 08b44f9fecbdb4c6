"""Two values of one kind in a question: both are used, or the answer names the one that is not."""

import pytest

from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import Reading, read_question

# Question: what is used of it, then what the answer names as not used.
TWICE = {
    "SNAP or WIC office near 10002": ("wic snap_office", ""),
    "wic y cupones en Houston": ("wic snap_office", ""),
    "how to apply for food stamps and WIC in Georgia": ("wic snap_office", ""),
    "pantry or WIC office 14207": ("wic free", ""),
    "despensa o oficina de wic 14207": ("wic free", ""),
    "summer meals or school lunch 94103": ("summer school", ""),
    "soup kitchen or mobile pantry 10002": ("soup_kitchen mobile_pantry", ""),
    "comedor o despensa movil 10002": ("soup_kitchen mobile_pantry", ""),
    "groceries 02121 or 02124": ("free", "02124"),
    "despensa en Sacramento o Stockton": ("free", "Stockton, CA"),
    "halal or kosher food 48126": ("diet=halal diet=kosher", ""),
    "comida sin gluten o vegetariana 10002": ("diet=gluten_free diet=vegetarian", ""),
    "diapers and formula pantry 10002": ("item=diapers item=formula", ""),
    "they speak Spanish or Vietnamese 78207": ("language=es language=vi", ""),
    "que hablen español o criollo haitiano 33101": ("language=es language=ht", ""),
    "for seniors and veterans 10002": ("audience=seniors audience=veterans", ""),
    "para niños o veteranos 10002": ("audience=children audience=veterans", ""),
    "food Monday or Thursday 10002": ("day=MO day=TH", ""),
    "comida hoy o mañana 10002": ("day=today day=tomorrow", ""),
    "food today or Saturday 10002": ("day=today day=SA", ""),
    "tomorrow or Friday 10002": ("day=tomorrow day=FR", ""),
    "mañana o pasado mañana, despensa 10002": ("day=tomorrow day=+2", ""),
    "after 5pm Monday or Thursday 10002": ("day=MO day=TH time=after_17:00", ""),
    "después de las 5 lunes o miércoles 60632": ("day=MO day=WE time=after_17:00", ""),
    "before 10 or after 5, 10002": ("time=before_10:00 time=after_17:00", ""),
    "antes de las 10 o después de las 6 10002": ("time=before_10:00 time=after_18:00", ""),
    "Saturday 9-11 or 2-4, 10002": ("day=SA time=09:00-11:00 time=14:00-16:00", ""),
    "morning or evening 10002": ("time=morning time=evening", ""),
    "within 2 miles, at most 5 miles, of 10002": ("distance=2.0 distance=5.0", ""),
    "no ID, no proof of address 10002": ("papers=no_id papers=no_proof_of_address", ""),
    "Salvation Army, 10002, Catholic Charities": ("Salvation Army", "Catholic Charities"),
    "breakfast and milk 10002": ("free", "foods meal"),
    "sin cerdo, qué documentos piden, 10002": ("free", "pork documents"),
    "vegan and cant have gluten 97214": ("diet=gluten_free diet=vegan", ""),
    "open late Saturday 85001": ("day=SA time=evening", ""),
    "delivery for disabled people 11101": ("delivery=True", "disability"),
    "mobile food truck or soup kitchen 14201": ("mobile_pantry soup_kitchen", ""),
    "comedor para niños en verano 78207": ("summer audience=children", ""),
    "no tengo donde cocinar, algo caliente 10002": ("item=hot_meal", "no_cooking"),
    "qué llevar a la despensa 10002": ("free", "documents"),
    "what do I bring to the pantry 10002": ("free", "documents"),
    "alérgico al maní 10002": ("free", "allergy"),
    "pantry where i can choose my own food 10002": ("free", "choice"),
    "how often can I go to the pantry 10002": ("free", "visit_limit"),
    "langar at a sikh temple 10002": ("soup_kitchen", ""),
    "dinner delivered to my mom 10002": ("free delivery=True", "meal"),
}


def _used(reading: Reading) -> set[str]:
    wishes = {f"{wish.kind}={wish.value}".replace(" ", "_") for wish in reading.wishes}
    names = {reading.name.text} if reading.name else set()
    return {*reading.wants.targets, *wishes, *names}


@pytest.mark.parametrize(("question", "parts"), TWICE.items(), ids=TWICE)
def test_no_second_value_is_dropped_unsaid(names: PlaceNames, question: str, parts):
    reading = read_question(question, names)
    values, phrases = parts
    name = [values] if values == "Salvation Army" else values.split()
    assert set(name) <= _used(reading), reading
    actual = [*(label for label, _ in reading.instead), *reading.unsupported, *reading.unused]
    assert all(part in " ".join(actual) for part in phrases.split()), reading
