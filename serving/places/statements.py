"""Reads the statements of each source about a place."""

from pathlib import Path

from schemas.api.history import ResourceStatements, Statement
from schemas.bulk import BULK_FOLDER
from serving.http.errors import ServiceProblem
from warehouse.index.reader import OpenRelease

_RULE = (
    "The value of the record that ranks first among those that know the field: by "
    "authority of the source, then"
    " the newer date, then the more exact point. Fields that belong together come from "
    "one record. An approved edit"
    " goes first. Of hours, days that are over are left out. Of a confidential place "
    "only published values are listed, without its whereabouts."
)
_COLUMNS = """field_name, value, source_id, source_key, stated_date::VARCHAR, file_name, source_row,
    is_published, is_contradicted"""
_ORDER = "field_name, is_published DESC, source_id, source_key"


def statements_of(release: OpenRelease, resource_id: int) -> ResourceStatements:
    """Return the statements of a place that is listed. Reads a file: call it in a thread.

    Raises ServiceProblem (503) for a release without bulk files.
    """
    path = _path(release)
    if not path.is_file():
        raise ServiceProblem("not-in-release", f"Release {release.release_id} has no statements.")
    query = f"SELECT {_COLUMNS} FROM read_parquet(?) WHERE resource_id = ? ORDER BY {_ORDER}"  # noqa: S608 - names of our own
    with release.cursor() as db:
        rows = db.execute(query, [str(path), resource_id]).fetchall()
    statements = [Statement(*row) for row in rows]
    return ResourceStatements(
        id=resource_id,
        rule=_RULE,
        total=len(statements),
        contradicted_fields=sorted({s.field for s in statements if s.is_contradicted}),
        statements=statements,
        release_id=release.release_id,
    )


def contradictions(release: OpenRelease, first: int, limit: int) -> dict[int, list[Statement]]:
    """Return contradicted statements by place, those with most contradicted fields first.

    `first` places are passed over, at most `limit` returned; none for a release without bulk
    files. Reads a file: call it in a thread.
    """
    path = _path(release)
    if not path.is_file():
        return {}
    query = f"""
    WITH contradicted AS (FROM read_parquet(?) WHERE is_contradicted),
    places AS (SELECT resource_id, count(DISTINCT field_name) AS fields FROM contradicted
               GROUP BY resource_id ORDER BY fields DESC, resource_id LIMIT ? OFFSET ?)
    SELECT resource_id, {_COLUMNS} FROM contradicted JOIN places USING (resource_id)
    ORDER BY fields DESC, resource_id, {_ORDER}"""  # noqa: S608 - names of our own
    by_place: dict[int, list[Statement]] = {}
    with release.cursor() as db:
        for resource_id, *row in db.execute(query, [str(path), limit, first]).fetchall():
            by_place.setdefault(resource_id, []).append(Statement(*row))
    return by_place


def contradiction_count(release: OpenRelease) -> int:
    """Return how many places have sources that contradict each other; see `contradictions`."""
    path = _path(release)
    if not path.is_file():
        return 0
    query = "SELECT count(DISTINCT resource_id) FROM read_parquet(?) WHERE is_contradicted"
    with release.cursor() as db:
        row = db.execute(query, [str(path)]).fetchone()
    return int(row[0]) if row else 0


def _path(release: OpenRelease) -> Path:
    return release.folder / BULK_FOLDER / "statements.parquet"
