"""Members of documents that code makes. A row names them: `computed: {<member>: <function>}`.

Each takes the Scene and gives what JSON can hold. Add a module of your own with a dictionary `FIELDS` and
name it here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serving.documents import organization_fields, site_fields
from serving.documents.scene import Scene

Computed = Callable[[Scene], Any]
FUNCTIONS: dict[str, Computed] = {**organization_fields.FIELDS, **site_fields.FIELDS}
