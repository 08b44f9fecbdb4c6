"""Client of an Open Larder directory: one method for every address, answers as typed structs."""

from __future__ import annotations

from open_larder_client import shapes
from open_larder_client.client import Larder
from open_larder_client.pages import each_place
from open_larder_client.transport import Problem

__all__ = ["Larder", "Problem", "each_place", "shapes"]
