"""Patterns of inputs agree with the service, character by character."""

import re

from schemas.api.common import SAYS_SOMETHING


def test_a_text_needs_more_than_blanks() -> None:
    says = re.compile(SAYS_SOMETHING)
    assert [hex(c) for c in range(0x110000) if bool(says.search(chr(c))) == chr(c).isspace()] == []
