"""Forms for visitors (a mistake, a new place, a claim): what the API does, without a script."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.types import Scope

from schemas.api.operators import NewPantryClaim
from schemas.api.writing import NewFeedback, NewSubmission
from schemas.vocab.resource_types import RESOURCE_TYPES, TYPES_BY_MODE
from schemas.vocab.states import STATES
from serving.context import context_of
from serving.forms.submissions import accept_feedback, store_submission
from serving.http.answers import Answer, private
from serving.http.errors import KINDS, ServiceProblem, release_of
from serving.http.origins import is_own_origin
from serving.http.rate_limits import store_problems
from serving.http.request_limits import form_of
from serving.operators import claims
from serving.places.detail import read_record
from serving.places.listings import listings_in_zip, listings_named
from serving.render.page import Head, page, page_head
from serving.render.words import Language, Words, finder_paths, path_language, paths_of, words
from serving.search.parameters import id_of
from serving.search.start import ZIP_PATTERN
from warehouse.operations import administrators

# Characters of the key that web/static/pocket.js writes.
MAX_KEY = 64
_ANSWERED_AS_PROBLEM = frozenset(
    {"no-release", "store-unavailable", "internal-error", "unreadable"}
)
_ZIP = re.compile(ZIP_PATTERN)


Options = tuple[tuple[str, str], ...]


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question of a form. `most`: characters at most."""

    name: str
    hint: str = ""
    type: str = "text"
    required: bool = False
    is_long: bool = False
    most: int = 200
    autocomplete: str = ""
    label: str = ""
    options: Options = ()


_FIELDS = msgspec.yaml.decode(
    Path(__file__).with_name("fields.yaml").read_bytes(), type=dict[str, list[Field]]
)


def _fields(name: str, language: Language) -> list[Field]:
    """Return the questions of a form with their words."""
    own = words("forms", language)[name]
    return [
        msgspec.structs.replace(
            field,
            label=own[field.name],
            hint=field.hint and own[field.hint],
            options=_options(field.name, own, language),
        )
        for field in _FIELDS[name]
    ]


def _options(name: str, own: Words, language: Language) -> Options:
    """Return values and words of a question with given answers."""
    if name == "type":
        return tuple(own.types.items())
    if name == "resource_type":
        return tuple((kind.id, kind.labels[language]) for kind in RESOURCE_TYPES.values())
    if name == "state":
        return tuple(
            sorted(((s.code, s.names[language]) for s in STATES.values()), key=lambda s: s[1])
        )
    return ()


def _form(
    scope: Scope,
    name: str,
    place: dict[str, Any] | None,
    *,
    form_data: dict[str, str] | None = None,
    defaults: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    problem: str = "",
    status: int = 200,
    done: str = "",
    open_at: str = "",
) -> Answer:
    language = path_language(scope)
    w = words("forms", language)
    mine, query = w[name], f"?id={place['id']}" if place else ""
    path, twin = paths_of(f"/{name}", language)
    title = mine.done_title if done else mine.title
    head = Head(
        path, title, mine.lead, language, f"{twin}{query}", is_indexed=name == "add" and not done
    )
    fields = [] if name == "claim" and place is None else _fields(name, language)
    answer = page(
        scope,
        "form.html",
        head,
        max_age=0,
        status=status,
        lead=mine.lead,
        fields=fields,
        place=place,
        values=form_data or defaults or {},
        errors=errors or {},
        problem=problem,
        done=done,
        open_at=open_at,
        may_wait=name != "claim",
    )
    return private(answer) if form_data or done else answer


def _place(scope: Scope, number: str) -> dict[str, Any] | None:
    """Return the stored record of the place a form is about; None without one."""
    release = release_of(scope)
    resource_id = id_of(number)
    row = None if resource_id is None else release.row_of(resource_id)
    return None if row is None else read_record(release, row)


async def _choose_place(scope: Scope, text: str) -> Answer:
    """Return the listings that a text names, each with a link to claim it."""
    language, release = path_language(scope), release_of(scope)
    mine = words("forms", language).claim
    find = listings_in_zip if _ZIP.fullmatch(text) else listings_named
    matches = await asyncio.to_thread(find, release, text) if text else []
    listings = [one for one in matches if one.resource_type in TYPES_BY_MODE["free"]]
    return page(
        scope,
        "claim_search.html",
        page_head(scope, "/claim", mine.title, mine.lead, is_indexed=not text),
        max_age=0,
        status=404 if text and not listings else 200,
        text=text,
        listings=listings,
    )


def _sentences(faults: Mapping[str, str], w: Words) -> dict[str, str]:
    """Return what to do about each wrong answer, as one sentence."""
    sentences: dict[str, str] = {key: str(text) for key, text in w.faults.items()}
    is_long = ("at most", "Expected `str` of length <=")
    return {
        name: sentences["long"]
        if rule.startswith(is_long)
        else sentences.get("email" if name.endswith("_email") else name, sentences["long"])
        for name, rule in faults.items()
    }


