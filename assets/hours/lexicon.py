"""Lexicon of opening hours, English and Spanish: phrase -> (kind, value). Folded as in `normalise`.

A phrase is written with single blanks; the longest match wins. Anything else is an unknown word,
and an unknown word next to days or times makes the whole text unreadable, so every addition widens
what is understood and must not change what hours mean.
"""

from __future__ import annotations

from enum import Enum, auto

from assets.hours.spelling import misspelled_days
from schemas.hours.schedule import OFFICE_HOURS, SCHOOL_YEAR, SUMMER


class Kind(Enum):
    """Kind of a token in the grammar."""

    DAYS = auto()  # tuple of weekdays, Monday 0
    LETTER = auto()  # a single letter that may be a day
    ORDINAL = auto()  # 1 to 5, -1 for the last
    EVERY = auto()
    OTHER = auto()  # every other (week)
    OF_MONTH = auto()
    MONTH = auto()  # 1 to 12
    DATE = auto()  # datetime.date
    YEAR = auto()
    CLOCK = auto()  # times.Clock
    TO = auto()
    BETWEEN = auto()
    AND = auto()
    COMMA = auto()
    SLASH = auto()
    DASH = auto()
    COLON = auto()
    BREAK = auto()  # ; newline, end of sentence
    OPEN = auto()  # parenthesis
    CLOSE = auto()
    QUOTE = auto()
    PART = auto()  # of the day: "am" or "pm"
    ALL_DAY = auto()  # 24 hours
    CLOSED = auto()
    EXCEPT = auto()
    HOLIDAYS = auto()  # the closure's fixed words
    INCLUDING = auto()
    APPOINTMENT = auto()  # description
    REMARK = auto()  # harmless remark worth keeping: description
    MEAL = auto()  # a service that gives food
    WHO = auto()  # for whom
    SERVICE = auto()  # anything else that hours may be for
    FILLER = auto()
    VOID = auto()  # makes the hours unknowable
    WORD = auto()
    NUMBER = auto()


_WEEK: tuple[tuple[str, ...], ...] = (
    (
        "monday",
        "mondays",
        "mon",
        "mo",
        "monday's",
        "lunes",
        "lun",
        "lu",
        "mons",
        "moday",
        "momday",
        "modnay",
        "luneas",
        "m o n",
    ),
    (
        "tuesday",
        "tuesdays",
        "tue",
        "tues",
        "tu",
        "tuesday's",
        "martes",
        "t u e",
        "tuesdsay",
        "tueday",
        "tuesay",
        "ma",
    ),
    (
        "wednesday",
        "wednesdays",
        "wed",
        "weds",
        "we",
        "wednesday's",
        "wednes",
        "wednesay",
        "wednsday",
        "wendsday",
        "wensday",
        "wedensday",
        "wednesdsay",
        "w e d",
        "miercoles",
        "mierc",
        "mie",
        "mier",
        "mi",
    ),
    (
        "thursday",
        "thursdays",
        "thu",
        "thur",
        "thurs",
        "th",
        "thursday's",
        "thrus",
        "thurday",
        "thrusday",
        "thursaday",
        "thrs",
        "thurs's",
        "t h u r",
        "jueves",
        "jue",
        "juev",
        "ju",
    ),
    (
        "friday",
        "fridays",
        "fri",
        "fr",
        "friday's",
        "frday",
        "firday",
        "firiday",
        "f r i",
        "viernes",
        "vie",
        "vier",
        "vi",
    ),
    (
        "saturday",
        "saturdays",
        "sat",
        "sa",
        "saturday's",
        "saturda",
        "saturnday",
        "satruday",
        "s a t",
        "sats",
        "sabado",
        "sabados",
        "sab",
    ),
    ("sunday", "sundays", "sun", "su", "sunday's", "s u n", "domingo", "domingos", "dom", "do"),
)
# Day codes that are everyday words: days only next to a time or another day.
SHORT_DAYS: frozenset[str] = frozenset(
    {"we", "do", "mi", "ma", "tu", "su", "sun", "sat", "mon", "lu"}
)

