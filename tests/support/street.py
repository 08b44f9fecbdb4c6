"""Invented places along a street north of New York's point, and a service of them."""

from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from schemas.api.plain_language import PlainAnswer
from serving.app import make_context
from serving.context import Context
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import read_question
from serving.search.plain_language import Question, answer_question, names_of
from serving.settings import Settings
from tests.support.releases import open_release, resource
from tests.support.town import NEW_YORK, zips
from warehouse.index.reader import OpenRelease

FRESH, OLD = date(2026, 11, 1), date(2025, 11, 1)


class Street(NamedTuple):
    """The parts of a service that answer about the places."""

    context: Context
    release: OpenRelease
    names: PlaceNames


def place(resource_id: int, miles: float, **values: Any) -> dict[str, Any]:
    """Return a place at a distance along the street, recently confirmed by default."""
    values = {"source_updated_date": FRESH, **values}
    return resource(resource_id, lat=NEW_YORK[0] + miles / 69.05, lng=NEW_YORK[1], **values)


def weekly(opens: str, closes: str, days: str = "MO,TU,WE,TH,FR") -> str:
    """Return weekly hours in stored form."""
    return f'[{{"freq":"WEEKLY","byday":"{days}","opens_at":"{opens}","closes_at":"{closes}"}}]'


def open_street(folder: Path, rows: list[dict[str, Any]]) -> Street:
    """Open a service of the places."""
    release = open_release(folder, rows, zips=zips())
    return Street(make_context(Settings(data_dir=folder)), release, names_of(release))


def ask(street: Street, text: str, now: datetime, *, explains: bool = False) -> PlainAnswer:
    """Return the answer to a question in plain language."""
    reading = read_question(text, street.names)
    reply = answer_question(street.context, street.release, Question(text, explains), reading, now)
    return msgspec.json.decode(reply.body, type=PlainAnswer)
