"""The platforms that publish lists of places, from `schemas/vocab/platforms.yaml`."""

from functools import cache
from importlib import resources
from typing import Literal

import msgspec


class Platform(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a platform's lists are requested and stored; `platforms.yaml` explains each member."""

    fetch: Literal["pages", "list", "file", "export"]
    path: tuple[tuple[str, ...], ...] = ((),)
    id: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    size: str = ""
    start: str = ""
    page: str = ""
    total: tuple[tuple[str, ...], ...] = ()
    params: dict[str, str] = {}
    whole: dict[str, str] = {}
    post: dict[str, str] = {}
    hosts: tuple[str, ...] = ()


@cache
def platforms() -> dict[str, Platform]:
    """Return all platforms by id. Raises msgspec.ValidationError."""
    content = (resources.files("schemas.vocab") / "platforms.yaml").read_bytes()
    return msgspec.yaml.decode(content, type=dict[str, Platform])
