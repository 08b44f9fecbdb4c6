"""Describe the bulk files as a Croissant data set (MLCommons, version 1.0), columns included."""

from pathlib import Path
from typing import Any

import msgspec

from schemas.api.exports import BulkFile
from schemas.bulk import BULK_FORMATS
from schemas.dtypes import LogicalType
from schemas.table import Field

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
# The context that the specification prescribes.
CONTEXT: dict[str, Any] = msgspec.json.decode(
    Path(__file__).with_name("croissant_context.json").read_bytes()
)
# Names by which programs that read Croissant know a format, in place of the registered ones.
_ENCODINGS = {"application/vnd.apache.parquet": "application/x-parquet"}
_TYPES: dict[LogicalType, str] = {
    "string": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
    "json": "sc:Text",
    "strings": "sc:Text",
}


def croissant(about: dict[str, Any], base: str, files: list[BulkFile]) -> dict[str, Any]:
    """Return the description. `about` has members of schema.org's Dataset, `base` is the address of
    the folder of the files. Columns are those of the Parquet files, which keep their types."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        **about,
        "distribution": [_file(base, file) for file in files],
        "recordSet": [_records(file) for file in files if file.name.endswith(".parquet")],
    }


def _file(base: str, file: BulkFile) -> dict[str, Any]:
    media_type = file.media_type.partition(";")[0]
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "description": file.description,
        "contentUrl": f"{base}/{file.name}",
        "contentSize": f"{file.size_bytes} B",
        "encodingFormat": _ENCODINGS.get(media_type, media_type),
        "sha256": file.sha256,
    }


def _records(file: BulkFile) -> dict[str, Any]:
    name, table = file.name.partition(".")[0], BULK_FORMATS[file.name].table
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.description,
        "key": [{"@id": f"{name}/{column}"} for column in table.key],
        "field": [_field(name, file.name, field) for field in table.fields],
    }


def _field(records: str, file: str, field: Field) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{records}/{field.name}",
        "name": field.name,
        "description": field.description,
        "dataType": _TYPES[field.type],
        "source": {"fileObject": {"@id": file}, "extract": {"column": field.name}},
    }
    return entry | ({"repeated": True} if field.type == "strings" else {})
