"""`larder language`: catalogues of translations (docs/content.md)."""

import sys

import click

from pipelines.options import complete_language
from schemas.catalogues import catalogue_path, faults, read_catalogue, update_catalogue
from schemas.languages import PUBLISHED, languages


@click.group()
def language() -> None:
    """Check and update the catalogues of languages in content/catalogues."""


@language.command("check")
@click.argument("codes", nargs=-1, shell_complete=complete_language)
def check(codes: tuple[str, ...]) -> None:
    """List missing and superfluous messages of catalogues, and those with other placeholders; all
    of them, or those of CODES. The exit status is 1 while there is a fault.
    """
    count = 0
    for code in _check_codes(codes):
        spec, catalogue_faults = languages()[code], faults(read_catalogue(code))
        signed = "a draft" if spec.is_draft else f"signed by {spec.reviewed_by}"
        click.echo(f"{code} ({spec.name}): {signed}, {len(catalogue_faults)} faults")
        for fault in catalogue_faults:
            click.echo(f"  {fault}")
        count += len(catalogue_faults)
    sys.exit(1 if count else 0)


@language.command("update")
@click.argument("codes", nargs=-1, shell_complete=complete_language)
def update(codes: tuple[str, ...]) -> None:
    """Write new or changed messages into catalogues; all of them, or those of CODES.

    A file with only its header comments becomes a catalogue to translate.
    """
    for code in _check_codes(codes):
        catalogue_path(code).write_bytes(update_catalogue(code))
        click.echo(
            f"{catalogue_path(code)}: {len(faults(read_catalogue(code)))} messages to translate"
        )


def _check_codes(codes: tuple[str, ...]) -> list[str]:
    translations = [code for code in languages() if code not in PUBLISHED]
    for code in codes:
        if code not in translations:
            raise click.BadParameter(f"{code!r} is not one of {', '.join(translations)}")
    return list(codes) or translations
