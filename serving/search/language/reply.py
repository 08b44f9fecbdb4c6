"""Puts the answer into words, English or Spanish, from returned records and dated facts."""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from schemas.api.plain_language import Constraint, FoundPlace
from schemas.attributes import WISHES
from schemas.hours.clock_words import hour_words
from schemas.languages import Language
from schemas.vocab.states import STATES
from schemas.words import Messages, messages
from serving.reference.organization import StateProgram, facts
from serving.search.language.place import Where

# Further places are in the list but not in the sentence.
MAX_ENTRIES = 3


# Open by recently confirmed hours, or only by old ones.
Opening = Literal["open", "old", "unknown", "closed"]


class RequestedState(NamedTuple):
    """A place at the requested day and hour: whether it is open, when, and its hours then."""

    opening: Opening
    when: str
    hours: str


class HoursWords(NamedTuple):
    """Age and origin of a place's hours in words ("" without a date), and the step before a
    trip."""

    age: str
    origin: str
    advice: str


class Entry(NamedTuple):
    """A place in the answer. `then` replaces its present state."""

    place: FoundPlace
    is_rough: bool
    hours: HoursWords
    then: RequestedState | None


class Results(NamedTuple):
    """Search results as the sentences need them. `entries` are the first places.

    `kinds` are the requested kinds with their counts. `is_any_open`: whether a place is known to be
    open at the requested time; true without one. `when`: that time in words; empty without one.
    `is_by_wishes`: places that meet a wish come before nearer ones. `area`: contacts in sentences
    if nothing is near.
    """

    places: list[FoundPlace]
    entries: list[Entry]
    total: int
    radius: float
    searched_in_vain: float | None
    place: str
    kinds: tuple[tuple[str, int], ...]
    is_urgent: bool
    is_any_open: bool
    when: str
    is_by_wishes: bool
    area: tuple[str, ...] = ()


def phrases(language: Language) -> Messages:
    """Return the sentences of a language (content/messages/plain_language.yaml)."""
    return messages("plain_language", language)


def state_name(code: str, language: Language) -> str:
    """Return the name of a state or territory; other codes, such as military mail, unchanged."""
    state = STATES.get(code)
    if state is None:
        return code
    return state.names[language]


def write_date(day: date, language: Language) -> str:
    """Return a day in words."""
    words = phrases(language)
    return str(words.date.format(day=day.day, month=words.months[day.month - 1], year=day.year))


# ---------------------------------------------------------------- places


def none_of_kinds(kinds: Sequence[str], radius: float, place: str, language: Language) -> str:
    """Say that no place of these kinds is listed within some miles."""
    words = phrases(language)
    names = words["or"].join(words.kinds[kind][language == "es"] for kind in kinds)
    return str(words.none.format(kind=names, radius=_distance(radius, words), place=place))


def _distance(miles: float, words: Messages) -> str:
    return str(words.miles[miles != 1].format(miles=f"{miles:g}"))


