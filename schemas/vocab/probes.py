"""What a probe of a website or a telephone number can find."""

from __future__ import annotations

# refused: the server is there but does not talk to programs (401, 403, 429 ...); neither good nor bad.
PROBE_RESULTS: tuple[str, ...] = ("ok", "moved", "refused", "gone", "error", "timeout")
PROBE_SUCCESSES = frozenset({"ok", "moved"})
PROBE_FAILURES = frozenset({"gone", "error", "timeout"})

PHONE_TYPES: tuple[str, ...] = (
    "fixed_or_mobile", "toll_free", "premium", "shared_cost", "voip", "personal", "other",
)  # fmt: skip
