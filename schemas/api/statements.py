"""Statements: what each source says of a place."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe


class Statement(msgspec.Struct, forbid_unknown_fields=True):
    """One value that a source record states."""

    field: Annotated[str, describe("Published field.", "phone")]
    value: Annotated[str, describe("As text after cleaning; lists with commas.")]
    source_id: Annotated[str, describe("Id of the source.")]
    source_key: Annotated[str, describe("Key of the record in its source.")]
    stated_date: Annotated[
        str | None,
        describe("Newest day that the source gives for the record; null when it gives none."),
    ]
    file_name: Annotated[str | None, describe("The publisher's file; null of an approved edit.")]
    source_row: Annotated[int | None, describe("Row of that file, the first being 1.")]
    is_published: Annotated[bool, describe("True where this is the published value.")]
    is_contradicted: Annotated[
        bool, describe("True where another source states another value; spellings do not count.")
    ]


class ResourceStatements(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that the sources of a place state, field by field."""

    id: Annotated[int, describe("Permanent id of the place.")]
    rule: Annotated[str, describe("How the published value is chosen among the statements.")]
    total: Annotated[int, describe("Number of statements.")]
    contradicted_fields: Annotated[
        list[str], describe("Fields of which sources state different values.")
    ]
    statements: Annotated[list[Statement], describe("The statements, field by field.")]
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]
