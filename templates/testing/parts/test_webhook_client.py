"""A webhook is called at an address that was checked just then, and nowhere else."""

import asyncio
import socket
import ssl
from ipaddress import ip_network
from threading import current_thread

import httpcore
import pytest

from runtime.recipes.push import webhook_client
from runtime.recipes.push.webhook_client import WebhookClient, look_up
from runtime.recipes.push.webhook_url import WebhookRefused, WebhookRules

pytestmark = pytest.mark.anyio

URL = "https://hook.example/path?q=1"
RULES = WebhookRules(
    schemes=("https", "http"),
    hosts=None,
    ports=(80, 443, 8443),
    networks=(ip_network("10.1.0.0/16"),),
)
REFUSED = r"^the webhook's address isn't allowed$"


class Stream(httpcore.AsyncMockStream):
    """Takes a request, and gives an answer."""

    def __init__(self, net: "Net") -> None:
        """Give the one of the network."""
        super().__init__([net.answer])
        self._net = net

    async def write(self, buffer: bytes, *_: object, **__: object) -> None:
        """Take a piece."""
        self._net.written += buffer

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        *_: object,
        **__: object,
    ) -> httpcore.AsyncNetworkStream:
        """Take the name that a certificate has to be for."""
        self._net.verified.append((ssl_context, server_hostname))
        return self


class Net(httpcore.AsyncMockBackend):
    """A network of which nothing is connected to."""

    def __init__(self) -> None:
        """Have one host with one address, that answers."""
        super().__init__([])
        self.addresses: list[str] | OSError = ["8.8.8.8"]
        self.dead: tuple[str, ...] = ()
        self.answer = b"HTTP/1.1 204 No Content\r\n\r\n"
        self.asked: list[tuple[str, int]] = []
        self.dialed: list[tuple[str, int]] = []
        self.verified: list[tuple[ssl.SSLContext, str | None]] = []
        self.written = b""
        self.delay_s = 0.0

    async def look_up(self, host: str, port: int) -> list[str]:
        """Give the addresses of the host."""
        self.asked.append((host, port))
        await asyncio.sleep(self.delay_s)
        if isinstance(self.addresses, OSError):
            raise self.addresses
        return self.addresses

    async def connect_tcp(
        self, host: str, port: int, *_: object, **__: object
    ) -> httpcore.AsyncNetworkStream:
        """Connect to an address, unless it is dead."""
        self.dialed.append((host, port))
        if host in self.dead:
            raise httpcore.ConnectError(f"no way to {host}")
        return Stream(self)


@pytest.fixture(autouse=True)
def net(monkeypatch: pytest.MonkeyPatch) -> Net:
    """The network of these tests."""
    made, connection = Net(), httpcore.AsyncHTTPConnection

    def connect(
        origin: httpcore.Origin, tls: ssl.SSLContext | None
    ) -> httpcore.AsyncHTTPConnection:
        return connection(origin, tls, network_backend=made)

    monkeypatch.setattr("httpcore.AsyncHTTPConnection", connect)
    monkeypatch.setattr(webhook_client, "look_up", made.look_up)
    return made


async def post(client: WebhookClient, url: str = URL) -> int:
    """Call a webhook."""
    return await client.post(url, {"X-Token": "t"}, b'{"a":1}')


async def test_the_address_is_called_by_the_name_of_the_host(net: Net) -> None:
    """TLS verifies the name; the certificates are read once."""
    client = WebhookClient(RULES, timeout_s=5)

    assert [await post(client) for _ in range(2)] == [204, 204]

    assert net.asked == [("hook.example", 443)] * 2
    assert net.dialed == [("8.8.8.8", 443)] * 2
    (first, name), second = net.verified
    assert (name, second) == ("hook.example", (first, name))
    assert first.verify_mode is ssl.CERT_REQUIRED
    assert first.check_hostname
    head, _, body = net.written.partition(b"\r\n\r\n")
    line, *headers = head.decode().split("\r\n")
    assert line == "POST /path?q=1 HTTP/1.1"
    assert headers[:4] == [
        "Host: hook.example",
        "Content-Type: application/json",
        "Connection: close",
        "X-Token: t",
    ]
    assert body.startswith(b'{"a":1}')


async def test_without_tls_nothing_is_verified(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rules allow that; a redirect isn't followed."""
    monkeypatch.delattr(webhook_client, "create_ssl_context")
    net.answer = b"HTTP/1.1 302 Found\r\nLocation: http://other.example/\r\n\r\n"

    assert (
        await post(WebhookClient(RULES, timeout_s=5), "http://hook.example:8443") == 302
    )

    assert net.verified == []
    assert net.dialed == [("8.8.8.8", 8443)]
    assert b"\r\nHost: hook.example:8443\r\n" in net.written


async def test_the_next_address_is_tried(net: Net) -> None:
    """The last failure is told, if there is no other."""
    net.addresses, net.dead = ["8.8.8.8", "10.1.0.1"], ("8.8.8.8",)
    client = WebhookClient(RULES, timeout_s=5)

    assert await post(client) == 204

    assert net.dialed == [("8.8.8.8", 443), ("10.1.0.1", 443)]
    net.dead = ("8.8.8.8", "10.1.0.1")
    with pytest.raises(httpcore.ConnectError, match=r"^no way to 10.1.0.1$"):
        await post(client)
    net.dead, net.written = ("10.1.0.1",), b""
    assert await post(client) == 204
    assert b'{"a":1}' in net.written


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["8.8.8.8", "10.2.0.1"],
        ["10.2.0.1", "8.8.8.8"],
        ["8.8.8.8", "what is this"],
        [],
        socket.gaierror("unknown"),
    ],
    ids=range(6),
)
async def test_one_address_that_is_not_allowed_is_enough(
    net: Net, addresses: list[str] | OSError
) -> None:
    """The same is told of each, and nothing is connected to."""
    net.addresses = addresses
    client = WebhookClient(RULES, timeout_s=5)

    with pytest.raises(WebhookRefused, match=REFUSED):
        await client.check(URL)
    with pytest.raises(WebhookRefused, match=REFUSED):
        await post(client)
    assert net.dialed == []


async def test_what_takes_too_long_is_given_up(net: Net) -> None:
    """A check refuses it."""
    net.delay_s = 30
    client = WebhookClient(RULES, timeout_s=0.02)

    with pytest.raises(WebhookRefused, match=REFUSED):
        await client.check(URL)
    with pytest.raises(TimeoutError):
        await post(client)


async def test_a_check_connects_to_nothing(net: Net) -> None:
    """What the rules don't allow isn't looked up, either."""
    client = WebhookClient(RULES, timeout_s=5)
    await client.check(URL)

    with pytest.raises(WebhookRefused, match="scheme"):
        await client.check("ftp://hook.example/")
    with pytest.raises(WebhookRefused, match="scheme"):
        await post(client, "ftp://hook.example/")
    assert (net.asked, net.dialed) == ([("hook.example", 443)], [])


async def test_each_address_of_a_host_is_found_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the order of the name server, and off the loop's own threads."""

    def getaddrinfo(host: str, port: int, **more: object) -> list[tuple[object, ...]]:
        assert (host, port) == ("hook.example", 443)
        assert more == {"type": socket.SOCK_STREAM}
        assert current_thread().name.startswith("webhook")
        return [(0, 0, 0, "", (name, port)) for name in ("::2", "::1", "::2")]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    assert await look_up("hook.example", 443) == ["::2", "::1"]
