"""A mail server on loopback that stores messages, or accepts connections and stays silent."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Message:
    """A message: recipients, ordered headers and text."""

    recipients: list[str] = field(default_factory=list)
    text: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class MailServer:
    """A running server. Until `speaks` is set, it accepts connections and stays silent."""

    url: str
    speaks: threading.Event
    messages: list[Message] = field(default_factory=list)
    silent_connections: int = 0


@contextmanager
def mail_server(*, is_silent: bool = False) -> Iterator[MailServer]:
    """Run a server; `speaks.set()` makes a silent one answer."""
    speaks = threading.Event()
    if not is_silent:
        speaks.set()
    server_state = MailServer("", speaks)

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            """Implement the part of RFC 5321 that submission needs."""
            if not speaks.is_set():
                server_state.silent_connections += 1
                speaks.wait()
                return
            self._say("220 catcher")
            mail = Message()
            while line := self.rfile.readline().decode().strip():
                verb = line.split()[0].upper()
                if verb == "RCPT":
                    mail.recipients.append(line.partition("<")[2].partition(">")[0])
                if verb == "DATA":
                    self._say("354 go on")
                    message = email.message_from_bytes(self._body(), policy=email.policy.default)
                    mail.text = message.get_content()
                    mail.headers = [(name, str(value)) for name, value in message.items()]
                    server_state.messages.append(mail)
                    mail = Message()
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
        server_state.url = f"smtp://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server_state
        finally:
            speaks.set()
            server.shutdown()
            thread.join()


@contextmanager
def mail_catcher() -> Iterator[tuple[str, list[Message]]]:
    """Yield the URL of a server and its received messages in order."""
    with mail_server() as server:
        yield server.url, server.messages
