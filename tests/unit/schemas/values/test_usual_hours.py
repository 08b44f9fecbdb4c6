"""Sentences on hours that are too old to be asserted."""

from datetime import UTC, date, datetime, timedelta

from schemas.hours.opening import OpenState
from schemas.values.usual_hours import advice_for, origin_words, usual_state_words, usual_words
from schemas.words import Words
from tests.support.cases import cases

LIST = origin_words("listed", date(2025, 8, 8))
CALL, ASK, LOOK = (
    advice_for(has_phone=True),
    advice_for(has_phone=False),
    advice_for(has_phone=False, has_website=True),
)
NOW = datetime(2026, 11, 24, 15, 0, tzinfo=UTC)


@cases(
    "hours, advice, en, es",
    {
        "one sentence": (
            Words("Tuesday, 9 a.m. to noon.", "Martes, de 9 a. m. a mediodía."),
            CALL,
            "Usually Tuesday, 9 a.m. to noon, according to its list of August 2025. Call first.",
            "Normalmente los martes, de 9 a. m. a mediodía, según su lista de agosto de 2025. Llame antes de ir.",
        ),
        "no telephone, an abbreviation at the end": (
            Words("Every day, 11 a.m. to 1 p.m.", "Todos los días, de 11 a. m. a 1 p. m."),
            ASK,
            "Usually every day, 11 a.m. to 1 p.m., according to its list of August 2025. No phone is listed, so call 211 first.",
            "Normalmente todos los días, de 11 a. m. a 1 p. m., según su lista de agosto de 2025. No hay teléfono en la lista; llame antes al 211.",
        ),
        "several sentences are all as old": (
            Words(
                "Tuesday, 9 a.m. to noon. Closed on federal holidays.",
                "Martes, de 9 a. m. a mediodía. Cerrado los días festivos federales.",
            ),
            LOOK,
            "Usually, according to its list of August 2025: Tuesday, 9 a.m. to noon. Closed on federal holidays. No phone is listed, so check its website or call 211 first.",
            "Normalmente, según su lista de agosto de 2025: Martes, de 9 a. m. a mediodía. Cerrado los días festivos federales. No hay teléfono en la lista; consulte su página web o llame antes al 211.",
        ),
    },
)
def test_old_hours_show_their_age(hours: Words, advice, en: str, es: str) -> None:
    assert usual_words(hours, LIST, advice) == Words(en, es)


def test_open_by_old_hours_is_usual() -> None:
    until = NOW + timedelta(hours=2)
    actual = usual_state_words(OpenState("open", until, closes_at=until), NOW, LIST, CALL)
    assert (
        actual.en
        == "Usually open now, until 5 p.m., according to its list of August 2025. Call first."
    )
    soon = OpenState("opens_soon", until, opens_at=NOW + timedelta(minutes=30))
    assert (
        usual_state_words(soon, NOW, LIST, CALL).en
        == "Usually opens today at 3:30 p.m., according to its list of August 2025. Call first."
    )


def test_only_a_confirmation_is_called_a_check() -> None:
    texts = [origin_words(kind, date(2026, 5, 2)).en for kind in ("confirmed", "updated", "listed")]
    assert texts == ["a check of May 2026", "an update of May 2026", "its list of May 2026"]


def test_call_first_needs_a_telephone() -> None:
    assert "call first" in CALL.clause.en
    for advice in (ASK, LOOK):
        for words in (advice.clause, advice.sentence, advice.short):
            assert "call first" not in words.en.lower()
            assert "llame antes de ir" not in words.es.lower()
            assert "211" in words.en
