"""`larder docs`: generated documents of a checkout, and catalogues of translations
(docs/content.md)."""

import sys

import click

from pipelines.options import complete_language
from schemas.catalogues import catalogue_path, faults, read_catalogue, update_catalogue
from schemas.languages import PUBLISHED, languages


@click.group(invoke_without_command=True)
@click.option("--check", is_flag=True, help="Write nothing; fail when a document is out of date.")
@click.pass_context
def docs(context: click.Context, check: bool) -> None:
    """Write the generated documents of a checkout: docs/data-dictionary.md and docs/sources.md."""
    if context.invoked_subcommand:
        return
    from pipelines.documents import MissingCheckoutError, write_documents  # noqa: PLC0415 - Dagster costs seconds

    try:
        stale = write_documents(check_only=check)
    except MissingCheckoutError as error:
        raise click.ClickException(str(error)) from error
    for path in stale:
        click.echo(f"{'out of date' if check else 'written'}: {path}")
    sys.exit(1 if check and stale else 0)


@docs.command("check-language")
@click.argument("codes", nargs=-1, shell_complete=complete_language)
def check_language(codes: tuple[str, ...]) -> None:
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


@docs.command("update-language")
@click.argument("codes", nargs=-1, shell_complete=complete_language)
def update_language(codes: tuple[str, ...]) -> None:
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
