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
    declarations = msgspec.yaml.decode(content, type=dict[str, _Declaration])
    return {name: _table(name, one) for name, one in declarations.items()}


def _table(name: str, declaration: _Declaration) -> Table:
    return Table(
        name,
        declaration.description,
        fields(declaration.fields.replace("{attributes}", " ".join(ATTRIBUTE_NAMES))),
        key=names(declaration.key),
        required=names(declaration.required),
        foreign_keys=tuple(ForeignKey(f, of, f) for f, of in declaration.foreign_keys.items()),
        order_by=names(declaration.key if declaration.order_by is None else declaration.order_by),
        published=declaration.published,
    )
