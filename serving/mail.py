"""Messages to operators: by e-mail, and to a place's listed telephone through a program of your own.

Both are set up by configuration and off without it. A message that cannot be sent is logged without its
address and without its text.
"""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from serving.context import Context
from serving.settings import SettingError

_SECONDS = 20
# Sendings go on after the answer; a task that nobody holds may be collected.
_under_way: set[asyncio.Task[None]] = set()


class MailServer(NamedTuple):
    """Where mail is handed in. `smtp`: in the clear or with STARTTLS; `smtps`: encrypted from the start."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None


@lru_cache(maxsize=4)
def mail_server(url: str) -> MailServer | None:
    """The server of LARDER_SMTP_URL; None when it is empty. Raises SettingError."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise SettingError("LARDER_SMTP_URL is no URL") from error
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise SettingError("LARDER_SMTP_URL is smtp://user:password@host:587 or smtps://...:465")
    default = 465 if parts.scheme == "smtps" else 25
    user, password = (unquote(p) if p else None for p in (parts.username, parts.password))
    return MailServer(parts.scheme, parts.hostname, port or default, user, password)


def can_mail(context: Context) -> bool:
    """Whether e-mail is set up."""
    return mail_server(context.settings.smtp_url) is not None


def mail_later(context: Context, to: str, subject: str, text: str) -> None:
    """Send an e-mail after the answer. Call it on the event loop."""
    server = mail_server(context.settings.smtp_url)
    if server is None:
        return
    message = EmailMessage()
    message["From"] = context.settings.mail_from or f"no-reply@{server.host}"
    message["To"] = to
    message["Subject"] = subject
    message.set_content(text)
    _later(context, "mail_not_sent", asyncio.to_thread(_send_mail, server, message))


def can_text(context: Context) -> bool:
    """Whether a program is set up that reaches telephones."""
    return bool(context.settings.phone_command)


def text_later(context: Context, phone: str, text: str) -> None:
    """Hand a short message to LARDER_PHONE_COMMAND, as JSON on its standard input."""
    body = msgspec.json.encode({"phone": phone, "text": text})
    _later(context, "phone_message_not_sent", _run(context.settings.phone_command, body))


def _later(context: Context, event: str, sending: object) -> None:
    async def run() -> None:
        try:
            await sending  # type: ignore[misc]
        except Exception as error:
            # The error's own text may hold the address.
            context.log.error(event, fault=type(error).__name__)

    task = asyncio.create_task(run())
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


def _send_mail(server: MailServer, message: EmailMessage) -> None:
    tls = ssl.create_default_context()
    if server.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=_SECONDS, context=tls)  # fmt: skip
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=_SECONDS)
    with connection:
        connection.ehlo()
        if server.scheme == "smtp" and connection.has_extn("starttls"):
            connection.starttls(context=tls)
            connection.ehlo()
        elif server.scheme == "smtp" and server.user:
            raise SettingError("the mail server offers no encryption: the password is not sent")
        if server.user:
            connection.login(server.user, server.password or "")
        connection.send_message(message)


async def _run(command: str, body: bytes) -> None:
    process = await asyncio.create_subprocess_exec(
        command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )  # fmt: skip
    try:
        await asyncio.wait_for(process.communicate(body), _SECONDS)
    except TimeoutError:
        process.kill()
        raise
    if process.returncode:
        raise RuntimeError(f"status {process.returncode}")
