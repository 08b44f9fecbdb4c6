"""The plugin's zip: the same bytes everywhere, versions that agree, words that are all translated,
sound PHP.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po

from schemas.vocab.resource_types import MODES, RESOURCE_TYPES
from serving.embeds.wordpress_plugin import (
    CALL,
    PATH,
    build_files,
    main,
    plain,
    plugin_zip,
    source_files,
)
from tests.support.clients import Client

FILES = source_files()
MAIN, README = FILES["food-directory.php"].decode(), FILES["readme.txt"].decode()
PO = FILES["languages/food-directory-es.po"]
PLACEHOLDER = re.compile(r"%(?:\d\$)?[sd]")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugin")
    with zipfile.ZipFile(BytesIO(plugin_zip())) as archive:
        archive.extractall(folder)
    return folder / "food-directory"


def test_the_bytes_are_the_same_everywhere(tmp_path: Path, client: Client) -> None:
    assert main([str(tmp_path / "a.zip")]) == 0
    environment = {**os.environ, "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-m", "serving.embeds.wordpress_plugin", str(tmp_path / "b.zip")],
        check=True,
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
    )
    archive = client.get(PATH)
    assert archive.headers["content-disposition"] == 'attachment; filename="food-directory.zip"'
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes() == archive.content


def test_the_zip_is_complete() -> None:
    with zipfile.ZipFile(BytesIO(plugin_zip())) as archive:
        names = archive.namelist()
    assert names == sorted(f"food-directory/{name}" for name in FILES | build_files())
    assert {
        "food-directory/uninstall.php",
        "food-directory/block/block.json",
        "food-directory/languages/food-directory-es.mo",
    } <= set(names)


# ---------------------------------------------------------------- rules of WordPress


def test_versions_agree() -> None:
    version = re.search(r"^ \* Version: +(\S+)$", MAIN, re.MULTILINE)
    assert version is not None
    actual = {
        version[1],
        *re.findall(r"^Stable tag: (\S+)$", README, re.MULTILINE),
        *re.findall(r"^const VERSION = '(.+)';$", MAIN, re.MULTILINE),
        *re.findall(r"'version' => '(.+)'", FILES["block/editor.asset.php"].decode()),
        json.loads(FILES["block/block.json"])["version"],
    }
    assert actual == {version[1]}
    assert f"= {version[1]} =" in README
    for name, header in {
        "Requires at least": "Requires at least",
        "Requires PHP": "Requires PHP",
    }.items():
        assert re.findall(rf"{name}: +(\S+)", MAIN) == re.findall(
            rf"^{header}: (\S+)", README, re.MULTILINE
        )


def test_the_readme_follows_the_rules() -> None:
    head, _, _ = README.partition("\n== ")
    lines = head.strip().splitlines()
    assert lines[0] == "=== Food Directory ==="
    assert 0 < len(lines[-1]) <= 150
    tags = next(line for line in lines if line.startswith("Tags: "))
    assert len(tags.removeprefix("Tags: ").split(",")) <= 5
    assert "License: GPLv2 or later" in lines
    sections = re.findall(r"^== (.+) ==$", README, re.MULTILINE)
    assert set(sections) >= {
        "Description",
        "External services",
        "Installation",
        "Frequently Asked Questions",
        "Changelog",
        "Upgrade Notice",
    }
    for name in re.findall(
        r"'(\w+)' => '",
        FILES["includes/listing.php"].decode().partition("ATTRIBUTES = [")[2].partition("];")[0],
    ):
        assert f"* `{name}`" in README


def test_every_php_file_refuses_to_be_called_by_itself() -> None:
    for name, body in FILES.items():
        if name.endswith(".php"):
            assert re.search(
                rb"^defined\('(ABSPATH|WP_UNINSTALL_PLUGIN)'\) \|\| exit;$", body, re.MULTILINE
            ), name


def test_it_knows_the_words_of_the_directory() -> None:
    words = FILES["includes/words.php"].decode()
    actual = dict(re.findall(r"'(\w+)' => __\('(.+)', 'food-directory'\)", words))
    spanish = read_po(BytesIO(PO))
    for kind in RESOURCE_TYPES.values():
        assert actual[kind.id] == kind.label
        translated = spanish.get(kind.label)
        assert translated is not None
        assert translated.string == kind.labels.es
    modes = re.search(r"const MODES = \[(.+)\];", FILES["includes/settings.php"].decode())
    assert modes is not None
    assert tuple(re.findall(r"'(\w+)'", modes[1])) == MODES


# ---------------------------------------------------------------- words


class Message(NamedTuple):
    """Text to translate; the context distinguishes it from the same text elsewhere."""

    text: str
    plural: str | None = None
    context: str | None = None


def messages() -> Iterator[Message]:
    """Yield the texts of code, of the plugin's header, and of its block."""
    for name, body in FILES.items():
        if name.endswith((".php", ".js")):
            for call in CALL.finditer(body.decode()):
                yield Message(plain(call[1] or call[2]), plain(call[3]) if call[3] else None)
    for text in re.findall(r"^ \* (?:Plugin Name|Description): +(.+)$", MAIN, re.MULTILINE):
        yield Message(text.strip())
    # Contexts as WordPress looks the texts of a block.json up.
    block = json.loads(FILES["block/block.json"])
    yield from (Message(block[kind], None, f"block {kind}") for kind in ("title", "description"))
    yield from (Message(keyword, None, "block keyword") for keyword in block["keywords"])


def test_every_text_is_translated() -> None:
    spanish = read_po(BytesIO(PO), abort_invalid=True)
    catalogue = list(messages())
    assert len(catalogue) > 100
    for m in catalogue:
        entry = spanish.get(m.text, m.context)
        assert entry is not None, m
        assert not entry.fuzzy
        source, translated = (
            [m.text, m.plural] if m.plural else [m.text],
            entry.string if m.plural else [entry.string],
        )
        for text, own in zip(source, translated, strict=True):
            assert own, m
            assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(own)), m
    keys = {(m.text, m.context) for m in catalogue}
    for entry in spanish:
        text = entry.id[0] if isinstance(entry.id, tuple | list) else entry.id
        assert not text or (text, entry.context) in keys, f"no longer used: {text}"


def _assert_accepted(*command: object) -> str:
    """Return the output of a program that accepts a file of the plugin."""
    process = subprocess.run(command, capture_output=True, text=True, check=False)  # type: ignore[call-overload]
    assert process.returncode == 0, process.stdout + process.stderr
    return str(process.stdout)


# ---------------------------------------------------------------- code


@pytest.mark.skipif(shutil.which("php") is None, reason="no PHP: apt-get install php-cli")
def test_php_parses_every_file(unpacked: Path) -> None:
    for file in sorted(unpacked.rglob("*.php")):
        options = ("-d", "error_reporting=-1", "-d", "display_errors=1")
        assert "Deprecated" not in _assert_accepted("php", *options, "-l", file)


@pytest.mark.skipif(
    shutil.which("phpcs") is None, reason="no phpcs: apt-get install php-codesniffer"
)
def test_the_code_follows_psr_12(unpacked: Path) -> None:
    """Debian ships no standard of WordPress. Left out: long lines (texts), and that a file both
    declares and runs.
    """
    left_out = "--exclude=PSR1.Files.SideEffects,Generic.Files.LineLength"
    _assert_accepted("phpcs", "--standard=PSR12", "--extensions=php", left_out, unpacked)