_SETS: dict[tuple[int, ...], str] = {
    (0, 1, 2, 3, 4, 5, 6): (
        "daily|everyday|every day|each day|seven days a week|7 days a week|7 days per week|7 days/week|"
        "seven days per week|7 days|every day of the week|open daily|all week|nightly|every night|7 nights a week|seven nights a week|"
        "todas las noches|cada noche|todos los dias|diario|diariamente|cada dia|todos los dias de la semana|los 7 dias de la semana|"
        "7 dias a la semana|los siete dias de la semana|siete dias a la semana"
    ),
    (0, 1, 2, 3, 4): "weekdays|weekday|every weekday|entre semana|dias de semana|days of the week",
    (5, 6): "weekends|weekend|fines de semana|fin de semana|los fines de semana",
}

_GLUED: dict[str, tuple[int, ...]] = {
    "mwf": (0, 2, 4), "mw": (0, 2), "wf": (2, 4), "mtw": (0, 1, 2), "mtwth": (0, 1, 2, 3),
    "mtwthf": (0, 1, 2, 3, 4), "mtwrf": (0, 1, 2, 3, 4), "mtwtf": (0, 1, 2, 3, 4), "mtf": (0, 1, 4),
    "wth": (2, 3), "tth": (1, 3), "tuth": (1, 3), "tuthsa": (1, 3, 5), "twth": (1, 2, 3),
    "tthf": (1, 3, 4), "mtwthfs": (0, 1, 2, 3, 4, 5), "mwth": (0, 2, 3), "mth": (0, 3), "thf": (3, 4), "mtth": (0, 1, 3),
    "mtuwth": (0, 1, 2, 3), "mtuwthf": (0, 1, 2, 3, 4), "mtuthf": (0, 1, 3, 4), "tuwth": (1, 2, 3),
    "tuwthf": (1, 2, 3, 4), "tuthf": (1, 3, 4), "mtuth": (0, 1, 3), "mtuw": (0, 1, 2), "tuf": (1, 4),
    "mtthf": (0, 1, 3, 4), "twthf": (1, 2, 3, 4), "mtwf": (0, 1, 2, 4), "tf": (1, 4),
}  # fmt: skip

_ORDINALS: dict[int, str] = {
    1: "1st|first|primer|primero|primera|primeros|1er|1ero|1ra|primeras",
    2: "2nd|second|segundo|segunda|segundos|2do|2d|2da",
    3: "3rd|third|tercer|tercero|tercera|terceros|3er|3ero|3rth|3th",
    4: "4th|fourth|cuarto|cuarta|cuartos|4to|4rth|4ta|4rd",
    5: "5th|fifth|quinto|quinta|5to",
    -1: "last|ultimo|ultima|ultimos",
}

_MONTHS: tuple[str, ...] = (
    "january|jan|enero|ene",
    "february|feb|febrero",
    "march|mar|marzo",
    "april|apr|abril|abr",
    "may|mayo",
    "june|jun|junio",
    "july|jul|julio",
    "august|aug|agosto|ago",
    "september|sept|sep|septiembre|setiembre",
    "october|oct|octubre",
    "november|nov|noviembre",
    "december|dec|diciembre|dic",
)

