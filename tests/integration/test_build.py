"""Test the command on the demo profile, from files to a served release."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import main
from tests.support.dated_builds import REPORT, share_by_command
from warehouse.gzip_files import measure_gzip
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore


@pytest.fixture(scope="module")
def built() -> Path:
    return share_by_command()


def test_the_report_accounts_for_every_row(built: Path) -> None:
    store = ReleaseStore(built)
    current = store.current()
    assert current is not None
    manifest = store.verify(current)
    assert manifest.is_synthetic
    for source in manifest.sources:
        accounted = (
            source.rows_published + source.rows_merged + source.rows_rejected + source.rows_withheld
        )
        assert source.rows_read == accounted, source.id
        assert source.rows_rejected == sum(source.rejects.values()), source.id
    rejects = read_frame(built / "tables" / "core_directory__rejects.parquet")
    assert rejects["reject_reason"].notna().all()
    # Rows without a place may be home deliveries: published, but not as places.
    brought = read_frame(built / "tables" / "core_directory__home_deliveries.parquet")
    assert set(brought["source_key"]) <= set(
        rejects.loc[rejects["reject_reason"] == "home_delivery_only", "source_key"]
    )
    assert len(rejects) - len(brought) == sum(s.rows_rejected for s in manifest.sources)
    assert f"Served: release {current}, synthetic." in (built / REPORT).read_text(encoding="utf-8")


def test_processes_of_a_build_do_not_import_the_command_again(built: Path) -> None:
    assert "RuntimeWarning" not in (built / REPORT).read_text(encoding="utf-8")


def test_the_manifest_lists_what_gzip_files_hold(built: Path) -> None:
    store = ReleaseStore(built)
    current = store.current()
    assert current is not None
    folder = store.folder(current)
    held = {e.stored_in: (e.size_bytes, e.sha256) for e in store.manifest(current).files}
    packed = {
        str(path.relative_to(folder)): path
        for path in folder.rglob("*.gz")
        if not path.with_suffix("").exists()
    }
    assert {f"hsds/{name}.gz" for name in ("services.csv", "services.ndjson")} <= packed.keys()
    assert {name: held.get(name) for name in packed} == {
        name: measure_gzip(path) for name, path in packed.items()
    }


def test_every_published_value_names_its_source(built: Path) -> None:
    resources = read_frame(built / "tables" / "core_directory__resources.parquet")
    behind = read_frame(built / "tables" / "core_directory__record_sources.parquet")
    supplied = behind.explode("supplied_fields").groupby("resource_id")["supplied_fields"].agg(set)
    for field in ("name", "address", "phone", "website", "hours_text", "lat", "requirements_text"):
        known = set(resources.loc[resources[field].notna(), "resource_id"])
        named = {i for i, fields in supplied.items() if field in fields}
        assert known <= named, field


def test_every_published_value_is_one_of_the_statements(built: Path) -> None:
    resources = read_frame(built / "tables" / "core_directory__resources.parquet")
    shown = resources[~resources["is_confidential"].astype(bool)]
    stated = read_frame(built / "tables" / "core_directory__statements.parquet")
    published = stated[stated["is_published"]].set_index(["resource_id", "field_name"])["value"]
    # Hours of past days are no longer published.
    for field in ("name", "address", "zip", "phone", "website", "notes"):
        known = shown.set_index("resource_id")[field].dropna()
        of_field = published.xs(field, level="field_name").reindex(known.index)
        assert (of_field == known).all(), field


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "--profile", "nowhere"], "'nowhere' is not one of 'demo', 'folder'"),
        (["build", "--profile", "folder"], "publishers' files: --sources FOLDER"),
        (
            ["build", "--profile", "folder", "--sources", "/no/such"],
            "no folder /no/such; --sources",
        ),
        (["build", "--sources", "."], "has no folder of a source"),
        (
            ["build", "--profile", "live", "--rows", "600"],
            "--rows is only for the demo; the profile is live",
        ),
        (["dagster", "dev", "--sources", "/no/such"], "there is no folder /no/such; --sources"),
        (["release", "diff", "/no/such", "x"], "there is no data directory /no/such"),
        (
            ["source", "check", "nonsense"],
            "'nonsense' is no source; docs/sources.md lists them, `larder source new FILE`",
        ),
        (["build", "--only", "nonsense"], "no source nonsense; docs/sources.md lists them"),
        (["release", "verify"], "nothing is served yet"),
        (["release", "promote", "x"], "is not a release id"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else "",
)
def test_a_wrong_command_says_what_is_wrong(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    run = CliRunner().invoke(main, [*arguments, "--data", str(tmp_path)])
    assert run.exit_code != 0
    assert isinstance(run.exception, SystemExit), run.exception
    assert message in " ".join(run.output.split())


def test_a_quiet_build_names_the_source_that_failed(tmp_path: Path) -> None:
    folder = tmp_path / "diaper_banks"
    folder.mkdir()
    (folder / "banks.csv.gz").write_bytes(b"\x1f\x8b\x08\x00")
    options = ["--sources", str(tmp_path), "--data", str(tmp_path / "data")]
    run = CliRunner().invoke(main, ["build", "--only", "diaper_banks", "--quiet", *options])
    assert run.exit_code == 1, run.output
    (line,) = run.stderr.splitlines()
    assert line.startswith("source diaper_banks: diaper_banks/banks.csv.gz: broken gzip")
    assert run.stdout == "\n"
