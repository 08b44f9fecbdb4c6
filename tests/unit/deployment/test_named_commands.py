"""Every command and option in README, docs/, CONTRIBUTING and deploy/ exists."""

import re
import shlex
from importlib.util import find_spec

import click
import pytest

from pipelines.cli import main
from tests.support.server import ROOT

PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(
            p
            for p in (ROOT / "deploy").rglob("*")
            if p.is_file() and p.suffix in {".yaml", ".service", ".conf", ""}
        ),
    ]
)
# In a code block a line, in a text a code span; a unit's ExecStart.
_LARDER = re.compile(
    r"(?:^ *(?:\$ )?|`|ExecStart=|exec |-- )(?:\S*/bin/)?larder (?P<words>[a-z][^`\n|;&)]*)", re.M
)
_MAKE = re.compile(r"(?:^ {4}|`)make (?:-C \S+ )?(?P<target>[a-z]+)", re.M)
_MODULE = re.compile(r"python3? (?:-W \S+ )?-m (?P<module>[a-z_]+(?:\.[a-z_]+)*)")


def named(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return (page, command), each once."""
    return sorted(
        {
            (page.relative_to(ROOT).as_posix(), match[1].strip())
            for page in PAGES
            for match in pattern.finditer(page.read_text(encoding="utf-8"))
        }
    )


def fault(words: list[str]) -> str | None:
    """Return the error of a `larder` command; None if it and its options exist."""
    command: click.Command = main
    for word in words:
        if word.startswith("-"):
            options = {
                opt
                for parameter in command.params
                for opt in (*parameter.opts, *parameter.secondary_opts)
            }
            option = word.partition("=")[0]
            if option not in options | {"--help", "-h"}:
                return f"`{command.name}` has no option {option}"
        elif isinstance(command, click.Group):
            if word not in command.commands:
                return f"`{command.name}` has no command {word}"
            command = command.commands[word]
    return None


def words_of(text: str) -> list[str]:
    """Return its words before a comment, a redirection or a substitution of the shell."""
    text = re.split(r"\s#|\s[<>]|\$\(", text, maxsplit=1)[0]
    try:
        return shlex.split(text)
    except ValueError:  # the end of a quoted word was cut off
        return text.split()


@pytest.mark.parametrize(("page", "command"), named(_LARDER), ids=lambda v: v[:60])
def test_a_larder_command_exists(page, command):
    assert fault(words_of(command)) is None, page


def test_commands_are_found_where_they_are_named():
    pages = {page for page, _ in named(_LARDER)}
    assert {
        "docs/builds.md",
        "docs/runbook.md",
        "docs/scaling.md",
        "deploy/systemd/larder-build.service",
    } <= pages
    assert fault(["release", "list", "--no-such"]) == "`list` has no option --no-such"
    assert fault(["release", "vanish"]) == "`release` has no command vanish"


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert {(page, target) for page, target in named(_MAKE) if target not in targets} == set()


@pytest.mark.parametrize(("page", "module"), named(_MODULE))
def test_modules_exist(page, module):
    assert find_spec(module) is not None, page
