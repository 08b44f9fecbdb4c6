"""Hands messages over: to a mail server, or to an operator's program that reaches telephones.

Both are configured, and off by default. Each attempt has a total time limit, so that a server that
accepts and then stalls blocks one of few attempts for a minute at most.
"""

import asyncio
import contextlib
from email.message import EmailMessage
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from serving.settings import SettingError, Settings

# Of one answer of the server, and of an attempt as a whole: less than the lease of a message.
ANSWER_SECONDS, ATTEMPT_SECONDS = 10.0, 60.0
_PERMANENT = range(500, 600)


class RefusedError(Exception):
    """The recipient is permanently refused (SMTP 5xx): retrying is useless."""


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


async def send_mail(server: MailServer, message: EmailMessage) -> None:
    """Submit an e-mail within ATTEMPT_SECONDS. Raises OSError, SMTPException, RefusedError."""
    # Imported on use: a service without a mail server starts without the client.
    import aiosmtplib  # noqa: PLC0415

    is_encrypted = server.scheme == "smtps"
    client = aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        username=server.user,
        password=server.password or "",
        timeout=ANSWER_SECONDS,
        use_tls=is_encrypted,
        # No password in clear text; without one, any transport that the server offers.
        start_tls=True if server.user and not is_encrypted else None,
    )
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            await client.connect()
            await client.send_message(message)
        # The message is handed over: the server's reply to QUIT does not matter.
        with contextlib.suppress(OSError, aiosmtplib.SMTPException):
            await client.quit()
    except aiosmtplib.SMTPRecipientsRefused as error:
        if all(refusal.code in _PERMANENT for refusal in error.recipients):
            raise RefusedError from None
        raise
    finally:
        client.close()


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
        async with asyncio.timeout(ATTEMPT_SECONDS):
            await process.communicate(msgspec.json.encode({"phone": phone, "text": text}))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"status {process.returncode}")