def results_in_words(results: Results, language: Language) -> list[str]:
    """Return the number of places and the first of them."""
    words = phrases(language)
    kinds = [kind for kind, count in results.kinds if count] or [k for k, _ in results.kinds]
    radius = _distance(results.radius, words)
    if not results.places and results.area:
        return list(results.area)
    if not results.places:
        none = none_of_kinds(kinds, results.radius, results.place, language)
        return [none, hotlines(language)]
    sentences = list(results.area)
    if results.searched_in_vain is not None and not results.area:
        sentences.append(
            words.widened.format(
                vain=_distance(results.searched_in_vain, words),
                place=results.place,
                radius=radius,
            )
        )
    is_any_open = results.is_any_open
    if results.total == 1:
        sentences.append(
            words.found_one.format(
                kind=words.kinds[kinds[0]][0], radius=radius, place=results.place
            )
        )
    else:
        lead = _lead(results, words)
        # Return the number of places per requested kind: "2 WIC offices, 1 SNAP office".
        counts = results.kinds if len(results.kinds) > 1 else [(results.kinds[0][0], results.total)]
        sentences.append(
            words.found_many.format(
                found=", ".join(f"{n} {words.kinds[kind][n != 1]}" for kind, n in counts if n),
                radius=radius,
                place=results.place,
                shown=lead,
            )
        )
    # That their hours are not known is said once.
    unknown = [
        entry
        for entry in results.entries
        if (
            entry.then.opening == "unknown"
            if entry.then is not None
            else entry.place.open_status == "unknown" and entry.place.usual_hours is None
        )
    ]
    is_repeated = len(unknown) > 1
    for entry in results.entries:
        sentences.append(_entry(entry, language, is_quiet=is_repeated and entry in unknown))
        if (doubt := entry.place.doubt) is not None:
            sentences.append(doubt.es if language == "es" else doubt.en)
    is_all = len(unknown) == len(results.entries)
    if results.is_urgent and not results.when and not is_any_open:
        sentences.append(words.none_open)
        sentences += [words.call_first] if is_repeated else []
    elif is_repeated:
        sentences.append(words.unknown_all if is_all else words.unknown_rest)
    if not results.area and (not is_any_open or results.searched_in_vain is not None):
        sentences.append(hotlines(language))
    notes = (words.notes[kind] for kind in kinds if kind in words.notes)
    sentences += dict.fromkeys(notes)
    return sentences


def _lead(results: Results, words: Messages) -> str:
    """Return the introduction to the places, which names their order."""
    if results.when:
        lead = words.shown_by_time if results.is_any_open else words.shown_none_then
        return str(lead.format(when=results.when))
    if results.is_urgent and results.is_any_open:
        return str(words.shown_open_first)
    return str(words.shown_best if results.is_by_wishes else words.shown_nearest)


def _entry(entry: Entry, language: Language, *, is_quiet: bool = False) -> str:
    """Return a place in one sentence, with the age of its hours if its state depends on them.

    `is_quiet`: another sentence says that its hours are not known.
    """
    words, (place, is_rough, hours, then) = phrases(language), entry
    miles = place.distance_miles
    away = ""
    if miles is not None:
        away = (words.about_away if is_rough else words.away)[miles != 1].format(miles=f"{miles:g}")
    if then:
        is_known = then.opening in ("open", "closed")
        opening = "old_undated" if then.opening == "old" and not hours.origin else then.opening
        when = f"{then.when} ({then.hours})" if then.hours else then.when
        state = words.states_then[opening].format(when=when, origin=hours.origin, call=hours.advice)
    else:
        is_known = place.open_status != "unknown"
        if place.usual_hours is not None:
            summary = place.usual_hours.summary[language].rstrip(".")
            state = summary[:1].lower() + summary[1:]
        else:
            state = words.states[place.open_status].format(call=hours.advice)
    if hours.age and is_known:
        state += f" ({words.aged.format(age=hours.age)})"
    phone = words.phone.format(phone=place.phone) if place.phone else ""
    if is_quiet:
        quiet = words.entry_quiet.format(name=place.name, address=place.address, distance=away)
        return str(f"{quiet} {phone}".strip())
    return str(
        (words.entry if away else words.entry_there)
        .format(name=place.name, address=place.address, distance=away, state=state, phone=phone)
        .strip()
    )


def join_names(name: str, places: Sequence[Entry], language: Language) -> list[str]:
    """Return the places with this name, or that there is none."""
    words = phrases(language)
    if not places:
        return [words.not_named.format(name=name)]
    return [words.named.format(name=name), *(_entry(one, language) for one in places[:MAX_ENTRIES])]


def names_alike(name: str, alike: Sequence[str], language: Language) -> list[str]:
    """Say that no place has the name, and list similar names."""
    words = phrases(language)
    question = words.which_name.format(names="; ".join(alike))
    return [words.not_named.format(name=name), question]


# ---------------------------------------------------------------- without places


def hotlines(language: Language) -> str:
    """Return hotlines that need no location; empty while no number is confirmed."""
    local = facts().local
    return phrases(language).hotlines.format(local=local.number) if local else ""


