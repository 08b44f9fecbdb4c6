"""Errors of fetching. Every message names source, address, cause and remedy."""

from typing import ClassVar


class FetchError(Exception):
    """The source was not obtained; its last good set of files stays current.

    The provider fills in `source_id`. `is_transient`: worth another attempt; `wait_seconds` is the
    wait that the server requests.
    """

    default_advice: ClassVar[str] = "Look at the address and the registry's facts of the source"
    is_transient: bool = False
    wait_seconds: float | None = None
    source_id: str = ""

    def __init__(self, address: str, cause: str, advice: str | None = None) -> None:
        super().__init__(address, cause, advice)
        self.address = address
        self.cause = cause
        self.advice = advice or self.default_advice

    def __str__(self) -> str:
        source = f"{self.source_id}: " if self.source_id else ""
        return (
            f"{source}{self.address}: {self.cause}. {self.advice}. The last good files stay in use."
        )


class UnexpectedFileError(FetchError):
    """A folder contains files that no layout of the source names."""

    default_advice = "Add a layout to the source's facts, or take the file out of the folder"


class DamagedInputError(FetchError):
    """A file in a folder cannot be stored: broken gzip, too large, or a duplicate name."""

    default_advice = "Replace the file by a whole copy"


class RefusedAddressError(FetchError):
    """An undeclared address, or one inside a private network."""

    default_advice = "If the publisher moved, check the new address and declare its host"


class WrongContentError(FetchError):
    """The answer is not the promised data: a web page, an empty body."""

    default_advice = "Open the address in a browser: the publisher may have moved the file"


class AnswerError(FetchError):
    """The publisher refuses the request: 4xx, or an error in the body."""

    default_advice = (
        "Check address and parameters in the source's facts against the publisher's pages"
    )


class RobotsError(FetchError):
    """The publisher's robots.txt forbids the address, or asks for pauses that are too long."""

    default_advice = (
        "Ask the publisher for permission or another address; for a documented API state the "
        "reason in ignore_robots of the feed"
    )


class ShrunkenError(FetchError):
    """Far fewer records than last time."""

    default_advice = (
        "Compare with the publisher's page; if the list truly is that short, fetch it with "
        "`larder source fetch ID --accept-changes`"
    )


class ChangedLayoutError(FetchError):
    """Most of the previous columns are gone."""

    default_advice = (
        "Compare the columns with the source's layout, extend it, then fetch with "
        "`larder source fetch ID --accept-changes`"
    )


class TooLargeError(FetchError):
    """More bytes than the settings allow, on the wire or unpacked."""

    default_advice = "If the file truly is that large, raise the limit in the fetch settings"


class ServerBusyError(FetchError):
    """429 or 5xx."""

    default_advice = "Try again later"
    is_transient = True


class ConnectionFailedError(FetchError):
    """No connection, a reset one, or silence beyond the timeout."""

    default_advice = "Check the network, then try again"
    is_transient = True


class UnresolvedHostError(ConnectionFailedError):
    """A name that has no address now: seconds do not help, so only a later fetch asks again."""

    default_advice = "Check the network and the name of the host, then try again"


class TruncatedError(FetchError):
    """The body is incomplete."""

    default_advice = "Try again; if it stays so the publisher's file is damaged"
    is_transient = True


class TooSlowError(FetchError):
    """Bytes arrive more slowly than the settings require."""

    default_advice = "Try again later"
    is_transient = True


class ChangedWhileReadingError(FetchError):
    """The publisher's data changed between two pages."""

    default_advice = "Try again when the publisher is not updating"
    is_transient = True
