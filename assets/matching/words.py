"""Word lists for comparing names of places.

Small closed lists, from names in publishers' files; adding a word needs a test row.
"""

from __future__ import annotations

import re


def word_set(text: str) -> frozenset[str]:
    """Return the blank-separated words of a text."""
    return frozenset(text.split())


# Spellings of one word. Keys and values are single tokens as `name_key` leaves them, plural s
# dropped.
SPELLINGS = {
    "elem": "elementary", "hs": "high", "ms": "middle",
    "jr": "junior", "sr": "senior", "comm": "community", "cmmty": "community", "ch": "church",
    "amer": "american", "ctr": "center", "min": "ministry",
    "ministries": "ministry", "pantries": "pantry", "churches": "church", "parish": "church", "parishes": "church",
    "conf": "conference", "episc": "episcopal", "meth": "methodist", "cong": "congregational", "soc": "society",
    "pent": "pentecostal", "apost": "apostolic", "twp": "township", "cmnty": "community", "hsg": "housing",
    "saint": "st", "sts": "st", "ss": "st", "hts": "height", "hgts": "height", "spgs": "spring",
    "mtn": "mountain", "vly": "valley", "mem": "memorial", "meml": "memorial", "fdn": "foundation", "fndn": "foundation", "emerg": "emergency",
    "asst": "assistance", "bldg": "building", "snr": "senior", "bap": "baptist",
    "ofc": "office", "prog": "program", "vol": "volunteer", "rec": "recreation",
    "presby": "presbyterian", "presb": "presbyterian", "luth": "lutheran", "bapt": "baptist", "cath": "catholic", "ev": "evangelical",
    "evang": "evangelical", "assemblies": "assembly", "agcy": "agency", "apt": "apartment",
    "cupboard": "pantry", "shelf": "pantry",
    "groceries": "grocery", "libraries": "library", "charities": "charity", "families": "family",
    "facilities": "facility", "communities": "community", "agencies": "agency", "activities": "activity",
    "presch": "preschool", "prek": "preschool", "foodbank": "bank", "foodshelf": "pantry",
    "supermkt": "supermarket", "superctr": "supercenter", "pharm": "pharmacy", "dist": "district",
    "dispensary": "pantry", "despensa": "pantry", "comedor": "kitchen", "iglesia": "church",
    "popup": "mobile", "truck": "mobile", "freedge": "fridge", "refrigerator": "fridge",
    "sfsp": "summer", "headstart": "headstart", "gasoline": "fuel", "gas": "fuel",
    "dentistry": "dental", "dentist": "dental", "behavioural": "behavioral", "psychiatric": "behavioral",
    "paediatric": "pediatric", "woman": "women", "women": "women", "anne": "ann", "optometry": "eye", "vision": "eye",
    "hq": "administration", "headquarter": "administration", "admin": "administration",
    "administrative": "administration", "corporate": "administration", "svc": "service",
    "avenue": "ave", "boulevard": "blvd", "road": "rd", "drive": "dr", "street": "st", "highway": "hwy",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "first": "1", "second": "2", "third": "3",
    "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8", "ninth": "9",
    "tenth": "10", "ii": "2", "iii": "3", "iv": "4", "eleven": "11", "twelve": "12", "thirteen": "13",
    "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19",
    "eleventh": "11", "twelfth": "12", "thirteenth": "13", "fourteenth": "14", "fifteenth": "15",
    "sixteenth": "16", "seventeenth": "17", "eighteenth": "18", "nineteenth": "19", "twentieth": "20",
    "thirtieth": "30", "fortieth": "40", "fiftieth": "50", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}  # fmt: skip
# Ahead of a figure: "Twenty-First Street Church".
TENS = {
    word: figures[0]
    for word, figures in SPELLINGS.items()
    if word.endswith("ty") and figures.isdigit() and len(figures) == 2
}

