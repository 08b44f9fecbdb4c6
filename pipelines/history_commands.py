"""`larder release keygen`, and a manifest as text."""

from pathlib import Path

import click

from warehouse.release.manifest import Manifest
from warehouse.release.signing import KEY_VARIABLE, public_keys, write_new_key

_DIGEST = 12  # characters by which a reader can distinguish digests


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def keygen(path: Path) -> None:
    """Make a key that signs the release log: PATH (keep it secret) and PATH.pub (publish it)."""
    try:
        public = write_new_key(path)
    except FileExistsError as error:
        raise click.ClickException(f"{path} exists and is not replaced") from error
    (key_id,) = public_keys(str(public))
    click.echo(
        f"key {key_id}\nprivate: {path}: set {KEY_VARIABLE} to this path where releases are "
        "promoted"
    )
    click.echo(f"public:  {public}: set LARDER_RELEASE_KEYS to this path where the service runs")


# ---------------------------------------------------------------- releases as text


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest for a terminal: time, inputs, and results of the checks."""
    rows = sum(table.rows for table in manifest.tables)
    lines = [
        f"{manifest.release_id}{', synthetic' if manifest.is_synthetic else ''}",
        (
            f"made {manifest.created_at}, data as of {manifest.as_of_date}, after "
            f"{manifest.parent or 'nothing'}"
        ),
        (
            f"{len(manifest.tables)} tables with {rows:,} rows, {len(manifest.files):,} files, "
            f"content {manifest.content_digest[:_DIGEST]}"
        ),
        f"{len(manifest.checks)} checks:",
    ]
    for check in manifest.checks:
        what = f"{check.name} of {check.asset}" if check.asset else check.name
        digest = f" on {check.digest[:_DIGEST]}, {check.checked_at}" if check.digest else ""
        lines.append(f"  {'passed' if check.passed else 'FAILED'}  {what}{digest}: {check.detail}")
    return "\n".join(lines)
