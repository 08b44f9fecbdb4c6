"""A place as people see it on every surface: lists, cards, the widget, its own page.

`place_view(release, row, now, language)` gives what `parts.place_card` shows, in this order: name,
distance, open state, phone, directions. Nothing is guessed: unknown values are None, and the card
says "call first".
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus, urlencode
from zoneinfo import ZoneInfo

import msgspec

from schemas.hours.clock_words import (
    capital,
    day_name,
    full_date,
    join_words,
    month_day,
    month_year,
    sentence,
    span,
)
from schemas.hours.hours_words import hours_in_words
from schemas.hours.opening import OPEN_STATUSES, OpenState, OpenStatus, Span, spans_by_day
from schemas.hours.recurrence import DAY_MINUTES
from schemas.hours.schedule import schedules_from_json
from schemas.languages import localize
from schemas.values.usual_hours import UsualHours, inside_sentence
from schemas.vocab.attributes import SERVED_BY_LAW, WHO_MAY_EAT
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.statuses import EXACT_PRECISIONS
from schemas.words import InWords
from serving.places.detail import address_line, freshness_of
from serving.render.words import Language, Words, words
from serving.search.urgent import cause_of_doubt, when_words
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Hit

_DIRECTIONS = "https://www.google.com/maps/dir/?"
# With these, reported by a confirmed operator, the state by the hours is left out.
_SETTLING = frozenset({"closed_today", "out_of_stock"})


class PlaceView(msgspec.Struct, frozen=True, kw_only=True):
    """View of a place in one language. Texts are plain: the template escapes them."""

    id: int
    name: str
    path: str
    """Path of the place's own page."""
    organization: str | None
    type_label: str
    mode: str | None
    distance: str | None
    """ "1.2 miles away"; None where nothing was measured."""
    status: OpenStatus
    """Open state by the hours: open, closed, closes_soon, opens_soon, unknown."""
    when: str | None
    """When to go, as a sentence; None where the state says all that is known."""
    today: str | None
    """Today's hours in words; None where they are not certain."""
    is_closed_all_day: bool
    """Whether these say no more than a state with the next opening does."""
    hours: str | None
    """All hours in words, however old."""
    badge: str
    """Key of the words of the state (`layout.statuses`): `status`, or what hours too old to be
    asserted say: usual_open, usual_today, usual; no_hours where nobody can be called."""
    confirmed: str
    """How old the hours (or, without hours, the listing) are, in words."""
    advice: str
    """What to do first where it is not known whether it is open."""
    is_doubtful: bool
    """Whether it is open is not known, or visitors reported a fault."""
    live: dict[str, Any] | None
    """A report of the last 24 hours: `status`, `is_confirmed`, `notes`, and `when` in words."""
    closure: str | None
    """That nothing is given out for now, and until when; shown before everything else."""
    doubt: str | None
    """What visitors reported against the listing, as a sentence with what to do."""
    shows_status: bool
    """False where the live report settles the question."""
    phone: str | None
    usual: str | None
    """Hours too old to be asserted, with their age and what to do first; None where they are
    current."""
    usual_short: str | None
    """The same without what to do first."""
    call_url: str | None
    """`tel:` address, with the extension."""
    directions_url: str | None
    """Route to the door in the reader's own map; None where the door is not known."""
    address: str
    """One line; town only where the address is not known or not published."""
    website: str | None
    papers: str | None
    """Which papers to bring, or that none are needed, as a sentence; None where it is not known."""
    notes: tuple[str, ...]
    """Who may eat, that food is sold, that the address is not published."""
    verification_status: str
    is_confidential: bool
    record: dict[str, Any]
    """The public record, for pages that show more."""

    @property
    def caution(self) -> str:
        """How old the hours are, and in doubt what to do first: for surfaces without badges."""
        return self.usual or f"{self.confirmed} {self.advice}".strip()

    @property
    def serves_one_group(self) -> bool:
        """Whether it serves only people of a group, such as students of a school."""
        return self.record["resource_type"] in SERVED_BY_LAW


def place_path(resource_id: int, language: Language = "en") -> str:
    """Return path of a place's own page."""
    return localize(f"/place/{resource_id}", language)


def place_view(
    release: OpenRelease, row: int, now: datetime, language: Language, miles: float | None = None
) -> PlaceView:
    """Return a row's place at an aware instant; `miles` from the reader, rounded."""
    record: dict[str, Any] = msgspec.json.decode(release.record(row, now, miles))
    return view_of(release, row, record, now, language)


