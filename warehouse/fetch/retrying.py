"""Retries one action by a rule."""

from collections.abc import Callable
from typing import TypeVar

import stamina

from warehouse.fetch.errors import FetchError, UnresolvedHostError, WrongContentError
from warehouse.fetch.settings import FetchSettings

T = TypeVar("T")
Report = Callable[[str], None]


class RetryRule:
    """Decides for stamina whether to retry, and after how many seconds if the server said so.

    Wrong content gets one retry: a gateway's page may pass, a moved file will not return. An
    unknown host gets none: without a network, a hundred lists would each wait for nothing.
    """

    def __init__(self) -> None:
        self._wrong_contents = 0

    def __call__(self, error: Exception) -> bool | float:
        if isinstance(error, WrongContentError):
            self._wrong_contents += 1
            return self._wrong_contents == 1
        if isinstance(error, UnresolvedHostError):
            return False
        if not isinstance(error, FetchError) or not error.is_transient:
            return False
        return True if error.wait_seconds is None else error.wait_seconds


def with_retries(action: Callable[[], T], settings: FetchSettings, what: str, report: Report) -> T:
    """Return the action's result within `settings.attempts`; raises the last failure."""
    attempts = stamina.retry_context(
        on=RetryRule(),
        attempts=settings.attempts,
        timeout=None,
        wait_initial=settings.wait_initial_seconds,
        wait_max=settings.wait_max_seconds,
        wait_jitter=settings.wait_jitter_seconds,
    )
    for attempt in attempts:
        with attempt:
            if attempt.num > 1:
                report(f"{what}: attempt {attempt.num} of {settings.attempts}")
            return action()
    raise AssertionError("stamina raises the last failure")