_KINDS: dict[Kind, str] = {
    Kind.EVERY: "every|each|all|ea|weekly|cada|todos los|todas las|ever|once a week|weekley|weely|wekly",
    Kind.OTHER: (
        "every other|every other week on|alternate|alternating|biweekly|bi-weekly|bi weekly|"
        "every two weeks|every 2 weeks|every two weeks on|every 2 weeks on|every other week|"
        "cada dos semanas|cada 2 semanas|quincenal|cada quince dias|cada 15 dias|semana por medio|"
        "cada otro|cada dos|alternos|alternas|biweely|bi-weely|bi-weekley|por medio|de por medio|un si un no"
    ),
    Kind.OF_MONTH: (
        "of the month|of each month|of every month|ea month|of ea month|of the mo|each mo|of each mo|each month|every month|in the month|of month|in each month|"
        "of the calendar month|monthly|del mes|de cada mes|de mes|cada mes|per month|a month|of the month only|month|"
        "mensual|once a month|once per month|1x month|one time per month|two times per month|twice a month|"
        "twice per month|twice monthly|2 x month|2 x a month|2 x monthly|1 x month|once monthly|once each month|"
        "una vez al mes|dos veces al mes|montly|monthy|mothly|montlhy|monthley|mensualmente"
    ),
    Kind.TO: "to|through|thru|until|till|til|'til|hasta|al|a|hasta las|a las|a la|hasta la|til|thr",
    Kind.BETWEEN: "between|between the hours of|during the hours of|entre|entre las",
    Kind.AND: "and|&|y|e|+|plus|also|and also|and on|and the|and then|then|y de|y tambien|and from|y los|y el|again|and again|tambien|y luego|luego",
    Kind.ALL_DAY: (
        "24/7|24 hours|24 hours a day|24 hours per day|24 hours/day|24 hours daily|open 24 hours|24 hrs|24hrs|"
        "24 hours/7 days a week|24 hours a day/7 days a week|twenty four hours|24 hours a day 7 days a week|"
        "24 hours 7 days a week|24 hour|24 hours a day seven days a week|24/7/365|24 horas|las 24 horas|"
        "las 24 horas del dia|24 horas al dia|24 hs|24hs|24 hours/7 days|24 hours/7 days week|around the clock|"
        "24 hour access|24-hour access|24hr access|24 hr access|24 hour facility|always open|open always|siempre abierto|abierto las 24 horas"
    ),
    Kind.CLOSED: "closed|closed on|we are closed|we are closed on|we're closed|we're closed on|we will be closed|will be closed|will be closed on|estamos cerrados|estaremos cerrados|closed to the public|closed to the public on|closed to public|cerrado|cerrada|cerramos|close on|close|closed for|cerrado los|cerrado el|not open|not open on|no distribution|no distribution on|no food distribution|no food distribution on|no pantry|no pantry on|no service|no service on|no meal|no meals|no meal on|no meals on|no hay distribucion|no hay distribucion los|no hay servicio|no hay despensa|no hay despensa en|no abrimos|no abre",
    Kind.EXCEPT: "except|excluding|excepto|salvo|except on|except for|excepto los|menos los|menos|except any|excluding any|except the|with the exception of|but not|not including|not on|not the|but not on|pero no",
    Kind.INCLUDING: "including|incluyendo|incl|includes",
    Kind.VOID: (
        "vary|varies|varied|varying|hours vary|times vary|seasonal|seasonally|temporarily|temporary|suspended|"
        "until further notice|tbd|tba|to be determined|to be announced|irregular|sporadic|rotating|"
        "as needed|when available|upon availability|check for hours|call for hours|call for schedule|"
        "permanently|tentative|cancelled|canceled|por confirmar|varia|varian|temporalmente|suspendido|"
        "hasta nuevo aviso|consultar horario|llamar para horario|summer|winter|spring|fall|autumn|verano|"
        "invierno|school|schools|unless|approximately|approx|about|around|beginning|starting|begins|"
        "starts|started|no longer|voicemail|hotline|helpline|si|when|cuando|after|before|despues|antes|"
        "occasionally|sometimes|usually|call for exact|week|weeks|semana|semanas|depending|depends|depend|"
        "next|proximo|proxima"
    ),
}

