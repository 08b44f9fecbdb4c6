"""Texts with HTML in them: cells of tables, and lines "Label: text" as maps and plugins write
them."""

import html
import re

import pandas as pd

_CELL_END = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_LINE_END = re.compile(r"<br\s*/?>|</(?:p|div|li|tr|h\d|ul|ol|table)\s*>", re.IGNORECASE)
# A row of two cells, as the popups of map layers have them; a weekday before its hours is no label.
_PAIR_OF_CELLS = re.compile(
    r"<tr[^>]*>\s*<t[dh][^>]*>\s*(?:<b>)?([^<>]{1,40}?)(?:</b>)?\s*</t[dh]\s*>\s*<t[dh][^>]*>(.*?)</t[dh]\s*>\s*</tr\s*>",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[^<>]*>")
_LABEL = re.compile(r"^\s*([A-Za-z][A-Za-z /&?'()-]{1,40}?)\s*:\s*(.*)$")
# "https://example.org", "8:30", and a weekday before a time are no labels.
_NO_LABEL = re.compile(
    r"^(?:https?|mailto|tel|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?:\s*(?:-|to|and|&|/).*)?)$",
    re.IGNORECASE,
)


def with_spaced_cells(column: pd.Series) -> pd.Series:
    """Return texts with a blank after every cell of an HTML table:
    "<td>Monday</td><td>9-5</td>"."""
    return column.str.replace(_CELL_END, " ", regex=True)


def text_lines(text: str) -> list[str]:
    """Return the lines of a text with HTML, tags and empty lines left out."""
    text = _PAIR_OF_CELLS.sub(_split_row, text) if "<t" in text.casefold() else text
    plain = _TAG.sub("", _LINE_END.sub("\n", _CELL_END.sub(" ", text)))
    lines = (" ".join(html.unescape(line).split()) for line in plain.splitlines())
    return [line for line in lines if line]


def plain_text(column: pd.Series) -> pd.Series:
    """Return texts with HTML without tags, entities and repeated blanks; lines stay."""
    text = column.str.replace(_TAG, " ", regex=True).map(html.unescape, na_action="ignore")
    text = text.astype("str").str.replace(r"[ \t\xa0]+", " ", regex=True).str.strip()
    return text.mask(text == "")


def _split_row(row: re.Match[str]) -> str:
    label, value = row[1].strip().removesuffix(":"), row[2]
    return f"{label} {value}\n" if _NO_LABEL.match(label) else f"{label}: {value}\n"


def split_by_labels(text: str) -> dict[str, str]:
    """Split a text by its labels ("Hours: ..."); a part extends to the next label."""
    parts: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text_lines(text):
        match = _LABEL.match(line)
        is_label = match is not None and not _NO_LABEL.match(match[1].strip())
        if match and is_label:
            current = parts.setdefault(match[1].strip(), [])
        line_text = match[2].strip() if match and is_label else line
        if current is not None and line_text:
            current.append(line_text)
    return {label: "\n".join(lines) for label, lines in parts.items() if lines}


def with_labelled_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with a column for every label that a fifth of the descriptions have, else one
    for the lines of half of them that are an address, a telephone number or hours."""
    name = "description"
    if name not in rows or not rows[name].notna().any():
        return rows
    parts = [split_by_labels(text) if isinstance(text, str) else {} for text in rows[name]]
    counts = pd.Series([label for part in parts for label in part]).value_counts()
    common = [label for label, count in counts.items() if count >= max(1, len(rows) / 5)]
    new = {
        label: pd.Series([part.get(label) for part in parts], rows.index, dtype="str")
        for label in common
        if label not in rows
    }
    if not new:
        return _with_columns_of_lines(rows, name)
    return pd.concat([rows, pd.DataFrame(new, index=rows.index)], axis=1).assign(
        **{name: _text_without_label(rows[name], set(common))}
    )


def _with_columns_of_lines(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows with `address`, `phone` and `hours` from the lines of a text without
    labels."""
    parts = [_lines_by_kind(text) if isinstance(text, str) else {} for text in rows[name]]
    kinds = [kind for kind in ("address", "phone", "hours") if kind not in rows]
    frequent_kinds = [
        kind for kind in kinds if sum(kind in part for part in parts) * 2 >= len(rows)
    ]
    # If only hours are found, the text may be about something else besides.
    if not {"address", "phone"} & set(frequent_kinds):
        return rows
    new = {k: pd.Series([p.get(k) for p in parts], rows.index, dtype="str") for k in frequent_kinds}
    rest = ["\n".join(line for line in part.get("rest", "").splitlines()) or None for part in parts]
    return rows.assign(**new, **{name: pd.Series(rest, rows.index, dtype="str")})


def _lines_by_kind(text: str) -> dict[str, str]:
    """Return the lines of a text by kind; those that are neither are the `rest`."""
    by_kind: dict[str, list[str]] = {"address": [], "phone": [], "hours": [], "rest": []}
    lines = text_lines(text)
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else ""
        if _PHONE_LINE.match(line):
            by_kind["phone"].append(line)
        elif _ENDS_IN_ZIP.search(line) or (_STREET_LINE.match(line) and _ENDS_IN_ZIP.search(after)):
            by_kind["address"].append(line)
        elif _WHEN.search(line) and re.search(r"\d|noon", line):
            by_kind["hours"].append(line)
        else:
            by_kind["rest"].append(line)
    separators = {"address": ", ", "phone": "; ", "hours": "; ", "rest": "\n"}
    return {kind: separators[kind].join(each) for kind, each in by_kind.items() if each}


_PHONE_LINE = re.compile(
    r"^(?:(?:phone|tel|call|ph)[.:]?\s*)?\(?\d{3}\)?[\s.-]*\d{3}[\s.-]\d{4}\b[^a-z]*$", re.I
)
_ENDS_IN_ZIP = re.compile(r"\b[A-Z]{2},?\s+\d{5}(?:-\d{4})?$")
_STREET_LINE = re.compile(r"^\d+[A-Za-z]?\s+\S")
_WHEN = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b|\bdaily\b|\bM ?- ?F\b",
    re.IGNORECASE,
)


def _text_without_label(column: pd.Series, labels: set[str]) -> pd.Series:
    """Return the lines of each text before its first label, and parts whose labels are others."""

    def rest(text: str) -> str | None:
        lines, is_known = [], False
        for line in text_lines(text):
            match = _LABEL.match(line)
            if match and not _NO_LABEL.match(match[1].strip()):
                is_known = match[1].strip() in labels
            if not is_known:
                lines.append(line)
        return "\n".join(lines) or None

    rest_of_text = {text: rest(text) for text in column.dropna().unique()}
    return column.map(rest_of_text).astype("str")
