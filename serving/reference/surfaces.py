"""Addresses of the service that documents name: content/surfaces.yaml."""

from importlib import resources
from typing import Literal

import msgspec

Group = Literal["find", "directory", "states", "service", "carry"]


class Surface(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An address as a path, possibly with placeholders, and its content."""

    path: str
    title: str
    title_es: str
    query: str = ""
    needs_query: bool = False
    """True if the path alone is refused: a parameter of `query` is required."""
    id: str = ""
    group: Group = "find"

    @property
    def template(self) -> str:
        """Path with its usual query; braces are the caller's to fill in."""
        return self.path + (f"?{self.query}" if self.query else "")


def _read() -> dict[str, Surface]:
    file = resources.files("content") / "surfaces.yaml"
    groups = msgspec.yaml.decode(file.read_bytes(), type=dict[Group, dict[str, Surface]])
    return {
        name: msgspec.structs.replace(surface, id=name, group=group)
        for group, surfaces in groups.items()
        for name, surface in surfaces.items()
    }


SURFACES = _read()


def address(base_url: str, surface_id: str, query: str = "", **values: str) -> str:
    """Return the full address of a surface and `query`; missing values stay in braces."""
    path = SURFACES[surface_id].path
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return f"{base_url}{path}" + (f"?{query}" if query else "")


def addresses(base_url: str, surface_ids: tuple[str, ...]) -> dict[str, str]:
    """Return name and full address of several surfaces, as a URI template (RFC 6570) where a
    parameter is required."""
    surfaces = {name: SURFACES[name] for name in surface_ids}
    return {
        name: base_url + (one.template if one.needs_query else one.path)
        for name, one in surfaces.items()
    }