_HOLIDAYS: dict[str, str] = {
    "federal holidays": (
        "holidays|all holidays|federal holidays|public holidays|legal holidays|national holidays|holiday|"
        "bank holidays|government holidays|state and federal holidays|federal and state holidays|"
        "all federal holidays|all legal holidays|observed holidays|official holidays|all official holidays|on official holidays|feriados|dias feriados|dias festivos|festivos|"
        "los feriados|los dias feriados|los dias festivos|los festivos|dias de fiesta|us holidays|"
        "on holidays|on federal holidays|on all holidays|county holidays|city holidays|state holidays"
    ),
    "major holidays": "major holidays|all major holidays|on major holidays|on all major holidays|most holidays|dias festivos principales",
    "Christmas Day": "christmas|christmas day|navidad|dia de navidad|x-mas|xmas",
    "Thanksgiving Day": "thanksgiving|thanksgiving day|accion de gracias|dia de accion de gracias",
    "New Year's Day": "new year's day|new years day|new year's|new years|ano nuevo|new year day",
    "Independence Day": "independence day|july 4th|july 4|4th of july|fourth of july|4 de julio|julio 4",
    "Labor Day": "labor day|dia del trabajo",
    "Memorial Day": "memorial day",
    "Veterans Day": "veterans day|veteran's day",
    "Columbus Day": "columbus day",
    "Martin Luther King Jr. Day": "martin luther king jr day|martin luther king day|mlk day|mlk jr day",
    "Washington's Birthday": "presidents day|president's day|presidents' day|washington's birthday",
    "Juneteenth National Independence Day": "juneteenth",
}

