"""`larder organization`: the data about the organization that runs an instance."""

import sys
from importlib import resources
from pathlib import Path

import click
import msgspec

from schemas.api.organization import Organization
from schemas.values.organization_check import examples_left, facts_missing


@click.group()
def organization() -> None:
    """Check the operating organization's file for example values and gaps (docs/adopting.md)."""


@organization.command("check")
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path),
    envvar="LARDER_ORGANIZATION_FILE",
    help=(
        "Your file of facts (also from LARDER_ORGANIZATION_FILE); the shipped example unless given."
    ),
)
def check(path: Path | None) -> None:
    """List invented and missing values. The exit status is 1 while anything is
    invented.
    """
    file = path or resources.files("content") / "organization.yaml"
    try:
        values = msgspec.yaml.decode(file.read_bytes(), type=Organization)
    except (OSError, msgspec.DecodeError) as error:
        raise click.ClickException(f"{file}: {error}") from error
    examples, missing = examples_left(values), facts_missing(values)
    click.echo(f"{file}")
    click.echo(
        f"Still the example's: {len(examples)}" if examples else "Nothing of the example is left."
    )
    for finding in examples:
        click.echo(f"  {finding.path}: {finding.value[:60]!r}: {finding.why}")
    if missing:
        click.echo(f"Missing: {len(missing)}")
    for finding in missing:
        click.echo(f"  {finding.path}: {finding.why}")
    sys.exit(1 if examples else 0)
