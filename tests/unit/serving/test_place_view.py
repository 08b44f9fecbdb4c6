"""A place in words: no guesses, and doubts are stated."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from serving.places.detail import read_record
from serving.places.view import PlaceView, view_of
from tests.support.releases import open_release, resource

# A Tuesday, 11:00 in New York.
NOW = datetime(2026, 11, 24, 16, tzinfo=UTC)
TUESDAYS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"10:00","closes_at":"12:00"}]'
FRESH = {
    "source_updated_date": date(2026, 11, 3),
    "phone": "(212) 555-0101 ext. 12",
    "phone_e164": "+12125550101",
    "address": "1 Example Street",
}

PLACES: dict[str, dict[str, Any]] = {
    "open": {"schedules_json": TUESDAYS, **FRESH},
    "always": {
        "schedules_json": '[{"freq":"WEEKLY","byday":"MO,TU,WE,TH,FR,SA,SU","opens_at":"00:00","closes_at":"24:00","description":"open on holidays"}]',
        **FRESH,
    },
    "shut": {"schedules_json": TUESDAYS.replace("TU", "TH"), **FRESH},
    "stale": {"schedules_json": TUESDAYS, **FRESH, "source_updated_date": date(2024, 11, 3)},
    "silent": {"source_updated_date": date(2026, 11, 23), "location_precision": "zip"},
    "shelter": {
        "schedules_json": TUESDAYS,
        **FRESH,
        "address": None,
        "is_confidential": True,
        "location_precision": "city",
    },
    "shop": {"resource_type": "snap_retailer", **FRESH},
    "summer": {"resource_type": "summer_meal", "requires_appointment": True, **FRESH},
}
View = Callable[..., PlaceView]


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    folder = tmp_path_factory.mktemp("views")
    rows = [resource(n, name=name, **values) for n, (name, values) in enumerate(PLACES.items(), 1)]
    release = open_release(folder, rows)

    def made(name: str, language: str = "en", *, now: datetime = NOW, **more: Any) -> PlaceView:
        row = list(PLACES).index(name)
        live = {
            "distance": None,
            "live_status": None,
            "doubt": None,
            "days_since_confirmed": release.moment(row, now).days_since_confirmed,
        }
        return view_of(release, row, read_record(release, row) | live | more, now, language)  # type: ignore[arg-type]

    return made


WORDS: dict[str, dict[str, tuple[object, object]]] = {
    "open": {
        "status": ("closes_soon", "closes_soon"),
        "when": ("Open until noon.", "Abierto hasta mediodía."),
        "today": ("Today (Tuesday): 10 a.m. to noon", "Hoy (martes): de 10 a. m. a mediodía"),
        "confirmed": ("Hours confirmed 3 weeks ago.", "Horario confirmado hace 3 semanas."),
        "is_doubtful": (False, False),
        "call_url": ("tel:+12125550101;ext=12", "tel:+12125550101;ext=12"),
        "address": ("1 Example Street, New York, NY 10002", "1 Example Street, New York, NY 10002"),
        "type_label": ("Food pantry", "Despensa de alimentos"),
        "is_closed_all_day": (False, False),
        "badge": ("closes_soon", "closes_soon"),
    },
    "always": {
        "when": (None, None),
        "today": ("Today (Tuesday): 24 hours", "Hoy (martes): las 24 horas"),
        "is_closed_all_day": (False, False),
    },
    "shut": {
        "when": (
            "Opens Thursday, December 3 at 10 a.m.",
            "Abre el jueves 3 de diciembre a las 10 a. m.",
        ),
        "today": ("Today (Tuesday): closed", "Hoy (martes): cerrado"),
        "is_closed_all_day": (True, True),
    },
    "stale": {
        "status": ("unknown", "unknown"),
        "when": (None, None),
        "today": (None, None),
        "usual_short": (
            "Usually Tuesday, 10 a.m. to noon (checked November 2024)",
            "Horario habitual: martes, de 10 a. m. a mediodía (confirmado en noviembre de 2024)",
        ),
        "badge": ("usual_open", "usual_open"),
        "confirmed": ("Hours confirmed November 2024.", "Horario confirmado en noviembre de 2024."),
        "is_doubtful": (True, True),
    },
    "silent": {
        "badge": ("no_hours", "no_hours"),
        "hours": (None, None),
        "call_url": (None, None),
        "directions_url": (None, None),
        "caution": (
            "Confirmed yesterday. No phone is listed, so call 211 first.",
            "Confirmado ayer. No hay teléfono en la lista; llame antes al 211.",
        ),
        "notes": (("The street address is not listed.",), ("La dirección no está en la lista.",)),
    },
    "shelter": {
        "badge": ("unknown", "unknown"),
        "hours": (None, None),
        "status": ("unknown", "unknown"),
        "directions_url": (None, None),
    },
    "shop": {
        "notes": (
            ("Food is sold here, not given away. SNAP (EBT) is accepted.",),
            ("Aquí la comida se vende, no se regala. Se acepta SNAP (EBT).",),
        ),
    },
}


@pytest.mark.parametrize("name", WORDS)
def test_words(view: View, name: str) -> None:
    english, spanish = view(name), view(name, "es")
    for field, expected in WORDS[name].items():
        values = (getattr(english, field), getattr(spanish, field))
        plain = (v.replace("\N{NO-BREAK SPACE}", " ") if isinstance(v, str) else v for v in values)
        assert tuple(plain) == expected, field


def test_a_holiday_is_named_where_it_makes_hours_unknown_and_advice_is_given_once(
    view: View,
) -> None:
    thanksgiving = datetime(2026, 11, 26, 16, tzinfo=UTC)
    english, spanish = (view("shut", language, now=thanksgiving) for language in ("en", "es"))
    assert english.status == "unknown"
    assert english.when == (
        "Today is a holiday, and the published hours do not say whether it is open."
    )
    assert english.caution == "Hours confirmed 3 weeks ago. Call first."
    assert spanish.when == "Hoy es día feriado y el horario publicado no dice si está abierto."


def test_words_for_children_and_appointments(view: View) -> None:
    notes = view("summer").notes
    assert notes[0].startswith("Children and teenagers")
    assert notes[1] == "By appointment."


def test_a_shelter_is_called_and_not_walked_to(view: View) -> None:
    shelter = view("shelter")
    assert shelter.is_doubtful
    assert shelter.phone
    assert any("not published" in note for note in shelter.notes)


@pytest.mark.parametrize(
    ("miles", "en", "es"),
    [
        (1.0, "1 mile away", "a 1 milla"),
        (0.4, "0.4 miles away", "a 0.4 millas"),
        (12.0, "12 miles away", "a 12 millas"),
        (None, None, None),
    ],
)
def test_distances(view: View, miles: float | None, en: str | None, es: str | None) -> None:
    assert view("open", "en", distance=miles).distance == en
    assert view("open", "es", distance=miles).distance == es


@pytest.mark.parametrize(
    ("report", "is_confirmed", "shows_status"),
    [
        (None, False, True),
        ("closed_today", True, False),
        ("open_today", True, True),
        ("out_of_stock", True, False),
        ("running_late", True, True),
        ("low_stock", True, True),
        ("closed_today", False, True),
    ],
)
def test_a_conclusive_report_is_shown_alone(
    view: View, report: str | None, is_confirmed: bool, shows_status: bool
) -> None:
    live = (
        {
            "status": report,
            "is_confirmed": is_confirmed,
            "notes": "Use <b> door",
            "reported_at": "2026-11-24T13:00:00Z",
        }
        if report
        else None
    )
    view_of_place = view("open", live_status=live)
    assert view_of_place.live == (live and {**live, "when": "3 hours ago"})
    assert view_of_place.shows_status is shows_status
    assert (view_of_place.today is not None) is shows_status


@pytest.mark.parametrize(
    ("reported_at", "en", "es"),
    [
        ("2026-11-24T15:59:30Z", "just now", "ahora mismo"),
        ("2026-11-24T16:00:30Z", "just now", "ahora mismo"),
        ("2026-11-24T15:40:00Z", "20 minutes ago", "hace 20 minutos"),
        ("2026-11-23T17:00:00Z", "23 hours ago", "hace 23 horas"),
        (None, None, None),
    ],
)
def test_age_of_a_report(
    view: View, reported_at: str | None, en: str | None, es: str | None
) -> None:
    live = {"status": "low_stock", "is_confirmed": True, "reported_at": reported_at}
    for language, expected in (("en", en), ("es", es)):
        actual = view("open", language, live_status=live).live
        assert actual is not None
        assert actual["when"] == expected