def views_of(
    release: OpenRelease, hits: Sequence[Hit], now: datetime, language: Language
) -> list[PlaceView]:
    """Return the places of a search, in its order."""
    return [
        place_view(release, row, now, language, miles)
        for (_, row), miles in zip(hits, release.display_miles(hits), strict=True)
    ]


def view_of(
    release: OpenRelease, row: int, record: dict[str, Any], now: datetime, language: Language
) -> PlaceView:
    """Return the same from a record that is decoded already; `distance` in it is shown."""
    t = words("place", language)
    kind = RESOURCE_TYPES[record["resource_type"]]
    is_confidential = bool(release.is_confidential[row])
    state = None if is_confidential else release.open_state(row, now)
    miles = record["distance"]
    live = _live(record, now, t)
    is_settled = live is not None and live["is_confirmed"] and live["status"] in _SETTLING
    is_said_open = live is not None and live["is_confirmed"] and live["status"] == "open_today"
    has_current_hours = state is not None and state.status != "unknown" and not is_settled
    usual = None if is_confidential else release.usual_hours(row, now)
    doubt, address = release.doubt(row), address_line(record)
    # Cleaning permits no other addresses; what a page links to is checked again.
    website = record["website"]
    is_doubtful = not has_current_hours and not is_settled
    has_hours = release.hours_codes[row] >= 0 and not is_confidential
    age = freshness_of(release, row, release.moment(row, now), now, "hours_" if has_hours else "")
    # The state's own word suffices if its end is unknown.
    ends = state and (state.closes_at if state.status in OPEN_STATUSES else state.opens_at)
    when = None
    if state and ends and state.status == "unknown":
        # The first step is shown with the age of the hours.
        when = sentence(cause_of_doubt(release, row, now)[language], language)
    elif state and ends:
        by_appointment = bool(record["requires_appointment"])
        text = when_words(release, row, state, now, is_by_appointment=by_appointment)
        when = with_unbroken_times(text[language])
    hours = today = None
    timetable = None if is_confidential else release.timetable_text(row)
    if timetable:
        day = now.astimezone(ZoneInfo(timetable[1])).date()
        hours = _words_of_hours(timetable[0], day)
        if has_current_hours:
            today = _words_of_today(*timetable, day, language)
    return PlaceView(
        id=record["id"],
        name=record["name"],
        path=place_path(record["id"], language),
        organization=record["organization"],
        type_label=kind.labels[language],
        mode=kind.mode,
        distance=None if miles is None else distance_words(miles, language),
        status=state.status if state else "unknown",
        when=when,
        today=today,
        is_closed_all_day=bool(today and when and today.endswith(t.closed_all_day)),
        hours=hours[language] if hours else None,
        usual=usual.summary[language] if usual else None,
        usual_short=_usual_short(usual, t, language) if usual else None,
        badge=_badge(release, row, state, usual, record, now),
        confirmed=sentence(age[language], language),
        advice=release.advice(row).sentence[language] if is_doubtful else "",
        is_doubtful=is_doubtful or doubt is not None,
        live=live,
        closure=closure_words(record, language) if release.is_closed_for_now(row, now) else None,
        doubt=doubt[language] if doubt else None,
        shows_status=not is_settled and not (is_said_open and not has_current_hours),
        phone=record["phone"],
        call_url=call_url(record["phone"], record["phone_e164"]),
        directions_url=None if is_confidential else directions_url(record, address),
        address=address,
        website=website if website and website.startswith(("https://", "http://")) else None,
        papers=papers_words(record, language),
        notes=_notes(release, row, record, now, language, is_doubtful),
        verification_status=record["verification_status"],
        is_confidential=is_confidential,
        record=record,
    )


def papers_words(record: dict[str, Any], language: Language) -> str | None:
    """Return "Bring an ID and proof of your address.", or that none or no ID is needed; None where
    it is not known."""
    t = words("place", language)
    if codes := record["required_documents"]:
        return str(t.bring.format(papers=join_words([t.papers[code] for code in codes], language)))
    if record["requires_documents"] is False:
        return str(t.papers_none)
    return str(t.id_none) if record["requires_id"] is False else None


def closure_words(record: dict[str, Any], language: Language) -> str | None:
    """Return that a place is closed for now, and until when, as sentences; None if it is not."""
    if not record["closure"]:
        return None
    w, until = words("place", language).closure, record["closure_until_date"]
    if until is None:
        return str(w.closed)
    day = date.fromisoformat(until)
    if record["closure"] == "season":
        return str(w.season.format(date=_day_words(day + timedelta(days=1), language)))
    return str(w.until.format(date=_day_words(day, language)))


def _day_words(day: date, language: Language) -> str:
    return month_day(day.month, day.day, language, day.year)