async def _is_reviewed(scope: Scope) -> bool:
    """Return whether this service has an administrator who reviews what visitors write."""
    async with store_problems():
        return bool(await context_of(scope).store.fetch(administrators.names))


async def _store(
    scope: Scope,
    name: str,
    place: dict[str, Any] | None,
    form_data: dict[str, str],
    key: str | None,
) -> Answer:
    """Store a submission, once for each `key` of the client's. Raises ServiceProblem,
    msgspec.ValidationError.
    """
    w = words("forms", path_language(scope))
    if name == "add":
        await store_submission(
            scope,
            msgspec.convert(
                {"name": "", "address": "", "city": "", "state": "", "zip": "", "resource_type": ""}
                | form_data,
                NewSubmission,
            ),
            key,
        )
        is_reviewed = await _is_reviewed(scope)
        return _form(scope, name, None, done=w.add.done if is_reviewed else w.add.done_unread)
    values = form_data | ({"resource_id": place["id"]} if place else {})
    if name == "feedback":
        given = msgspec.convert(values, NewFeedback)
        receipt = await accept_feedback(scope, given, key)
        # A person sees texts and doubts; a single vote without a text is only counted.
        if not given.comment and "doubted" not in receipt.effects:
            counted = w.feedback.done_right if given.type == "helpful" else w.feedback.done_counted
            return _form(scope, name, place, done=counted)
        is_reviewed = await _is_reviewed(scope)
        done = w.feedback.done if is_reviewed else w.feedback.done_unread
        return _form(scope, name, place, done=done)
    try:
        claim = await claims.claim_place(scope, msgspec.convert(values, NewPantryClaim))
    except claims.ClaimedBeforeError as error:
        advice = error.words[path_language(scope)]
        return _form(scope, name, place, done=advice, status=KINDS[error.kind].status)
    message = claim.message_es if path_language(scope) == "es" else claim.message
    return _form(scope, name, place, done=message, open_at=claim.dashboard_url)


# Every form in every language.
_PATHS = [path for name in _FIELDS for path in finder_paths(f"/{name}")]


def _name_of(request: Request) -> str:
    return str(request.scope["path_template"]).rpartition("/")[2]


@get(_PATHS, include_in_schema=False)
async def show_form(request: Request) -> Answer:
    """Return the form; of a claim without a place, the search for it."""
    name, query = _name_of(request), request.query_params
    if name == "claim" and "id" not in query:
        return await _choose_place(request.scope, query.get("q", "").strip()[:200])
    number = query.get("id", "")
    place = _place(request.scope, number)
    is_missing = place is None and (name == "claim" or number != "")
    problem = words("forms", path_language(request.scope)).unknown_place if is_missing else ""
    return _form(
        request.scope,
        name,
        place,
        defaults={"type": query.get("type", "")},
        problem=problem,
        status=404 if is_missing else 200,
    )


@post(_PATHS, include_in_schema=False, status_code=200)
async def receive_form(request: Request) -> Answer:
    """Store a submission, or return the form with its faults."""
    name = _name_of(request)
    scope, w = request.scope, words("forms", path_language(request.scope))
    form = await form_of(request)
    form_data = {f.name: str(form.get(f.name, "")).strip() for f in _FIELDS[name]}
    place = _place(scope, str(form.get("id", "")))
    if not is_own_origin(scope, context_of(scope).settings.url):
        return _form(scope, name, place, form_data=form_data, problem=w.elsewhere, status=403)
    if name == "claim" and place is None:
        return _form(scope, name, None, problem=w.unknown_place, status=404)
    try:
        key = str(form.get("request_key", ""))[:MAX_KEY] or None
        return await _store(scope, name, place, {k: v for k, v in form_data.items() if v}, key)
    except msgspec.ValidationError as error:
        # "... - at `$.type`": the first answer that breaks a rule.
        field = str(error).rpartition("$.")[2].rstrip("`")
        unanswered = (f.name for f in _FIELDS[name] if f.required and not form_data[f.name])
        faults = {field: str(error)} if field in form_data else dict.fromkeys(unanswered, "")
        return _form(
            scope, name, place, form_data=form_data, errors=_sentences(faults, w), status=400
        )
    except ServiceProblem as problem:
        if problem.kind in _ANSWERED_AS_PROBLEM:
            raise
        status = {"too-many-requests": 429, "duplicate": 409}.get(problem.kind, 400)
        return _form(
            scope,
            name,
            place,
            form_data=form_data,
            errors=_sentences(problem.faults, w),
            problem="" if problem.faults else problem.detail,
            status=status,
        )