_DESCRIPTIONS: dict[Kind, dict[str, str]] = {
    Kind.APPOINTMENT: {
        "by appointment": (
            "by appointment|by appointment only|appointment hours|by appt|by appt only|appointment only|appt only|appointments only|"
            "appt required|appointment required|appointments required|appointment needed|appointment necessary|"
            "by appointments|by appointments only|call for appointment|call for an appointment|call for appt|"
            "please call for appointment|please call for an appointment|call to make an appointment|"
            "please call to make an appointment|call to schedule an appointment|call to schedule appointment|"
            "please call to schedule an appointment|call to schedule|please call to schedule|"
            "call first for appointment|call for appointments|must have appointment|must have an appointment|"
            "must make an appointment|must call for appointment|must call for an appointment|"
            "contact for appointment|contact for an appointment|plentiful appointment|by reservation|"
            "by reservation only|reservation required|reservations required|an appointment is required|"
            "con cita|con cita previa|solo con cita|con cita solamente|solamente con cita|por cita|por cita previa|"
            "solo con cita previa|se requiere cita|cita requerida|cita previa|previa cita|llame para hacer una cita|"
            "llame para una cita|por favor llame para una cita|favor de llamar para una cita|favor de llamar para hacer una cita|llamar para cita|llame para cita|llame para hacer cita|llamar para una cita|"
            "appointments are required|appointment is required|by phone appointment|by appointment only please|"
            "services provided by appointment only|solo por cita|requiere cita|call for your appointment|"
            "call to set up an appointment|call to set an appointment|appointments by phone|"
            "please call for appt|please call to schedule appointment|appts only|appt|appointments preferred|"
            "appointment preferred|by scheduled appointment|by pre-arranged appointment|scheduled appointments only"
        ),
        "or by appointment": (
            "or by appointment|by appointment as well|open by appointment as well|and by appointment|& by appointment|& by appt|or by appt|or call for appointment|or call for an appointment|"
            "as well as by appointment|other times by appointment|other hours by appointment|"
            "after hours by appointment|evening appointments available|appointments available|"
            "and by appt|also by appointment|appointments also available|available by appointment|"
            "additional hours by appointment|evenings by appointment|evenings and weekends by appointment|"
            "evenings and saturdays by appointment|weekends and evenings by appointment|flexible hours by appointment|"
            "evenings available with an appointment|evenings available by appointment|o con cita|o por cita|tambien con cita|"
            "o con cita previa|y con cita|or with appointment|appointments and walk-ins|walk-ins and appointments|"
            "walk-in or by appointment|by appointment or walk-in|and other times by appointment|"
            "or by special appointment|otherwise by appointment|otherwise by appointment only|all other times by appointment|"
            "other times available by appointment|visits outside these hours are available by appointment|"
            "some evening hours available|some evening hours are available|some evening hours|some evening appointments|evening hours available|evening hours are available|"
            "some evening appointments available|evenings and weekends as scheduled|extended hours available|extended hours are available|"
            "visits also available by appointment|visits are also available by appointment|or by appoint|"
            "other times available|other times are available|algunas tardes con cita"
        ),
    },
    Kind.REMARK: {
        "visits are limited": "visitlimit",
        "leave a message": (
            "voicemail available|voicemail is available|leave voicemail|leave a voicemail|leave a message|"
            "leave message|answering machine after hours|deje un mensaje|dejar mensaje"
        ),
        "be in line in time": "inlineby",
        "a line forms before": "lineforms",
        "registration begins before": "registrationbefore",
        "doors open before": "doorsbefore",
        "weather permitting": "weather permitting|if weather permits|si el clima lo permite|clima permitiendo",
        "eastern time": "et|est|edt|eastern|eastern time|eastern standard time",
        "central time": "ct|cst|cdt|central time|central standard time",
        "mountain time": "mst|mdt|mountain time",
        "pacific time": "pt|pst|pdt|pacific|pacific time|pacific standard time",
        "call first": (
            "call first|please call first|call ahead|please call ahead|must call first|must call ahead|"
            "call before coming|please call before coming|call before visiting|"
            "call to confirm|please call to confirm|call in advance|please call in advance|llame primero|"
            "favor de llamar|llame antes|llame antes de venir|llamar antes|llamar primero|favor de llamar antes|"
            "favor de llamar primero|llamar antes de venir|llamar antes de ir|llame antes de ir|favor de llamar antes de venir|favor de llamar antes de ir|call before arriving|"
            "call before you come|please call before you come|call prior to coming|"
            "call to verify|call ahead to confirm|please call ahead to confirm"
        ),
        "call for details": (
            "please call|call|call for details|call for additional hours|call for assistance|"
            "please call for assistance|call ahead for availability|please call ahead for availability|call for more information|please call for more information|"
            "call for information|call for info|llame para mas informacion|call for emergency food|"
            "call if in need of emergency food|call if you are in need of emergency food|"
            "please call for details|call for availability|phonenumber|call phonenumber|"
            "please call phonenumber|llame al phonenumber|llamar al phonenumber|text phonenumber|tel phonenumber|phone phonenumber|para mas informacion"
        ),
        "walk-ins welcome": "drop-in|drop-ins|drop-ins welcome|drop-ins are welcome|walk-ins are welcome|drop in|drop-in hours|walk-in hours|walk-in|walk-ins|walk in|walk ins|walk-ins welcome|walk-in only|no appointment needed|no appointment necessary|sin cita|walk-ins only|no appointments|walk-in basis|first come first served|first come first serve|first-come first-served|first-come first served|on a first come first served basis|por orden de llegada",
        "while supplies last": (
            "while supplies last|supplies are limited|limited supplies|until supplies last|until food runs out|or until food runs out|until we run out|"
            "or until supplies run out|until supplies run out|as supplies last|while supplies lasts|"
            "or while supplies last|until run out of food|until food is gone|or until food is gone|"
            "hasta agotar existencias|o hasta agotar existencias|o hasta agotar|hasta agotar inventario|o hasta que se acabe la comida|hasta que se acabe|o hasta que se acabe|hasta que se acaben los alimentos|o hasta que se acaben los alimentos|mientras duren los suministros|hasta agotar suministros|o hasta agotar suministros|mientras duren los alimentos|hasta agotar|hasta que se acabe la comida|"
            "or until supplies are gone|until gone|until supplies are gone|or until we run out|or until gone"
        ),
        "open on holidays": "including holidays|open on holidays|holidays included|incluyendo dias festivos|incluye feriados|incluso feriados|incluyendo feriados|365 days a year|365 days|incluidos los dias festivos|incl holidays",
    },
    Kind.PART: {
        "am": "morning|mornings|am|por la manana|en la manana|de la manana|mananas|a m|in the morning",
        "pm": "afternoon|afternoons|evening|evenings|pm|por la tarde|en la tarde|de la tarde|tardes|de la noche|en la noche|por la noche|night|nights|noches|in the evening|in the afternoon",
    },
}

