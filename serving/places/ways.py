"""Ways to a place: addresses of maps of others, which open on a tap, and messages to share it."""

from typing import NamedTuple
from urllib.parse import quote, urlencode

from serving.places.view import PlaceView, exact_point

_APPLE = "https://maps.apple.com/?"
_OPEN_STREET_MAP = "https://www.openstreetmap.org/directions?"
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
    text = "\n".join(part for part in (view.name, view.address, view.phone, url) if part)
    mail = f"mailto:?subject={quote(view.name, safe='')}&body={quote(text, safe='')}"
    return [
        Way("sms", f"sms:?&body={quote(text, safe='')}"),
        Way("mail", mail),
        Way("whatsapp", _WHATSAPP + urlencode({"text": text})),
    ]