def question_for_place(where: Where, language: Language) -> list[str]:
    """Ask for a place, or which of several is meant, with hotlines for urgent cases."""
    words = phrases(language)
    sentences = [words.unknown_zip.format(zip=where.unknown_zip)] if where.unknown_zip else []
    if where.choices:
        question = words.which_place.format(places="; ".join(where.choices))
    elif where.state:
        question = words.need_place_in.format(state=state_name(where.state, language))
    else:
        question = words.need_place
    return [*sentences, question, hotlines(language)]


def places_instead(where: Where, language: Language) -> list[str]:
    """Name the other places in the question, and namesakes."""
    words, places = phrases(language), "; ".join(where.others or where.choices)
    if not places:
        return []
    if where.location is None:
        return [words.which_place.format(places=places)]
    return [(words.also_place if where.others else words.same_name).format(places=places)]


def no_point(code: str, language: Language) -> list[str]:
    """Say that a ZIP code has no point on the map."""
    return [phrases(language).no_point.format(zip=code), hotlines(language)]


def how_to_apply_for_snap(state: str | None, language: Language) -> list[str]:
    """Return where the state takes applications, if a dated fact states it."""
    words = phrases(language)
    program = facts().programs.get(state) if state else None
    if state is None or program is None:
        return [words.apply_snap_nowhere]
    if not program.is_snap:
        return [_own_program(state, program, language)]
    if program.portal is None:
        return [
            words.apply_snap_no_portal.format(
                state=state_name(state, language), agency=program.agency
            ),
            hotlines(language),
        ]
    portal, phone = program.portal, program.phone
    where = words.portal.format(name=portal.name, url=portal.url) if portal.name else portal.url
    if phone is not None:
        where += " " + words.or_call.format(phone=phone.number)
    # The older of the two dates: neither fact is certainly fresher.
    as_of = min([portal.as_of, *([phone.as_of] if phone else [])])
    sentences = [
        words.apply_snap.format(
            state=state_name(state, language), where=where, date=write_date(as_of, language)
        )
    ]
    if not portal.second_source_agrees and phone is not None:
        sentences.append(words.one_source)
    return sentences


def _own_program(state: str, program: StateProgram, language: Language) -> str:
    words = phrases(language)
    name = f"{program.program} ({program.agency})" if program.agency else program.program
    phone = program.phone
    where = (
        words.phone_checked.format(phone=phone.number, date=write_date(phone.as_of, language))
        if phone
        else ""
    )
    return str(
        words.apply_snap_other.format(state=state_name(state, language), program=name, where=where)
    )


def how_to_apply_for_wic(has_place: bool, language: Language) -> list[str]:
    """Say who qualifies for WIC and where to apply."""
    words, wic = phrases(language), facts().wic
    since, until = (write_date(day, language) for day in (wic.effective_from, wic.effective_to))
    sentences = [words.apply_wic.format(pct=wic.pct_of_poverty, since=since, until=until)]
    return sentences if has_place else [*sentences, words.apply_wic_nowhere]


# A phone call cannot answer these.
_NOT_READ = frozenset({"other_language", "excluded_time", "notify"})


class Tally(NamedTuple):
    """Counts of places by state of a wish; a day with an hour has the kind `when`."""

    kind: str
    value: str | bool | float
    met: int
    by_old_hours: int
    unknown: int
    not_met: int


def wish_phrases(language: Language) -> Messages:
    """Return the sentences of a language (content/messages/wishes.yaml)."""
    return messages("wishes", language)


def label_of(kind: str, value: str | bool | float, language: Language) -> str:
    """Return a wish in a few words, in small letters."""
    words = wish_phrases(language)
    if kind == "distance":
        return str(words.within[value != 1].format(n=f"{value:g}"))
    if kind == "serves_zip":
        return str(words.serves.format(zip=value))
    if kind == "language":
        return str(words.spoken.format(language=words.languages[str(value)]))
    if kind in WISHES:
        return WISHES[kind].label[language]
    text, labels = str(value), words.labels[kind]
    return str(labels[text]) if text in labels else _hours_label(text, words, language)