_MEALS = (
    "pantry|food pantry|senior box|senior boxes|senior food box|senior food boxes|csfp|commodity box|commodity boxes|"
    "nevera|nevera comunitaria|refrigerador comunitario|blessing box|little pantry|free little pantry|food giveaway|free food giveaway|free food distribution|mobile market|free market|produce market|breakfast|lunch|dinner|supper|snack|snacks|brunch|meal|meals|soup kitchen|food distribution|"
    "distribution|food bank|food|groceries|grocery|free lunch program|mobile pantry|mobile food pantry|"
    "hot meal|hot meals|community meal|community dinner|free meal|free meals|free lunch|free dinner|free breakfast|free supper|free hot meal|free hot meals|free food|free produce|free community meal|food shelf|food closet|food cupboard|"
    "food box|food boxes|desayuno|almuerzo|comida|cena|merienda|despensa|despensas|despensa de alimentos|comedor|"
    "banco de alimentos|distribucion|distribucion de alimentos|reparto de alimentos|entrega de alimentos|"
    "to-go lunches|bag lunches|bagged lunches|sack lunch|sack lunches|emergency food|emergency pantry|lunches|"
    "hot lunch|hot dinner|hot breakfast|to go meals|viandas|entrega de viandas|produce|fresh produce|fresh food|"
    "food market|little free pantry|community fridge|fridge|farmers market|drive-thru|drive thru|drive-through|drive through|drive up|drive-up|food pickup|"
    "grab and go|grab & go|senior lunch|congregate meals|congregate lunch|dinners|breakfasts|meal service|"
    "food service|pantry distribution|food assistance|client choice pantry|choice pantry|food pick up|"
    "food pick-up|recogida de alimentos|alimentos|mercado|hot community meal|congregate meal|free community dinner|soup and sandwich|soup and sandwiches|soup|sandwiches|pre-packed bags|food bags|free groceries|"
    "emergency groceries|canned goods|bread|free bread|a food pantry|a soup kitchen|a hot meal|a meal|a free meal|"
    "a dinner|a hot lunch|commodities|government commodities|baby cupboard|kitchen|cafe|emergency food bags|mixed menu|merendero|"
    "olla popular|comedor comunitario|emergency food pantry|emergency food distribution|grocery distribution|produce distribution"
)

_WHO = (
    "seniors|senior|seniors only|for seniors|senior citizens|older adults|seniors 60+|veterans|veterans only|women|"
    "families|families only|students|students only|members|members only|new clients|new clients only|residents only|"
    "general public|general|public|regular|adultos mayores|personas mayores|solo adultos mayores|tercera edad|familias|"
    "estudiantes|veteranos|mujeres|women only|men only|men|everyone|open to all|open to the public|"
    "homeless clients|homeless clients only|homeless|homebound|disabled|seniors & disabled|seniors and disabled|existing clients|returning clients|"
    "anyone in need|to anyone in need|open to anyone in need|for anyone in need|those in need|to those in need|"
    "for those in need|teens|teens only|youth only|adults only|jovenes|adolescentes|"
    "general distribution|para seniors|solo seniors|para adultos mayores|publico general|publico en general"
)

