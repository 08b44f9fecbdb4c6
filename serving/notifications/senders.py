"""Ways to hand a message over: a mail server, and a program of one's own that reaches telephones.

Both are set up by configuration and off without it. Each attempt is bounded in time as a whole, so
that a server that accepts and says nothing, or a byte now and then, costs one of few threads for a
minute at most.
"""

import asyncio
import contextlib
import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from serving.settings import SettingError, Settings

# Of one answer of the server, and of an attempt as a whole: less than the lease of a message.
ANSWER_SECONDS, ATTEMPT_SECONDS = 10.0, 60.0
_GREETING = 220
_PERMANENT = range(500, 600)


class RefusedError(Exception):
    """The recipient is refused for good (SMTP 5xx): trying again is of no use."""


class MailServer(NamedTuple):
    """Mail submission server. `smtp`: in the clear or with STARTTLS; `smtps`: encrypted from the
    start."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None


@lru_cache(maxsize=4)
def mail_server(url: str) -> MailServer | None:
    """Read the server from LARDER_SMTP_URL; None when it is empty. Raises SettingError."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise SettingError("LARDER_SMTP_URL is not a URL") from error
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise SettingError(
            "LARDER_SMTP_URL must be smtp://user:password@host:587 or smtps://...:465"
        )
    default = 465 if parts.scheme == "smtps" else 25
    user, password = (unquote(p) if p else None for p in (parts.username, parts.password))
    return MailServer(parts.scheme, parts.hostname, port or default, user, password)


def can_mail(settings: Settings) -> bool:
    """Return whether e-mail is configured."""
    return mail_server(settings.smtp_url) is not None


def can_text(settings: Settings) -> bool:
    """Return whether a program for text messages is configured."""
    return bool(settings.phone_command)


class OpenConnections:
    """SMTP connections in use, so that shutdown need not wait for a silent server."""

    def __init__(self) -> None:
        self._open: set[smtplib.SMTP] = set()
        self._changing = threading.Lock()

    @contextlib.contextmanager
    def holding(self, connection: smtplib.SMTP) -> Iterator[None]:
        """Close the connection at the end, after ATTEMPT_SECONDS, or by `cut_all`."""
        timer = threading.Timer(ATTEMPT_SECONDS, _shut_down, [connection])
        timer.daemon = True
        timer.start()
        with self._changing:
            self._open.add(connection)
        try:
            yield
        finally:
            timer.cancel()
            with self._changing:
                self._open.discard(connection)
            connection.close()

    def cut_all(self) -> None:
        """Close all connections at once; their attempts fail."""
        with self._changing:
            connections = list(self._open)
        for connection in connections:
            _shut_down(connection)


def _shut_down(connection: smtplib.SMTP) -> None:
    """Shut the socket down: a thread that waits for an answer wakes up with an error."""
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]


def send_mail(server: MailServer, message: EmailMessage, connections: OpenConnections) -> None:
    """Submit an e-mail. Blocks for ATTEMPT_SECONDS at most. Raises OSError, SMTPException,
    RefusedError."""
    tls = ssl.create_default_context()
    # Connected only below: a greeting that never comes can then be cut off, too.
    connection = (
        smtplib.SMTP_SSL(timeout=ANSWER_SECONDS, context=tls)
        if server.scheme == "smtps"
        else smtplib.SMTP(timeout=ANSWER_SECONDS)
    )
    # The name that certificates are compared with; smtplib sets it only where it connects by
    # itself.
    connection._host = server.host  # type: ignore[attr-defined]
    with connections.holding(connection):
        code, _ = connection.connect(server.host, server.port)
        if code != _GREETING:
            raise smtplib.SMTPConnectError(code, "no greeting")
        connection.ehlo()
        if server.scheme == "smtp" and connection.has_extn("starttls"):
            connection.starttls(context=tls)
            connection.ehlo()
        elif server.scheme == "smtp" and server.user:
            raise SettingError("the mail server offers no encryption, so the password was not sent")
        if server.user:
            connection.login(server.user, server.password or "")
        try:
            connection.send_message(message)
        except smtplib.SMTPRecipientsRefused as error:
            if all(code in _PERMANENT for code, _ in error.recipients.values()):
                raise RefusedError from None
            raise
        # The message is handed over: whatever the server says to the farewell changes nothing.
        with contextlib.suppress(OSError, smtplib.SMTPException):
            connection.quit()


async def send_text(command: str, phone: str, text: str) -> None:
    """Pass a short message to LARDER_PHONE_COMMAND, as JSON on its standard input.

    Raises OSError, TimeoutError, RuntimeError for a status other than 0.
    """
    process = await asyncio.create_subprocess_exec(
        command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await asyncio.wait_for(
            process.communicate(msgspec.json.encode({"phone": phone, "text": text})),
            ATTEMPT_SECONDS,
        )
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"status {process.returncode}")
