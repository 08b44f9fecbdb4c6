"""The page of examples: every colour is described and has its contrast, every part is shown."""

import re

import html5lib
import pytest

from serving.render.assets import mark, static_files, tokens
from serving.render.pictures import ACCENT, INK, PAPER, SOFT, WARN, WARN_WASH, WASH
from serving.render.words import words
from serving.site.design import PAIRS, SPACES, colours, contrast

STYLE = static_files()["style.css"].body.decode()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("#000", "#ffffff", 21.0), ("#767676", "#fff", 4.54), ("#fff", "#fff", 1.0)],
)
def test_contrast(one, other, expected) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_have_their_contrast(name, theme) -> None:
    ground, least = PAIRS[name]
    assert contrast(tokens()[theme][name], tokens()[theme][ground]) >= least


def test_colours_are_declared_for_both_themes_and_described() -> None:
    light, dark = tokens()["light"], tokens()["dark"]
    assert light.keys() == dark.keys()
    assert len(light) > 10
    variables = set(re.findall(r"var\(--([\w-]+)\)", STYLE))
    assert variables <= light.keys()
    for language in ("en", "es"):
        assert {name for name, _ in words("design", language).uses.items()} == light.keys()


def test_pictures_have_the_colours_and_the_mark_of_pages() -> None:
    light = tokens()["light"]
    colours = ("ink", "soft", "paper", "wash", "accent", "warn", "warn-wash")
    for name, colour in zip(
        colours, (INK, SOFT, PAPER, WASH, ACCENT, WARN, WARN_WASH), strict=True
    ):
        assert contrast(light[name], colour) == 1.0
    assert ACCENT in mark()


def test_spaces_of_the_style_sheet_are_those_of_the_scale() -> None:
    actual = re.findall(r"(?:margin|padding|gap):([^;}]+)", STYLE)
    pixels = {int(n) for value in actual for n in re.findall(r"\b(\d+)px", value)}
    # Small steps within a part: edges of pills, gaps of signs.
    assert pixels - {2, 6, 10, 12} <= {*SPACES}


@pytest.mark.parametrize("path", ["/design", "/es/design"])
def test_every_colour_and_part_is_shown(client, path) -> None:
    answer = client.get(path)
    html5lib.HTMLParser(strict=True).parse(answer.text)
    for colour in colours():
        assert f"--{colour.name}</code>" in answer.text
        assert f'fill="{colour.light}"' in answer.text
        assert f'fill="{colour.dark}"' in answer.text
    classes = set(re.findall(r'class="([^"]+)"', answer.text))
    classes = {name for names in classes for name in names.split()}
    assert {"card", "state", "notice", "button", "search", "figures", "bars", "crumbs"} <= classes