# The office behind a service gets one fixed word, which the evaluator knows.
_SERVICES: dict[str, str] = {
    OFFICE_HOURS: (
        "office|offices|main office|church office|local office|administrative|administration|admin|"
        "administrative office|administrative offices|administration office|business office|admin office|"
        "rectory|oficina|oficinas|administracion|front office|ofc|parish office|central office|office is"
    ),
    SCHOOL_YEAR: (
        "during school year|during the school year|school year hours|school year only|school days|school days only|"
        "on school days|school hours|school year|durante el ano escolar|ano escolar|dias de clases|dias escolares"
    ),
    SUMMER: "summer hours|summer only|during summer|during the summer|horario de verano|summer program|en el verano",
    "": (
        "intake|client intake|intakes|clinic|walk-in clinic|drop-in clinic|drop in clinic|pharmacy|farmacia|"
        "thrift store|thrift shop|day center|drop-in center|library|museum|showers|shower|laundry|duchas|"
        "lavanderia|clothing room|clothes pantry|hygiene pantry|diaper bank|diaper pantry|diapers|panales|clothing closet|clothing bank|clothes closet|clothing|ropa|ropero|dental|medical|"
        "counseling|tutoring|hiv testing|legal clinic|computer lab|social services|client services|"
        "customer service|environmental health|visiting|after school program|after school programs|after-school program|after-school programs|wic|wic clinic|wic office|clinica wic|oficina de wic"
    ),
}

_FILLERS = (
    "hours|hour|hours of operation|hours of operations|operating hours|business hours|open hours|opening hours|pantry hours|"
    "distribution hours|food pantry hours|hours are|hours open|hrs|hr|hs|h|horario|horarios|horas|horario de atencion|"
    "horario de la despensa|open|opens|opened|is open|are open|we are open|it is open|open on|open from|"
    "open to the public|currently open|distributes|provides|abierto|abierta|abrimos|abre|esta abierto|esta abierta|atendemos|atiende|se atiende|estamos abiertos|"
    "from|on|at|the|in|is|are|de|del|desde|desde las|los|las|el|la|en|dia|dias|days|day|of|for|time|times|"
    "only|solo|solamente|unicamente|occurs|occurs on|occurs the|takes place|held|we|services|service|served|serving|handed out|given out|"
    "pickup|pick-up|pick up|pickup occurs|pickup available|pick up available|available|mealsite|meal site|site|"
    "pop-up pantry|location|food distributions|distributions|distribution is|pantry is open|public hours|regular hours|"
    "normal hours|current hours|atencion|funciona|reparte|entrega|"
    "date|dates|days and hours|"
    "days of operation|runs|operates|offers|supplies|distributed|no referral needed|no referral required|"
    "no referral necessary|no referrals needed|no referrals required|mealsite runs|day & time|days & times|curbside|outside|local time|sharp|"
    "noon meal|our|self-serve|self serve|outdoor|outdoors|del mediodia|del dia|por|los dias|pantry is|se abre|sirve|servimos|se sirve|para llevar|"
    "drive thru only|store hours|general hours|program hours|service hours|"
    "there are no eligibility requirements for mobiles|no eligibility requirements|no id required|no id needed|"
    "no identification required|no questions asked|no proof required|no documentation required|sin preguntas|"
    "year-round|year round|open year-round|open year round|all year|all year round|todo el ano|durante todo el ano|ongoing|rain or shine|llueva o truene|month of|months of|during the month of|during the months of|durante los meses de|en los meses de|los meses de|"
    "pantry is open to the public|food pantry is open to the public|is open to the public|are open to the public|"
    "we are open to the public|para|para el|"
    "accessible|otherwise closed|closed otherwise|no early arrivals|take what you need|leave what you can|give what you can|leave what you don't need|"
    "toma lo que necesites|tome lo que necesite|deja lo que puedas|deje lo que pueda|"
    "distribution time|distribution times|distribution day|distribution days|pantry day|pantry days"
)


