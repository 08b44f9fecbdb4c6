"""Describes a search: types, radius, page, filters, order."""

from functools import lru_cache
from typing import Literal

import msgspec

from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.http.errors import invalid
from serving.search.filter import NO_FILTERS, Filters
from warehouse.index.points import MODE_TYPES, TYPE_CODES

DEFAULT_RADIUS, MAX_RADIUS = 25.0, 500.0
DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE = 20, 100, 1000
Types = frozenset[int] | None
Order = Literal["distance", "relevance", "likely", "open_first"]


class Page(msgspec.Struct, frozen=True, gc=False):
    """The requested page of matches. A limit of 0 counts matches and lists none."""

    limit: int
    number: int = 1

    @property
    def first(self) -> int:
        """Position of its first match."""
        return self.limit * (self.number - 1)


class Query(msgspec.Struct, frozen=True):
    """A search from a point. `types` None: all; `radius` in miles, None: the nearest places.

    `order` likely: with unknown places included, those that meet most conditions first, then the
    nearest; open_first: the same, and among equals those that are open now, usually open now, or
    open later today before the others, old listings last. `expands`: widen the search if nothing is
    near. `explain`: list the parts of each score.
    """

    types: Types = None
    radius: float | None = None
    page: Page = Page(DEFAULT_LIMIT)
    filters: Filters = NO_FILTERS
    order: Order = "distance"
    explain: bool = False
    expands: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether the spatial index alone can answer it: nearest first, without filters."""
        is_by_point = self.order in {"distance", "likely"}
        return is_by_point and self.filters == NO_FILTERS


@lru_cache(maxsize=512)
def choose_types(mode: str | None, types: str | None) -> Types:
    """Return type codes of a mode, of a comma-separated list of type ids, or of their intersection.

    None means all types. Raises ServiceProblem naming the parameter.
    """
    if types is None:
        return MODE_TYPES[mode] if mode else None
    names = [name.strip() for name in types.split(",")]
    unknown = [name for name in names if name not in RESOURCE_TYPES]
    if unknown:
        raise invalid(
            "type", f"{unknown[0][:40]!r} is no type; the types are {', '.join(RESOURCE_TYPES)}"
        )
    codes = frozenset(TYPE_CODES[name] for name in names)
    return codes & MODE_TYPES[mode] if mode else codes
