"""Sends outbox messages in background tasks; no reader's request waits for them.

Several processes may send from one store; each leases its messages. Failed messages are logged by
number, without address and text.
"""

import asyncio
import contextlib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from serving.notifications import senders
from serving.settings import Settings
from warehouse.operations import outbox
from warehouse.operations.contacts import Channel
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.outbox import Message

# Concurrent messages per channel.
MAX_AT_ONCE: dict[Channel, int] = {"email": 4, "phone": 4}
POLL_SECONDS = 2.0
# At shutdown, messages in progress get this long; the leases of the rest expire.
_FAREWELL_SECONDS = 3.0


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
        if senders.can_mail(self._settings):
            channels.append("email")
        if senders.can_text(self._settings):
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
            await self._send(message)
        except senders.RefusedError:
            fault, is_permanent = "recipient refused", True
        except Exception as error:
            # The error's own text may contain the address. The mail client wraps network errors.
            cause = error.__cause__
            fault = type(cause if isinstance(cause, OSError) else error).__name__
        now = datetime.now(UTC)
        self._note(message, fault)
        with contextlib.suppress(StoreUnavailableError):
            if fault:
                await self._store.transact(
                    lambda db: outbox.settle_failed(
                        db, message, fault, now, is_permanent=is_permanent
                    )
                )
            else:
                await self._store.transact(lambda db: outbox.settle_sent(db, message, now))

    def _note(self, message: Message, fault: str) -> None:
        if fault:
            self._log.warning(
                "message_not_sent",
                message_id=message.message_id,
                channel=message.channel,
                attempts=message.attempts,
                fault=fault,
            )

    async def _send(self, message: Message) -> None:
        if message.channel == "phone":
            await senders.send_text(self._settings.phone_command, message.recipient, message.body)
            return
        server = senders.mail_server(self._settings.smtp_url)
        if server is None:
            raise LookupError("no mail server")
        sender = self._settings.mail_from or f"no-reply@{server.host}"
        await senders.send_mail(server, as_mail(message, sender))


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
