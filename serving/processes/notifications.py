"""Sends messages of the outbox in background tasks: to a mail server, or to an operator's program
that reaches telephones. No reader's request waits for them.

Both channels are off by default. Several processes may send from one store; each leases its
messages. Each attempt has a total time limit, so that a server that accepts and then stalls blocks
one of few attempts for a minute at most. Failed messages are logged by number, without address and
text.
"""

import asyncio
import contextlib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from serving.settings import SettingError, Settings
from warehouse.operations import outbox
from warehouse.operations.contacts import Channel
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.outbox import Message

# Concurrent messages per channel.
MAX_AT_ONCE: dict[Channel, int] = {"email": 4, "phone": 4}
POLL_SECONDS = 2.0
# At shutdown, messages in progress get this long; the leases of the rest expire.
_FAREWELL_SECONDS = 3.0
# Of one answer of the server, and of an attempt as a whole: less than the lease of a message.
ANSWER_SECONDS, ATTEMPT_SECONDS = 10.0, 60.0
_PERMANENT = range(500, 600)


class Courier:
    """Sends due messages of the store. Used from one event loop."""

    def __init__(self, settings: Settings, store: Store, log: Any) -> None:
        self._settings = settings
        self._store = store
        self._log = log
        self._news: dict[Channel, asyncio.Event] = {}

    @property
    def channels(self) -> list[Channel]:
        """The channels that are set up."""
        channels: list[Channel] = []
        if can_mail(self._settings):
            channels.append("email")
        if can_text(self._settings):
            channels.append("phone")
        return channels

    def wake(self) -> None:
        """Check the outbox now: a message was queued."""
        for event in self._news.values():
            event.set()

    async def follow(self, channel: Channel) -> None:
        """Send due messages of one channel until stopped: none waits for another's server."""
        news = self._news[channel] = asyncio.Event()
        sending: set[asyncio.Task[None]] = set()
        try:
            while True:
                news.clear()
                messages = await self._lease(channel)
                sending = {asyncio.create_task(self._deliver(message)) for message in messages}
                if sending:
                    await asyncio.wait(sending)
                else:
                    # Python 3.11's `wait_for` loses a cancellation that comes with the news.
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(POLL_SECONDS):
                            await news.wait()
        finally:
            if sending:
                await asyncio.wait(sending, timeout=_FAREWELL_SECONDS)
            for task in sending:
                task.cancel()

    async def _lease(self, channel: Channel) -> list[Message]:
        now = datetime.now(UTC)
        try:
            if not await self._store.fetch(lambda db: outbox.has_due(db, channel, now)):
                return []
            count = MAX_AT_ONCE[channel]
            return await self._store.transact(lambda db: outbox.lease(db, channel, count, now))
        except StoreUnavailableError:
            return []

    async def _deliver(self, message: Message) -> None:
        """Send one message and settle it. A store that is away then leaves it to the end of the
        lease.
        """
        fault, is_permanent = "", False
        try:
            if message.channel == "phone":
                await send_text(self._settings.phone_command, message.recipient, message.body)
            else:
                server = mail_server(self._settings.smtp_url)
                if server is None:
                    raise LookupError("no mail server")
                sender = self._settings.mail_from or f"no-reply@{server.host}"
                await send_mail(server, as_mail(message, sender))
        except RefusedError:
            fault, is_permanent = "recipient refused", True
        except Exception as error:
            # The error's own text may contain the address. The mail client wraps network errors.
            cause = error.__cause__
            fault = type(cause if isinstance(cause, OSError) else error).__name__
        now = datetime.now(UTC)
        if fault:
            self._log.warning(
                "message_not_sent",
                message_id=message.message_id,
                channel=message.channel,
                attempts=message.attempts,
                fault=fault,
            )
        with contextlib.suppress(StoreUnavailableError):
            if fault:
                await self._store.transact(
                    lambda db: outbox.settle_failed(
                        db, message, fault, now, is_permanent=is_permanent
                    )
                )
            else:
                await self._store.transact(lambda db: outbox.settle_sent(db, message, now))


def as_mail(message: Message, sender: str) -> EmailMessage:
    """Write a message as an e-mail. Its id is the same in each attempt: one that arrives twice is
    shown once.
    """
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = message.recipient
    mail["Subject"] = message.subject
    mail["Date"] = format_datetime(datetime.now(UTC))
    mail["Message-ID"] = f"<{outbox.message_name(message)}@{sender.rpartition('@')[2].strip('> ')}>"
    mail.set_content(message.body)
    return mail


# ---------------------------------------------------------------- servers


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
