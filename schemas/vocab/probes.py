"""Results of probing a website or looking up a telephone number."""

# refused: the server is there but does not talk to programs (401, 403, 429 ...); neither good nor
# bad.
PROBE_RESULTS: tuple[str, ...] = ("ok", "moved", "refused", "gone", "error", "timeout")
PROBE_SUCCESSES = frozenset({"ok", "moved"})
PROBE_FAILURES = frozenset({"gone", "error", "timeout"})

PHONE_TYPES: tuple[str, ...] = (
    "fixed_or_mobile",
    "toll_free",
    "premium",
    "shared_cost",
    "voip",
    "personal",
    "other",
)


def probes_sentence(probed: int, last_date: str | None) -> str:
    """Return when websites were last probed and how many. `last_date` is YYYY-MM-DD."""
    if not probed or last_date is None:
        return (
            "No website was probed for this release: the build had no network, or was not to use "
            "it."
        )
    websites = "1 website has" if probed == 1 else f"{probed:,} websites have"
    return f"{websites} been probed, the last on {last_date}."
