"""Describe the outcome of a fault."""

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """Outcome; `failure`: could not be judged, `not_run`: could not be caused."""

    text: str
    requests: int = 0
    requests_lost: int = 0
    data_lost: int = 0
    failure: str = ""
    not_run: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether a loss occurred or the outcome is unknown."""
        return bool(self.failure or self.requests_lost or self.data_lost)
