"""A webhook on loopback that remembers what it got, and a name server of the test's."""

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from itertools import cycle
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID
from tests.runtime.issuing import rsa

from runtime.recipes.push.webhook_url import WebhookRules
from testing.harness import Json

__all__ = ["OPEN", "Call", "Hook", "Names", "certified", "hooked", "loopback_rules"]

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
OPEN = ("127.0.0.0/8", "::1/128")
_NAME = "hooks.example.com"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the webhook."""

    line: str
    headers: dict[str, str]
    body: Json


@dataclass(kw_only=True)
class Hook:
    """A webhook.

    Attributes:
        answer: What it answers with.
        delay_s: How long it waits before that.
        drips: Whether it waits so long before each byte, for ever.
        silent: Whether it never answers.
        port: Where it listens.
        calls: The calls it got.
        opened: How many connections it got.
    """

    answer: bytes = OK
    delay_s: float = 0
    drips: bool = False
    silent: bool = False
    port: int = 0
    calls: list[Call] = field(default_factory=list[Call])
    opened: int = 0
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    def url(self, host: str = "127.0.0.1", scheme: str = "http") -> str:
        """Give its address."""
        return f"{scheme}://{host}:{self.port}/hook"

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Take one call."""
        self.opened += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            line, *rest = head.strip().split("\r\n")
            pairs = (each.split(": ", 1) for each in rest)
            headers = {name.lower(): value for name, value in pairs}
            body = await reader.readexactly(int(headers["content-length"]))
            async with self._news:
                self.calls.append(Call(line, headers, json.loads(body)))
                self._news.notify_all()
            if self.silent:
                await reader.read()
            for piece in cycle(self.answer) if self.drips else [self.answer]:
                await asyncio.sleep(self.delay_s)
                writer.write(bytes([piece]) if isinstance(piece, int) else piece)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            return
        finally:
            writer.close()

    async def called(self, times: int, within_s: float = 10) -> list[Call]:
        """Wait until it was called so often."""
        async with asyncio.timeout(within_s):
            async with self._news:
                await self._news.wait_for(lambda: len(self.calls) >= times)
        return self.calls


@asynccontextmanager
async def hooked(
    hook: Hook | None = None, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Hook, None]:
    """Serve a webhook on loopback."""
    hook = hook or Hook()
    server = await asyncio.start_server(hook.serve, "127.0.0.1", 0, ssl=tls)
    hook.port = int(server.sockets[0].getsockname()[1])
    try:
        yield hook
    finally:
        server.close()


class Names:
    """Answers look-ups, each time with the next answer; the last one stays."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *answers: list[str] | OSError
    ) -> None:
        """Stand in for the name server."""
        self._answers = list(answers)
        self.asked: list[tuple[str, int]] = []
        monkeypatch.setattr("runtime.recipes.push.webhook_client.look_up", self)

    async def __call__(self, host: str, port: int) -> list[str]:
        """Answer."""
        await asyncio.sleep(0)
        self.asked.append((host, port))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, OSError):
            raise answer
        return answer


def loopback_rules(*ports: int, scheme: str = "http") -> WebhookRules:
    """Allow webhooks on loopback, at these ports."""
    return WebhookRules(
        schemes=(scheme,),
        hosts=None,
        ports=ports,
        networks=tuple(map(ip_network, OPEN)),
    )


def certified(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = _NAME
) -> ssl.SSLContext:
    """Certify a server for a name, and have clients trust that certificate."""
    key, now = rsa("webhook"), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    public, private = folder / "certificate.pem", folder / "key.pem"
    public.write_bytes(certificate.public_bytes(Encoding.PEM))
    private.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(public))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context
