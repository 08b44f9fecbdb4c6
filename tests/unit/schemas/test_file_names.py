"""Names of publishers' files: which layout they have and which date they speak for, edition after
edition.
"""

from datetime import date

from schemas.sources.registry import sources
from tests.support.cases import labelled


@labelled("source, name, layout, vintage")
def test_a_file_of_another_edition(
    source: str, name: str, layout: str, vintage: date | None
) -> None:
    layout_found = sources()[source].layout_of(name)
    assert layout_found is not None
    assert layout_found.layout == layout
    assert sources()[source].vintage_of(name) == vintage


@labelled("source, name")
def test_other_files_have_no_layout(source: str, name: str) -> None:
    assert sources()[source].layout_of(name) is None
