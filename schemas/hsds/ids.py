"""HSDS ids: UUID version 5 in the project's own namespace.

Names are `<official table>:<source>:<source key>` of the source record an id was first issued for;
rows that hang on another row are named `<official table>:<id of the parent>:<own key>`. Never row
numbers, never text that an edit changes.
"""

from uuid import UUID, uuid5

# Fixed forever: changing it changes every id.
NAMESPACE = UUID("6f0c1d52-8a0e-5b7c-9d3e-2f4a61b8c7e5")


def hsds_id(table: str, *parts: str) -> str:
    """Return the id of a row; lower case."""
    return str(uuid5(NAMESPACE, ":".join((table, *parts))))