def _hours_label(value: str, words: Messages, language: Language) -> str:
    """Return "before 10:00", "after 17:00" or "09:00-12:00" in words."""
    side, _, clocks = value.rpartition(" ")
    minutes = [int(clock[:2]) * 60 + int(clock[3:]) for clock in clocks.split("-")]
    *first, last = (hour_words(n, language) for n in minutes)
    if not first:
        sentence = words.time_before if side == "before" else words.time_after
        return str(sentence.format(time=last))
    if minutes[0] == minutes[1] - 1:
        return str(words.time_until.format(time=last))
    return str(words.time_between.format(after=first[0], before=last))


def list_of_wishes(wishes: Sequence[Constraint], language: Language, *, is_only: bool) -> list[str]:
    """List the wishes that were understood when no place was searched."""
    if not wishes:
        return []
    words = wish_phrases(language)
    labels = "; ".join(label_of(one.kind, one.value, language) for one in wishes)
    return [(words.asked if is_only else words.noted).format(list=labels)]


def describe_unsupported(
    keys: Sequence[str], unused: Sequence[str], landmarks: Sequence[str], language: Language
) -> list[str]:
    """Name the wishes that no source covers, with advice to ask; name the words of the question
    that were not read or not used."""
    words = wish_phrases(language)
    unread = label_unsupported([key for key in keys if key in _NOT_READ], language)
    unsupported = label_unsupported([key for key in keys if key not in _NOT_READ], language)
    unread += quote_words(unused, landmarks, language)
    return [
        sentence.format(list="; ".join(part))
        for part, sentence in ((unsupported, words.cannot_check), (unread, words.not_read))
        if part
    ]


def quote_words(unused: Sequence[str], landmarks: Sequence[str], language: Language) -> list[str]:
    """Quote the words of a question that were not used; for a landmark give the reason."""
    words = wish_phrases(language)
    return [
        *(words.quoted.format(text=text) for text in unused),
        *(words.landmark.format(text=text) for text in landmarks),
    ]


def label_unsupported(keys: Sequence[str], language: Language) -> list[str]:
    """Return short labels, in small letters, of the wishes that no source covers."""
    words = wish_phrases(language)
    return [words.unsupported[key] for key in keys]


def wishes_in_words(
    tallies: Sequence[Tally], unpublished: frozenset[tuple[str, str]], when: str, language: Language
) -> list[str]:
    """Return the result of each wish. `unpublished` are the wishes that nobody publishes; `when`
    the time in words."""
    words, sentences, must_call = wish_phrases(language), [], False
    has_time = any(one.kind == "when" for one in tallies)
    for one in tallies:
        total = one.met + one.by_old_hours + one.unknown + one.not_met
        is_in_when = has_time and (
            one.kind == "day" or (one.kind == "time" and one.value != "open_now")
        )
        # The sentence about the whole answer gives the distance.
        if is_in_when or one.kind == "distance" or not total:
            continue
        must_call |= bool(one.unknown or one.by_old_hours)
        sentences.append(_sentence(one, total, unpublished, when, words, language))
    return [*sentences, words.call] if must_call else sentences


def _sentence(
    one: Tally,
    total: int,
    unpublished: frozenset[tuple[str, str]],
    when: str,
    words: Messages,
    language: Language,
) -> str:
    is_one = total == 1
    label = (
        words.open.format(when=when)
        if one.kind == "when"
        else label_of(one.kind, one.value, language)
    )
    label = label[:1].upper() + label[1:]
    if (one.kind, str(one.value)) in unpublished:
        return str(words.no_data.format(label=label))
    places = words.places[not is_one]
    if one.value == "walk":
        return str(words.computed.format(label=label, met=one.met, total=total, places=places))
    if one.unknown == total:
        any_of = words.any_of[not is_one].format(total=total)
        return str(words.none.format(label=label, any_of=any_of))
    return str(
        (words.when if one.kind == "when" else words.some).format(
            label=label,
            met=one.met,
            total=total,
            places=places,
            old=words.old.format(n=one.by_old_hours) if one.by_old_hours else "",
            no=words.failed.format(n=one.not_met) if one.not_met else "",
            unknown=words.unknown[one.unknown != 1].format(n=one.unknown) if one.unknown else "",
        )
    )