def _phrases() -> dict[str, tuple[Kind, object]]:
    table: dict[str, tuple[Kind, object]] = {}

    def add(phrases: str, kind: Kind, value: object = None) -> None:
        for phrase in phrases.split("|"):
            table[phrase] = (kind, phrase if value is None else value)

    add(_FILLERS, Kind.FILLER)
    add(_MEALS, Kind.MEAL)
    add(_WHO, Kind.WHO)
    for value, phrases in _SERVICES.items():
        add(phrases, Kind.SERVICE, value or None)
    for kind, phrases in _KINDS.items():
        add(phrases, kind)
    for phrase in _KINDS[Kind.ALL_DAY].split("|"):
        add(f"open {phrase}", Kind.ALL_DAY)
    for kind, groups in _DESCRIPTIONS.items():
        for value, phrases in groups.items():
            add(phrases, kind, value)
    for value, phrases in _HOLIDAYS.items():
        add(phrases, Kind.HOLIDAYS, value)
    for number, phrases in _ORDINALS.items():
        add(phrases, Kind.ORDINAL, number)
    for number, phrases in enumerate(_MONTHS, start=1):
        add(phrases, Kind.MONTH, number)
    for days, phrases in _SETS.items():
        add(phrases, Kind.DAYS, days)
    for word, days in _GLUED.items():
        add(word, Kind.DAYS, days)
    for number, names in enumerate(_WEEK):
        add("|".join(names), Kind.DAYS, (number,))
    for word, number in misspelled_days().items():
        table.setdefault(word, (Kind.DAYS, (number,)))
    return table


PHRASES: dict[str, tuple[Kind, object]] = _phrases()

# Stems that may change what hours mean. A remark that holds one of them makes the text unreadable.
DANGEROUS_STEMS: tuple[str, ...] = (
    "clos",
    "cerr",
    "cancel",
    "vari",
    "vary",
    "season",
    "tempor",
    "suspend",
    "altern",
    "rotat",
    "chang",
    "only",
    "hour",
    "horari",
    "time",
    "schedul",
    "calend",
    "until",
    "hasta",
    "unless",
    "excep",
    "week",
    "semana",
    "month",
    "mes",
    "start",
    "begin",
    "end",
    "comienz",
    "empie",
    "summer",
    "winter",
    "spring",
    "verano",
    "invierno",
    "cambi",
    "sujet",
    "subject",
    "pued",
    "tarde",
    "manana",
    "noche",
    "dias",
    "solo",
    "solamente",
    "vacacion",
    "clase",
    "nunca",
    "ningun",
    "first",
    "last",
    "even",
    "odd",
    "rain",
    "holiday",
    "feriad",
    "festiv",
    "office",
    "oficina",
    "admin",
    "intake",
    "clinic",
    "class",
    "hotline",
    "confirm",
    "not",
    "no",
    "sin",
    "limited",
    "check",
    "visit",
    "website",
    "see",
    "discontinu",
    "pause",
    "resum",
    "reopen",
    "open",
    "night",
    "evening",
    "morning",
    "shelter",
    "day",
    "crisis",
    "phone",
    "telefono",
    "recorded",
    "answering",
    "machine",
    "messag",
    "counsel",
    "shower",
    "laundry",
    "medical",
    "pharmacy",
    "legal",
    "tax",
    "thrift",
    "store",
    "appointment",
    "cita",
    "rehears",
    "meeting",
    "weather",
    "quarter",
    "annual",
    "yearly",
    "trimestr",
    "bimonth",
    "biweek",
    "lent",
    "ramadan",
    "every",
    "cada",
    "other",
    "additional",
    "also",
    "session",
    "program",
    "closest",
)

# Stems of remarks that say where, who or what to bring, and nothing about when.
HARMLESS_STEMS: tuple[str, ...] = (
    "bring",
    "zip",
    "zipcode",
    "park",
    "bag",
    "intended",
    "bags",
    "id",
    "proof",
    "address",
    "resident",
    "parking",
    "lot",
    "entrance",
    "basement",
    "church",
    "parish",
    "hall",
    "street",
    "st",
    "ave",
    "avenue",
    "road",
    "rd",
    "blvd",
    "serves",
    "serving",
    "must",
    "present",
    "line",
    "eligib",
    "identif",
    "photo",
    "county",
    "floor",
    "room",
    "door",
    "center",
    "traiga",
    "traer",
    "identificacion",
    "iglesia",
    "estacionamiento",
    "entrada",
    "calle",
    "condado",
    "anyone",
    "anybody",
    "welcome",
    "need",
    "residente",
    "bolsa",
    "bolsas",
    "spanish",
    "english",
    "espanol",
    "ingles",
    "masks",
    "building",
)