# ---------------------------------------------------------------- where


def distance_words(miles: float, language: Language) -> str:
    """Return "1.2 miles away"."""
    t, number = words("place", language), f"{miles:g}"
    return str(t.distance(miles, miles=number))


def directions_url(record: dict[str, Any], address: str) -> str | None:
    """Return a route on the reader's own map, which takes the address, if it has a street, or the
    exact point; else None."""
    destination = address if record["address"] else exact_point(record)
    if destination is None:
        return None
    return f"{_DIRECTIONS}api=1&destination={quote_plus(destination)}"


def exact_point(record: dict[str, Any]) -> str | None:
    """Return latitude and longitude of the door; None where only the area is known."""
    if record["location_precision"] not in EXACT_PRECISIONS or record["lat"] is None:
        return None
    return f"{record['lat']:.6f},{record['lng']:.6f}"


def call_url(phone: str | None, e164: str | None) -> str | None:
    """Return `tel:+12125550101;ext=12` (RFC 3966); None without a number that can be dialled."""
    if not e164:
        return None
    _, _, extension = (phone or "").partition(" ext. ")
    return f"tel:{e164}" + (f";ext={extension}" if extension.isdigit() else "")


# ---------------------------------------------------------------- when


# Many places share a timetable, and a place is shown many times a day.
_MAX_TIMETABLES = 8192


@lru_cache(maxsize=_MAX_TIMETABLES)
def _words_of_hours(schedules_json: str, today: date) -> InWords | None:
    return hours_in_words(schedules_from_json(schedules_json), today)


@lru_cache(maxsize=_MAX_TIMETABLES)
def _words_of_today(
    schedules_json: str, timezone: str, today: date, language: Language
) -> str | None:
    """Return "Today (Monday): 9 a.m. to noon"; None if uncertain."""
    spans = spans_by_day(schedules_from_json(schedules_json), timezone, today, 1)[0]
    if spans is None:
        return None
    label = words("place", language).today.format(day=day_name(today.weekday(), language))
    text = spans_in_words(spans, language)
    return str(words("hours", language).label.format(label=label, text=text))


def _badge(
    release: OpenRelease,
    row: int,
    state: OpenState | None,
    usual: UsualHours | None,
    record: dict[str, Any],
    now: datetime,
) -> str:
    """Return the state in which a list shows a place, by current hours, else by usual ones."""
    if state is not None and state.status != "unknown":
        return state.status
    if usual is None:
        return "unknown" if record["phone_e164"] else "no_hours"
    if usual.status in OPEN_STATUSES:
        return "usual_open"
    opens = datetime.fromisoformat(usual.opens_at) if usual.opens_at else None
    is_today = opens is not None and opens.date() == now.astimezone(opens.tzinfo).date()
    return "usual_today" if is_today else "usual"


def _usual_short(usual: UsualHours, t: Words, language: Language) -> str:
    """Return "Usually Tuesday 9 a.m. to noon (list of August 2025)"."""
    month = month_year(date.fromisoformat(usual.as_of_date), language)
    hours, origin = usual.hours[language], t.origin[usual.basis].format(month=month)
    hours = hours if hours.endswith("m.") else hours.rstrip(".。")
    text = t.usual_hours.format(hours=inside_sentence(hours, language), origin=origin)
    return with_unbroken_times(text)


# ---------------------------------------------------------------- the rest of the page


def _live(record: dict[str, Any], now: datetime, t: Words) -> dict[str, Any] | None:
    report = record["live_status"]
    if not report or not report.get("status"):
        return None
    details = {"notes": report.get("notes"), "when": _ago(report.get("reported_at"), now, t)}
    return {**report, **details, "is_confirmed": bool(report.get("is_confirmed"))}