# Phrases that mean one thing, replaced before the words are read one by one.
PHRASES = (
    ("head start", "headstart"),
    ("early head start", "earlyheadstart"),
    ("day care", "daycare"),
    ("child care", "childcare"),
    ("pop up", "mobile"),
    ("wal mart", "walmart"),
    ("super market", "supermarket"),
    ("super center", "supercenter"),
    ("meals on wheels", "delivered"),
    ("senior high", "high"),
    ("sr high", "high"),
    ("jr sr high", "junior high"),
    ("soup kitchen", "kitchen"),
    ("family store", "thrift"),
    ("credit union", "creditunion"),
    ("clothes closet", "clothing closet"),
    ("food farmacy", "food pantry"),
    ("food closet", "food pantry"),
    ("food shelf", "food pantry"),
    ("food cupboard", "food pantry"),
    ("farmers market", "farmersmarket"),
    ("farmer s market", "farmersmarket"),
    ("farm stand", "farmstand"),
    ("farm stands", "farmstand"),
    ("united methodist church", "methodist church"),
    ("united methodist", "methodist"),
    ("umc", "methodist church"),
    ("fumc", "first methodist church"),
    ("fbc", "first baptist church"),
    ("ag church", "assembly of god church"),
    ("african methodist episcopal", "ame"),
    ("african methodist episcopal zion", "amez"),
    ("ame zion", "amez"),
    ("christian methodist episcopal", "cme"),
    ("church of god in christ", "cogic church"),
    ("united church of christ", "ucc church"),
    ("seventh day adventist", "adventist"),
    ("seventh day adventists", "adventist"),
    ("7th day adventist", "adventist"),
    ("7th day adventists", "adventist"),
    ("sda", "adventist"),
    ("church of jesus christ of latter day saints", "lds church"),
    ("church of jesus christ of lds", "lds church"),
    ("latter day saints", "lds"),
    ("latter day saint", "lds"),
    ("roman catholic", "catholic"),
    ("rc church", "catholic church"),
    ("mb church", "missionary baptist church"),
    ("mbc", "missionary baptist church"),
    ("aog", "assembly of god"),
    ("svdp", "st vincent de paul"),
    ("ssvp", "society of st vincent de paul"),
    ("vincent depaul", "vincent de paul"),
    ("young mens christian association", "ymca"),
    ("young womens christian association", "ywca"),
    ("women infants and children", "wic"),
    ("women infants children", "wic"),
    ("re engagement", "reengagement"),
    ("open doors", "reengagement"),
    ("co op", "coop"),
    ("nw", "northwest"),
    ("ne", "northeast"),
    ("sw", "southwest"),
    ("se", "southeast"),
)
# Letters of churches and bodies that some lists write apart: "A M E", "U. M. C.".
LETTERED = word_set(
    "ame amez cme umc fumc fbc mbc sda ucc lds rc svdp cogic aog wic ymca ywca heb aka fka"
)

# Spanish names that are next to an English one in the lists, in English. Only words that are no
# family name, town or saint's name: "San Pedro" is all three.
SPANISH = {
    "bautista": "baptist", "metodista": "methodist", "metodista unida": "united methodist",
    "luterana": "lutheran", "presbiteriana": "presbyterian", "catolica": "catholic",
    "evangelica": "evangelical", "cristiana": "christian", "cristiano": "christian", "centro": "center",
    "comunitaria": "community", "comunitario": "community", "ntra sra": "our lady",
    "el buen pastor": "good shepherd", "el buen samaritano": "good samaritan",
    "adventista": "adventist", "adventista del septimo dia": "adventist", "primera": "first",
    "segunda": "second", "iglesia de dios": "church of god", "iglesia de cristo": "church of christ",
    "asamblea de dios": "assembly of god", "asambleas de dios": "assembly of god",
    "parroquia": "parish", "ministerio": "ministry", "ministerios": "ministry", "monte sinai": "mt sinai",
    "monte sion": "mt zion", "monte horeb": "mt horeb", "monte calvario": "mt calvary",
    "betania": "bethany", "buen pastor": "good shepherd", "sagrado corazon": "sacred heart",
    "nuestra senora": "our lady", "espiritu santo": "holy spirit", "despensa de alimentos": "food pantry",
    "banco de alimentos": "food bank", "comedor popular": "soup kitchen",
    "centro comunitario": "community center", "del valle": "valley",
    "banco de comida": "food bank", "despensa de comida": "food pantry", "centro de salud": "health center",
    "nueva vida": "new life", "vida nueva": "new life", "pan de vida": "bread of life",
    "casa de oracion": "house of prayer", "santisima trinidad": "holy trinity", "cristo rey": "christ king",
    "sagrada familia": "holy family", "divina misericordia": "divine mercy", "buen samaritano": "good samaritan",
    "inmaculada concepcion": "immaculate conception", "apostolica": "apostolic",
    "del nazareno": "of the nazarene", "misionera": "missionary",
}  # fmt: skip
# Saints by their Spanish names. Read as English only next to a name that has the saint in English,
# since San Pedro is a town and Santa Ana another.
SAINTS = {
    "agustin": "augustine", "alberto": "albert", "ana": "ann", "andres": "andrew", "antonio": "anthony",
    "bartolome": "bartholomew", "bernardo": "bernard", "carlos": "charles", "catalina": "catherine",
    "cecilia": "cecilia", "clara": "clare", "cristobal": "christopher", "domingo": "dominic", "elena": "helen",
    "esteban": "stephen", "felipe": "philip", "francisco": "francis", "gabriel": "gabriel", "gregorio": "gregory",
    "ignacio": "ignatius", "ines": "agnes", "isabel": "elizabeth", "isidro": "isidore", "jorge": "george",
    "jose": "joseph", "juan": "john", "judas": "jude", "lorenzo": "lawrence", "lucas": "luke", "lucia": "lucy",
    "luis": "louis", "marcos": "mark", "margarita": "margaret", "maria": "mary", "marta": "martha",
    "martin": "martin", "mateo": "matthew", "matias": "matthias", "miguel": "michael", "monica": "monica",
    "nicolas": "nicholas", "pablo": "paul", "patricio": "patrick", "pedro": "peter", "rafael": "raphael",
    "rosa": "rose", "teresa": "theresa", "tomas": "thomas", "vicente": "vincent",
}  # fmt: skip
# Say of what faith, not which church: a house may hold "Church of God" and "Iglesia de Dios".
CREEDS = word_set("god christ pentecostal adventist evangelical assembly cogic lds")
# Stands at the end of a comparable name that was put into English; no name has brackets left.
TRANSLATED = "(es)"

