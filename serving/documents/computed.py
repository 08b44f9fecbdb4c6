"""Members of documents that code makes. A row names them: `computed: {<member>: <function>}`.

Each takes the Scene and gives what JSON can hold. Add a module of your own with a dictionary
`FIELDS` and name it here.
"""

from collections.abc import Callable
from typing import Any

from serving.documents import (
    atlas_fields,
    benefit_fields,
    data_fields,
    date_fields,
    find_fields,
    giving_fields,
    organization_fields,
    site_fields,
    state_fields,
    wic_fields,
)
from serving.documents.render_context import Scene

Computed = Callable[[Scene], Any]
_MODULES = (
    organization_fields,
    giving_fields,
    state_fields,
    atlas_fields,
    data_fields,
    site_fields,
    find_fields,
    date_fields,
    benefit_fields,
    wic_fields,
)
FUNCTIONS: dict[str, Computed] = {
    name: f for module in _MODULES for name, f in module.FIELDS.items()
}
