"""Reasons for a listing's trust score: stable codes with their points and words.

`verification_confidence` is the sum of the points of a listing's reasons, clamped to 0 to 100.
Every group gives at most one reason: best authority 40, agreement 15, age of the newest
verification 25, exactness of the point 10, website 5, telephone 5. Doubts subtract points.
`assets/directory/confidence.py` decides which reasons apply.
"""

from pathlib import Path

import msgspec


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ground for or against a listing."""

    code: str
    points: int
    label: str


VERIFICATION_REASONS: dict[str, Reason] = {
    reason.code: reason
    for reason in msgspec.yaml.decode(
        Path(__file__).with_name("verification_reasons.yaml").read_bytes(), type=list[Reason]
    )
}
