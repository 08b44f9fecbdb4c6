"""A mail server of our own on the loopback that keeps what it is given, or accepts and says
nothing.
"""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Caught:
    """A message: who it went to, its headers in their order, and its text."""

    recipients: list[str] = field(default_factory=list)
    text: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class MailServer:
    """A running server. While `speaks` is not set, it accepts connections and says nothing."""

    url: str
    speaks: threading.Event
    messages: list[Caught] = field(default_factory=list)
    silenced: int = 0


@contextmanager
def mail_server(*, is_silent: bool = False) -> Iterator[MailServer]:
    """Run a server; `speaks.set()` brings a silent one back."""
    speaks = threading.Event()
    if not is_silent:
        speaks.set()
    running = MailServer("", speaks)

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            """As much of RFC 5321 as a client needs to hand in a message."""
            if not speaks.is_set():
                running.silenced += 1
                speaks.wait()
                return
            self._say("220 catcher")
            mail = Caught()
            while line := self.rfile.readline().decode().strip():
                verb = line.split()[0].upper()
                if verb == "RCPT":
                    mail.recipients.append(line.partition("<")[2].partition(">")[0])
                if verb == "DATA":
                    self._say("354 go on")
                    message = email.message_from_bytes(self._body(), policy=email.policy.default)
                    mail.text = message.get_content()
                    mail.headers = [(name, str(value)) for name, value in message.items()]
                    running.messages.append(mail)
                    mail = Caught()
                self._say("221 bye" if verb == "QUIT" else "250 ok")
                if verb == "QUIT":
                    return

        def _body(self) -> bytes:
            lines: list[bytes] = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line)
            return b"".join(lines)

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        running.url = f"smtp://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield running
        finally:
            speaks.set()
            server.shutdown()
            thread.join()


@contextmanager
def mail_catcher() -> Iterator[tuple[str, list[Caught]]]:
    """Yields the URL of a server that speaks and the messages that came, in order."""
    with mail_server() as server:
        yield server.url, server.messages
