"""Ways to a place: addresses of maps of others, which open on a tap, and messages to share it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

from serving.places.view import PlaceView, exact_point

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