# Next to a number, make it a road's: "Fifth Ave Shop".
STREET_WORDS = word_set("st ave rd blvd dr ln hwy route court place way square")

# Before a letter, make it a number: "Shelter B Lunch".
LETTERED_PARTS = word_set("shelter pavilion site location building tower wing lot unit phase")

# Say nothing: may be missing on either side.
FILLERS = word_set(
    """
    the of and at in for a an to de la el los las del y by with on inc incorporated llc llp lp
    ltd corp corporation co company store market supermarket supercenter mart mkt food grocery
    program service site location elca lcms pcusa aka
    """
) | {TRANSLATED}

# Too common to tell one place from another on their own; they still have to be on both sides.
WEAK = (
    word_set(
        """
    church community center school public health care clinic medical hospital family county city
    state department office pantry kitchen bank ministry parish outreach social human resource
    help hope mission association organization foundation council agency district library
    village house home park club society catholic baptist methodist lutheran christian
    presbyterian episcopal temple st mt new distribution emergency free senior youth child
    american national international regional elementary middle high junior preschool primary
    academy college university shop dollar north south east west central northeast northwest
    southeast southwest upper lower old wic snap summer meal mobile delivered farmersmarket
    farmstand headstart earlyheadstart
    """
    )
    | FILLERS
)

# May be missing on one side without making another name of it.
EXTRAS = (
    word_set(
        """
    church center community parish ministry outreach association organization foundation society
    dba
    """
    )
    | FILLERS
)

# A name with one of these is a school's: campuses share a telephone, a street and most of their
# names.
SCHOOL_WORDS = frozenset({"school", "academy", "reengagement"})

# Houses with a business of their own: a pantry in one is a guest, or one service of many.
HOSTS = word_set(
    """
    clinic health medical hospital care library senior housing apartment department office authority
    agency action county city state hall courthouse headquarter administration ymca ywca club park
    market supermarket supercenter mart store shop grocery theater hotel
    """
)

# Numbered bodies: the number is the body's, not a store's, and the body has many programs.
NUMBERED_BODIES = frozenset(
    {"district", "precinct", "ward", "council", "post", "lodge", "region", "esd", "board"}
)
# Types whose names carry store numbers.
STORE_TYPES = frozenset({"snap_retailer", "rmp_restaurant"})

# One campus holds several schools: a different set of levels is a different school.
LEVELS = word_set(
    """
    elementary primary intermediate middle junior high preschool kindergarten college university
    virtual online alternative reengagement charter montessori
    """
)

# Directions and the like distinguish branches: both sides have one and differ, they differ.
DIRECTIONS = word_set(
    """
    north south east west northeast northwest southeast southwest upper lower central downtown
    uptown midtown
    """
)

# Two words that differ in one of these alone are two words, however alike: Northgate and Southgate.
_TURN = re.compile("north|south|east|west")


def are_turned(one: str, other: str) -> bool:
    """Check whether names differ by a compass direction only."""
    return one != other and _TURN.sub("*", one) == _TURN.sub("*", other)


