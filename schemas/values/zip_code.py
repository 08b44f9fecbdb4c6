"""Read ZIP codes as people and spreadsheets write them; states by their prefixes."""

import re

# The first three digits (the sectional center) and the states whose post offices they serve, from
# the USPS list of ZIP prefixes. A few prefixes cross a border: Fishers Island NY is 063, Alta WY is
# 834.
_PREFIXES = """
AA 340 | AE 090-099 | AP 962-966 | AK 995-999 | AL 350-352 354-369 | AR 716-729 | AS 967
AZ 850-853 855-857 859-860 863-865 | CA 900-908 910-928 930-961 | CO 800-816 | CT 060-069
DC 200 202-205 569 | DE 197-199 | FL 320-339 341-342 344 346-347 349 | FM 969 | GA 300-319 398-399
GU 969 | HI 967-968 | IA 500-516 520-528 | ID 832-838 | IL 600-620 622-629 | IN 460-479
KS 660-662 664-679 | KY 400-418 420-427 | LA 700-701 703-708 710-714 | MA 010-027 055
MD 205-212 214-219 | ME 039-049 | MH 969 | MI 480-499 | MN 550-551 553-567
MO 630-631 633-641 644-658 726 | MP 969 | MS 386-397 | MT 590-599 | NC 270-289 | ND 580-588
NE 680-681 683-693 | NH 030-038 | NJ 070-089 | NM 870-871 873-884 | NV 889-891 893-895 897-898
NY 005 063 100-149 | OH 430-459 | OK 730-731 734-741 743-749 | OR 970-979 | PA 150-196
PR 006-007 009 | PW 969 | RI 028-029 | SC 290-299 | SD 570-577 | TN 370-385
TX 733 739 750-770 772-799 885 | UT 840-847 | VA 201 205 220-246 | VI 008 | VT 050-054 056-059
WA 980-986 988-994 | WI 530-532 534-535 537-549 | WV 247-268 | WY 820-831 834
"""


def _states_by_prefix() -> dict[str, frozenset[str]]:
    by_prefix: dict[str, set[str]] = {}
    for entry in _PREFIXES.replace("\n", "|").split("|"):
        state, *spans = entry.split() or [""]
        for span in spans:
            first, _, last = span.partition("-")
            for number in range(int(first), int(last or first) + 1):
                by_prefix.setdefault(f"{number:03}", set()).add(state)
    return {prefix: frozenset(states) for prefix, states in by_prefix.items()}


_BY_PREFIX = _states_by_prefix()
_NO_STATES: frozenset[str] = frozenset()

# "01970", "01970-1234", "01970 1234", "019701234", "15213.0", "MA 01970".
_WRITTEN = re.compile(r"(?:[A-Za-z]{2}\.?\s+)?(\d{5})(?:\.0+|[-–\s]*\d{4})?[-–\s]*", re.ASCII)
# The same after a spreadsheet took the leading zeros away: "1970", "1970-1234", "736", "19701234".
_SHORTENED = re.compile(r"(?:(\d{3,4})(?:\.0+|[-–\s]+\d{4})?|(\d{4})\d{4})[-–\s]*", re.ASCII)
# 000 to 004 are unassigned; forms write 99999 for "unknown".
_PLACEHOLDER = re.compile(r"00[0-4]\d\d|99999", re.ASCII)


def parse_zip(text: str) -> str | None:
    """Return the five-digit ZIP of a text that is only a ZIP or ZIP+4, else None.

    A shorter number is None: only its state can prove the lost zeros (`restore_zip`).
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None or _PLACEHOLDER.fullmatch(match[1]):
        return None
    return match[1]


def restore_zip(text: str, state: str) -> str | None:
    """Return a ZIP with its lost zeros if the state's prefixes prove it, else None."""
    match = _SHORTENED.fullmatch(text.strip())
    if match is None:
        return None
    padded = (match[1] or match[2]).zfill(5)
    return padded if state in states_of_zip(padded) else None


def states_of_zip(zip_code: str) -> frozenset[str]:
    """Return USPS codes of the states that a five-digit ZIP can be in; empty for a prefix not in
    use.

    Includes the military "states" and the freely associated ones, which the directory does not
    cover.
    """
    return _BY_PREFIX.get(zip_code[:3], _NO_STATES)
