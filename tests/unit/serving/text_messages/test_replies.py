"""Whatever places are called, a reply has at most three parts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.opening import OpenState
from schemas.values.gsm7 import as_gsm7, segments
from schemas.vocab.states import STATE_CODES
from serving.render.words import Language, words
from serving.search.start import start_of_zip
from serving.sms.replies import (
    Nearby,
    Place,
    clock,
    fit_segments,
    free_food,
    hours_words,
    places_reply,
    simple,
    snap_reply,
)
from tests.support.releases import open_release
from tests.support.street import place as street_place
from tests.support.street import weekly
from tests.support.town import zips
from warehouse.index.reader import OpenRelease

NOW = datetime(2026, 11, 24, 15, 0, tzinfo=UTC)  # Tuesday, 10 in New York
ZONE = ZoneInfo("America/New_York")


def place(
    state: OpenState | None, is_open: bool = False, phone: str | None = "(212) 555-0101"
) -> Place:
    return Place("Example Pantry", "1 Example St", phone, 0.4, state, is_open, False)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("entry", "en", "es"),
    [
        (
            place(OpenState("open", NOW, None, at(24, 17)), True),
            "Open til 5pm",
            "Abierto hasta 5pm",
        ),
        (place(OpenState("open", NOW), True), "Open now", "Abierto ahora"),
        (place(OpenState("opens_soon", NOW, at(24, 10, 30))), "Opens 10:30am", "Abre 10:30am"),
        (place(OpenState("closed", NOW, at(26, 12))), "Opens Thu noon", "Abre jue mediodía"),
        (place(OpenState("closed", NOW, at(30, 18))), "Closed now", "Cerrado ahora"),
        (place(OpenState("closed", NOW)), "Closed now", "Cerrado ahora"),
        (place(None), "Hours unknown, call first", "Horario desconocido, llame antes"),
        (
            place(None, phone=None),
            "Hours unknown, ask 211 first",
            "Horario desconocido, pregunte al 211",
        ),
    ],
)
def test_hours(entry: Place, en: str, es: str) -> None:
    assert hours_words(words("sms", "en"), entry, NOW, "en") == en
    assert hours_words(words("sms", "es"), entry, NOW, "es") == es


def test_a_reply_names_all_that_is_needed() -> None:
    entry = place(OpenState("open", NOW, None, at(24, 17)), True)
    text = places_reply(Nearby([entry], None), "10002", "food", "en", NOW, False)
    assert (
        text
        == "Free food near 10002:\n1) Example Pantry, 0.4mi, 1 Example St. Open til 5pm. (212) 555-0101\nMore help: call 211."
    )
    text = places_reply(Nearby([entry], 25.0), "10002", "food", "es", NOW, True)
    assert text.startswith(
        "Nada a menos de 25 millas. DATOS DE PRUEBA, lugares inventados. Comida gratis cerca de 10002:"
    )


def test_clock() -> None:
    w = words("sms", "en")
    assert [
        clock(w, at(24, h, m)) for h, m in ((0, 0), (0, 30), (9, 0), (12, 0), (12, 15), (23, 5))
    ] == ["midnight", "12:30am", "9am", "noon", "12:15pm", "11:05pm"]


names = st.text(min_size=1, max_size=300)
states = st.one_of(
    st.none(),
    st.integers(0, 70).map(lambda h: OpenState("closed", NOW, at(24, 11) + timedelta(hours=h))),
)


@given(
    st.lists(
        st.tuples(
            names,
            st.one_of(st.none(), names),
            st.one_of(st.none(), names),
            st.floats(0, 500),
            states,
            st.booleans(),
        ),
        max_size=3,
    ),
    names,
    st.sampled_from(["food", "wic"]),
    st.sampled_from(["en", "es"]),
    st.booleans(),
)
def test_any_places_fit_into_three_parts(
    places: list[tuple[str, str | None, str | None, float, OpenState | None, bool]],
    where: str,
    topic: str,
    language: Language,
    is_synthetic: bool,
) -> None:
    entries = [
        Place(n, a, p, round(m, 1), s, False, appointment) for n, a, p, m, s, appointment in places
    ]
    text = places_reply(Nearby(entries, 50.0), where, topic, language, NOW, is_synthetic)
    assert 1 <= segments(text) <= 3
    assert "\r" not in text
    # Every place keeps its number: nothing is cut off at the end.
    assert all(f"{n}) " in text for n in range(1, len(entries) + 1))


@given(st.text(max_size=2000))
def test_any_text_fits(text: str) -> None:
    assert segments(fit_segments(text)) <= 3


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_sentence_and_state_fits(language: Language) -> None:
    for name in (
        "help",
        "ask",
        "stopped",
        "started",
        "slow_down",
        "snap_ask",
        "wic_ask",
        "not_now",
    ):
        text = simple(
            name,
            language,
            organization="An Organization With a Rather Long Name of Sixty Letters or so",
        )
        assert 1 <= segments(text) <= 3
        assert text == as_gsm7(text)
    for code in STATE_CODES:
        reply = snap_reply(code, language)
        assert segments(reply) <= 3, code
        assert "211" in reply


# ---------------------------------------------------------------- which places

# A Tuesday, 10:30 in New York.
TUESDAY = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
_OPEN, _LATER = (weekly("09:00", "17:00", day) for day in ("TU", "MO"))


@pytest.fixture
def street(tmp_path: Path) -> OpenRelease:
    rows = [
        street_place(1, 4, name="Open", schedules_json=_OPEN),
        street_place(2, 1, name="Without hours and telephone"),
        street_place(3, 2, name="Opens another day", schedules_json=_LATER),
        street_place(4, 5, name="Open and far", schedules_json=_OPEN),
        street_place(5, 6, name="Open and farther", schedules_json=_OPEN),
        street_place(6, 0.5, name="Shelter", is_confidential=True, location_precision="city"),
    ]
    return open_release(tmp_path, rows, zips=zips())


def test_the_three_nearest_are_named(street: OpenRelease) -> None:
    reply = free_food(street, start_of_zip(street, "10002"), TUESDAY)
    places = [(place.name, place.is_open) for place in reply.places]
    assert places == [
        ("Open", True),
        ("Without hours and telephone", False),
        ("Opens another day", False),
    ]
