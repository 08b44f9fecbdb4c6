"""The lexicon of opening hours is checked when it is read."""

from pathlib import Path

import pytest

import assets.hours.lexicon
from assets.hours.lexicon import phrase_table, read_lexicon

CONTENT = Path(assets.hours.lexicon.__file__).with_suffix(".yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("'24': [wf]", "'24': [wf, mw]", "'mw' is listed twice"),
        ("  between: [", "  amid: [", "Invalid enum value 'amid'"),
        ("    in summer:", "    in august:", r"does not know \['in august'\]"),
        ("    seasonal:", "    now and then:", r"does not know \['now and then'\]"),
        ("never_food: [", "never_food: [clinics,", r"no services: \['clinics'\]"),
        ("  - [july, jul, julio, julho]\n", "", "a year twelve months"),
        ("short_days:", "brief_days:", "unknown field `brief_days`"),
    ],
)
def test_fault_is_named(old: str, new: str, fault: str) -> None:
    assert old in CONTENT
    with pytest.raises(ValueError, match=fault):
        phrase_table(read_lexicon(CONTENT.replace(old, new).encode()))
