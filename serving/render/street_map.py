"""The street map under interactive maps: where a page may load it from, by LARDER_BASEMAP."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from serving.settings import NO_BASEMAP, Settings

# Where this service itself serves an archive that is a file of its machine.
OWN_ARCHIVE = "/map/streets.pmtiles"
_ARCHIVE = ".pmtiles"
# Services with a name better known than their host.
_NAMES = {"tiles.openfreemap.org": "OpenFreeMap"}


@dataclass(frozen=True)
class StreetMap:
    """A MapLibre style, or a PMTiles archive of vector tiles, by its address.

    `origin` is the one origin that it may be requested from, and `service` the name of who is
    asked; both are empty for an archive that this service serves from `file`.
    """

    url: str
    is_archive: bool
    origin: str = ""
    service: str = ""
    file: Path | None = None

    @property
    def data(self) -> dict[str, Any]:
        """What web/static/map.js reads."""
        return {"url": self.url, "archive": self.is_archive, "service": self.service}


def street_map_of(settings: Settings) -> StreetMap | None:
    """Return the street map of an instance; None if it has none."""
    setting = settings.basemap
    if setting == NO_BASEMAP:
        return None
    if setting.startswith("/"):
        return StreetMap(OWN_ARCHIVE, is_archive=True, file=Path(setting))
    parts = urlsplit(setting)
    origin, host = f"{parts.scheme}://{parts.netloc}", parts.hostname or ""
    return StreetMap(setting, parts.path.endswith(_ARCHIVE), origin, _NAMES.get(host, host))
