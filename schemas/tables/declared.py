"""Read the tables of a YAML file of this folder; `core.yaml` documents its members."""

from pathlib import Path

import msgspec

from schemas.attributes import ATTRIBUTE_NAMES
from schemas.fields import fields
from schemas.table import ForeignKey, Table, names


class _Declaration(msgspec.Struct, forbid_unknown_fields=True):
    """Members as `schemas.table.Table` has them; lists of names are blank-separated."""

    description: str
    fields: str
    key: str = ""
    required: str = ""
    order_by: str | None = None
    foreign_keys: dict[str, str] = {}
    published: bool = True


def read_tables(file_name: str) -> dict[str, Table]:
    """Return the tables of a file by name. Raises msgspec.ValidationError, KeyError for a field."""
    content = Path(__file__).with_name(file_name).read_bytes()
    declared = msgspec.yaml.decode(content, type=dict[str, _Declaration])
    return {name: _table(name, one) for name, one in declared.items()}


def _table(name: str, declared: _Declaration) -> Table:
    return Table(
        name,
        declared.description,
        fields(declared.fields.replace("{attributes}", " ".join(ATTRIBUTE_NAMES))),
        key=names(declared.key),
        required=names(declared.required),
        foreign_keys=tuple(ForeignKey(f, of, f) for f, of in declared.foreign_keys.items()),
        order_by=names(declared.key if declared.order_by is None else declared.order_by),
        published=declared.published,
    )
