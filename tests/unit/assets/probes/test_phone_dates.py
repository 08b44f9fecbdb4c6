"""Findings about telephone numbers have stable dates."""

from datetime import date
from pathlib import Path

from assets.probes.assets import core_directory__phone_validations
from assets.steps.workspace import Workspace
from schemas.tables.core import LOCATED, PHONE_VALIDATIONS
from tests.support.releases import as_table, resource
from tests.support.steps import run_step
from warehouse.parquet import read_frame, write_table


def _dates(folder: Path, as_of: str, phone: str) -> dict[str, date]:
    """Run the step on a day over one located record with a number; the days of its findings."""
    workspace = Workspace(data_dir=str(folder), as_of=as_of)
    record = {"source_id": "nyc_pantries_2023", "source_key": "1", "source_row": 1}
    row = resource(1) | record | {"file_name": "list.csv", "is_public": True, "phone_e164": phone}
    write_table(as_table([row], LOCATED), LOCATED, workspace.path(LOCATED.name))
    run_step(core_directory__phone_validations, workspace)
    rows = read_frame(workspace.path(PHONE_VALIDATIONS.name))
    return dict(zip(rows["phone_e164"], rows["validated_on"], strict=True))


def test_findings_about_telephones_have_stable_dates(tmp_path: Path) -> None:
    """Whether the step is left alone, or done again for another number."""
    first, other = "+12122345678", "+13122345678"
    assert _dates(tmp_path, "2026-11-01", first) == {first: date(2026, 11, 1)}
    assert _dates(tmp_path, "2026-11-08", first) == {first: date(2026, 11, 1)}
    assert _dates(tmp_path, "2026-11-08", other) == {other: date(2026, 11, 8)}