def _ago(reported_at: str | None, now: datetime, t: Words) -> str | None:
    """Return "20 minutes ago", "3 hours ago"."""
    if not reported_at:
        return None
    elapsed = now - datetime.fromisoformat(reported_at)
    minutes = max(0, int(elapsed.total_seconds() // 60))
    if minutes < 2:
        return str(t.just_now)
    if minutes < 90:
        return str(t.minutes_ago(minutes))
    return str(t.hours_ago(round(minutes / 60)))


def _notes(
    release: OpenRelease,
    row: int,
    record: dict[str, Any],
    now: datetime,
    language: Language,
    is_doubtful: bool,
) -> tuple[str, ...]:
    t = words("place", language)
    # Once on a card is enough.
    advice = "" if is_doubtful else f" {release.advice(row).sentence[language]}"
    notes: list[str] = []
    is_closed = release.is_closed_for_now(row, now)
    if closure := (closure_words(record, language) if is_closed else None):
        notes.append(closure)
    who = WHO_MAY_EAT.get(record["resource_type"])
    if who:
        notes.append(who[language])
    if record["resource_type"] == "snap_retailer":
        notes.append(str(t.sold))
    if record["resource_type"] == "rmp_restaurant":
        listed = sentence(freshness_of(release, row, release.moment(row, now), now)[language])
        notes += [str(t.sold), str(t.restaurant_list.format(listed=listed))]
    if record["requires_appointment"]:
        notes.append(f"{t.appointment}{advice}")
    if release.is_confidential[row]:
        notes.append(f"{t.confidential}{advice}")
    elif not record["address"] and record["location_precision"] not in EXACT_PRECISIONS:
        notes.append(f"{t.door_unknown}{advice}")
    return tuple(notes)


# ---------------------------------------------------------------- days


DAYS = 7


class DayHours(NamedTuple):
    """A day of the coming week. `hours` is None if unknown."""

    name: str
    hours: str | None
    is_open: bool
    is_today: bool


def week_of(
    release: OpenRelease, row: int, now: datetime, language: Language
) -> list[DayHours] | None:
    """Return the coming seven days of a place, today first; None if no day's hours are known.

    Uses its timetable regardless of age; callers show the age. A report of "closed today" overrides
    it.
    """
    timetable = release.timetable(row)
    if timetable is None or release.is_confidential[row]:
        return None
    schedules, timezone = timetable
    today = now.astimezone(ZoneInfo(timezone)).date()
    days = spans_by_day(schedules, timezone, today, DAYS)
    report = release.reported_state(row, now)
    if report is not None and report.status == "closed":
        days[0] = []
    if all(spans is None for spans in days):
        return None
    week = []
    for n, spans in enumerate(days):
        day = capital(full_date(today + timedelta(days=n), language))
        hours = None if spans is None else spans_in_words(spans, language)
        week.append(DayHours(day, hours, bool(spans), n == 0))
    return week


def spans_in_words(spans: Sequence[Span], language: Language) -> str:
    """Return "9 a.m. to noon and 1 p.m. to 3 p.m."; "closed" without spans."""
    if not spans:
        return str(words("place", language).closed_all_day)
    texts = []
    for opens, closes in spans:
        end = closes.hour * 60 + closes.minute + (closes.date() - opens.date()).days * DAY_MINUTES
        texts.append(span(opens.hour * 60 + opens.minute, end, language))
    return with_unbroken_times(join_words(texts, language))


def with_unbroken_times(text: str) -> str:
    """Return a text whose times stay on one line: "1 p.m."."""
    return text.replace(" a.m.", "\u00a0a.m.").replace(" p.m.", "\u00a0p.m.")


# ---------------------------------------------------------------- links


_APPLE = "https://maps.apple.com/?"
_OPEN_STREET_MAP = "https://www.openstreetmap.org/directions?"
# Places in a message about a list: more make it several text messages.
_SHARED = 5
_WHATSAPP = "https://wa.me/?"


class Way(NamedTuple):
    """A link that leaves the page; `key` names it in `content/messages/place.yaml`."""

    key: str
    url: str


def ways_to(view: PlaceView) -> list[Way]:
    """Return routes by public transport and on foot, and other maps; empty without a known door."""
    google = view.directions_url
    if google is None:
        return []
    ways = [Way(key, f"{google}&travelmode={key}") for key in ("transit", "walking")]
    ways.append(Way("apple", _APPLE + urlencode({"daddr": view.address, "dirflg": "r"})))
    if point := exact_point(view.record):
        ways.append(Way("osm", _OPEN_STREET_MAP + urlencode({"to": point})))
    return ways


def shares_of(view: PlaceView, url: str) -> list[Way]:
    """Return messages with the place's name, address, telephone and page, for the reader's own
    programs."""
    return _shares(view.name, [view.name, view.address, view.phone, url])


def shares_of_list(title: str, views: Sequence[PlaceView], url: str) -> list[Way]:
    """Return messages with the first places of a list, each with its telephone, and its page."""
    lines = [", ".join(filter(None, (view.name, view.phone))) for view in views[:_SHARED]]
    return _shares(title, [title, *lines, url])


def _shares(subject: str, lines: Iterable[str | None]) -> list[Way]:
    text = "\n".join(line for line in lines if line)
    return [
        Way("sms", f"sms:?&body={quote(text, safe='')}"),
        Way("mail", f"mailto:?subject={quote(subject, safe='')}&body={quote(text, safe='')}"),
        Way("whatsapp", _WHATSAPP + urlencode({"text": text})),
    ]