# What is done there. Two names that differ in one of these name two services, even under one roof.
KINDS = {
    "wic": "wic", "summer": "summer", "headstart": "head start", "earlyheadstart": "early head start",
    "pet": "pets", "camp": "camp", "furniture": "furniture", "legal": "legal help", "pantry": "pantry",
    "bank": "pantry", "closet": "pantry", "kitchen": "meals", "meal": "meals",
    "dinner": "meals", "breakfast": "meals", "lunch": "meals", "supper": "meals", "dining": "meals",
    "cafe": "meals", "delivered": "delivered meals", "mobile": "mobile", "fridge": "fridge",
    "diaper": "diapers", "pharmacy": "pharmacy", "fuel": "fuel", "liquor": "liquor", "deli": "deli",
    "farmersmarket": "farmers market", "farmstand": "farm stand", "garden": "garden", "thrift": "thrift shop",
    "dental": "dental", "behavioral": "behavioral", "counseling": "behavioral", "pediatric": "pediatrics",
    "women": "women", "men": "men", "youth": "youth", "teen": "youth", "senior": "senior",
    "baby": "babies", "eye": "eye care", "obgyn": "women", "urgent": "urgent care", "wellness": "wellness",
    "administration": "administration", "warehouse": "warehouse", "shelter": "shelter",
    "winter": "winter", "backpack": "backpacks", "toy": "toys", "hygiene": "hygiene", "blood": "blood",
    "daycare": "child care", "childcare": "child care", "clothing": "clothing", "csfp": "senior boxes",
    "commodity": "senior boxes", "express": "express",
    "apparel": "clothing", "coat": "clothing", "resale": "thrift shop", "bookstore": "books",
    "recovery": "recovery", "rehab": "recovery", "rehabilitation": "recovery", "detox": "recovery",
    "energy": "utility bills", "utility": "utility bills", "heating": "utility bills", "liheap": "utility bills",
    "weatherization": "utility bills", "job": "jobs", "employment": "jobs", "workforce": "jobs",
    "literacy": "learning", "tutoring": "learning", "laundry": "laundry", "shower": "showers",
    "immigration": "immigration", "citizenship": "immigration", "hospice": "hospice", "tax": "taxes",
    "creditunion": "credit union", "violence": "safe house", "veteran": "veterans",
    "transitional": "transitional housing", "pregnancy": "pregnancy", "prenatal": "pregnancy",
    "hispanic": "hispanic", "hispana": "hispanic", "hispano": "hispanic", "latino": "hispanic", "latina": "hispanic",
    "korean": "korean", "chinese": "chinese", "vietnamese": "vietnamese", "haitian": "haitian", "hmong": "hmong",
    "burmese": "burmese", "ethiopian": "ethiopian", "filipino": "filipino", "brazilian": "brazilian",
    "opioid": "opioid", "methadone": "opioid",
}  # fmt: skip

# Kinds that say for whom: both being for seniors does not make two names one service's.
AUDIENCES = frozenset(
    {
        "women",
        "men",
        "youth",
        "senior",
        "babies",
        "veterans",
        "hispanic",
        "korean",
        "chinese",
        "vietnamese",
        "haitian",
        "hmong",
        "burmese",
        "ethiopian",
        "filipino",
        "brazilian",
    }
)

# Kinds that are always another place next to the one without them, not worth a reviewer's time.
APART = frozenset(
    {"wic", "summer", "head start", "fuel", "diapers", "fridge", "farmers market", "mobile", "pets"}
)

# Within a type, its own word says nothing: every WIC office is one.
KINDS_OF_TYPE = {
    "food_pantry": frozenset({"pantry"}),
    "food_bank": frozenset({"pantry", "warehouse"}),
    "emergency": frozenset({"pantry"}),
    "soup_kitchen": frozenset({"meals"}),
    "mobile_pantry": frozenset({"pantry", "mobile"}),
    "community_fridge": frozenset({"fridge"}),
    "wic_office": frozenset({"wic"}),
    "summer_meal": frozenset({"summer", "meals"}),
    "head_start": frozenset({"head start"}),
    "diaper_bank": frozenset({"diapers", "pantry"}),
    "senior_commodity": frozenset({"senior boxes", "senior"}),
    "opioid_treatment": frozenset({"opioid"}),
}

# Types that different sources use for one and the same service. Any other two types are two places.
TYPE_GROUPS = (
    frozenset({"food_pantry", "food_bank", "emergency"}),
    frozenset({"food_pantry", "food_bank", "emergency", "soup_kitchen"}),
    frozenset({"food_pantry", "food_bank", "emergency", "mobile_pantry"}),
)
