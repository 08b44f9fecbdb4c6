"""`larder release keygen` and `larder release verify-log`, and a manifest as text."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from pipelines.options import DATA
from warehouse.release.log_sources import UnreachableError, log_of_folder, log_of_instance
from warehouse.release.manifest import Manifest
from warehouse.release.signing import KEY_VARIABLE, KeyFileError, public_keys, write_new_key
from warehouse.release.verify_log import Keys, LogBrokenError, LogReport, verify_files, verify_log

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


def _check_digest(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return a digest. A mistyped one would read as a log whose history was rewritten."""
    if value is not None and not re.fullmatch("[0-9a-f]{64}", value):
        raise click.BadParameter("64 hexadecimal digits, as the last `head` has them")
    return value


@click.command("verify-log")
@click.option(
    "--url", help="Verify a running instance at this address, such as https://example.org."
)
@DATA
@click.option(
    "--key",
    "key_texts",
    multiple=True,
    metavar="PUB",
    help="Trusted public key: PEM file, or 32 bytes in base64. May be repeated.",
)
@click.option(
    "--seen",
    metavar="SHA256",
    callback=_check_digest,
    help="Hash of an entry verified earlier, which must still be in the log.",
)
@click.option(
    "--files",
    "mirror",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also check the files of a mirror, FILES/<release id>/..., against the manifests.",
)
def verify_log_command(
    url: str | None,
    data_dir: Path,
    key_texts: tuple[str, ...],
    seen: str | None,
    mirror: Path | None,
) -> None:
    """Verify the release log: its chain, its signatures, and the manifests that it names.

    The exit status is 1 if anything is broken; the message names the first broken entry.
    """
    try:
        keys: Keys = {i: k for text in key_texts for i, k in public_keys(text).items()}
        source = log_of_instance(url) if url else log_of_folder(data_dir)
        report = verify_log(source, keys, seen)
        files = verify_files(source, report, mirror) if mirror else {}
    except LogBrokenError as error:
        click.echo(f"BROKEN: {error}", err=True)
        sys.exit(1)
    except (KeyFileError, UnreachableError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    click.echo("\n".join(_describe_verification(report, keys, files)))


def _describe_verification(report: LogReport, keys: Keys, files: dict[str, int]) -> Iterator[str]:
    if not report.entries:
        yield "the log has no entry yet"
        return
    yield (
        f"{len(report.entries)} entries: chain and manifests are whole; the last is "
        f"{report.entries[-1].release_id}"
    )
    if report.checked_signatures:
        yield (
            f"signatures: {report.checked_signatures} checked and good, key "
            f"{', '.join(sorted(keys))}"
        )
    if report.signed_unchecked:
        yield (
            f"NOT CHECKED: {report.signed_unchecked} signatures; give the publisher's public key "
            "with --key"
        )
    if report.unsigned and report.checked_signatures:
        yield f"unsigned, but covered by a later signature: entries {_ranges(report.unsigned)}"
    elif report.unsigned:
        yield (
            f"UNSIGNED: entries {_ranges(report.unsigned)}: anybody who can write the log could "
            "have made them"
        )
    if report.checkpoint_size:
        yield (
            f"checkpoint: the Merkle tree of {report.checkpoint_size} entries is as "
            f"signed{'' if keys else ', by a key that was not checked'}"
        )
    if report.torn_bytes:
        yield (
            f"{report.torn_bytes} bytes after the last entry are what an interrupted append left; "
            "they count for nothing"
        )
    for release_id, count in files.items():
        yield f"files of {release_id}: {count} as in the manifest"
    yield f"head: {report.head_sha256} (store it, and pass it with --seen next time)"


def _ranges(numbers: list[int]) -> str:
    """Format ascending numbers as `1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{a}-{b}" if b > a else str(a) for a, b in runs)


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
