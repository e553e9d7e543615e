"""A webhook is called at an address that was checked just then, and nowhere else."""

import asyncio
import logging
import socket
from ipaddress import ip_network
from pathlib import Path
from time import monotonic

import httpcore
import pytest
from tests.runtime.webhooks import Hook, Names, certified, hooked, loopback_rules

from runtime.recipes.push.webhook_client import WebhookClient, look_up
from runtime.recipes.push.webhook_url import WebhookRefused, WebhookRules

pytestmark = [pytest.mark.service, pytest.mark.anyio]

HOST = "hooks.example.com"
PUBLIC = WebhookRules(schemes=("https", "http"), hosts=None, ports=None, networks=())
URL = f"https://{HOST}/hook"


class Dialed:
    """Stands in for connections: what was asked for, and none is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.origins: list[str] = []
        monkeypatch.setattr(httpcore, "AsyncHTTPConnection", self)

    def __call__(self, origin: httpcore.Origin, _: object) -> object:
        self.origins.append(origin.host.decode())
        raise httpcore.ConnectError("unreachable in a test")


async def post(
    client: WebhookClient, url: str = URL, headers: dict[str, str] | None = None
) -> int:
    return await client.post(url, headers or {}, b"{}")


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["fe80::1%eth0"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a9fe:a9fe"],
        ["8.8.8.8", "10.0.0.1"],
        ["10.0.0.1", "8.8.8.8"],
        ["8.8.8.8", "what is this"],
        [],
        socket.gaierror("unknown name"),
    ],
    ids=str,
)
async def test_one_address_that_is_not_allowed_is_enough(
    monkeypatch: pytest.MonkeyPatch, answer: list[str] | OSError
) -> None:
    Names(monkeypatch, answer)
    dialed = Dialed(monkeypatch)
    client = WebhookClient(PUBLIC, timeout_s=1)
    # The text doesn't tell which names are known in here.
    with pytest.raises(WebhookRefused, match=r"^the webhook's address isn't allowed$"):
        await client.check(URL)
    with pytest.raises(WebhookRefused, match=r"^the webhook's address isn't allowed$"):
        await post(client)
    assert dialed.origins == []


async def test_a_name_that_changed_since_it_was_checked_is_not_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = Names(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    dialed = Dialed(monkeypatch)
    client = WebhookClient(PUBLIC, timeout_s=1)
    await client.check(URL)
    with pytest.raises(WebhookRefused):
        await post(client)
    assert names.asked == [(HOST, 443)] * 2
    assert dialed.origins == []


async def test_the_name_is_not_looked_up_again_to_connect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Were there a second look-up, it would lead to the loopback address.
    names = Names(monkeypatch, ["8.8.8.8", "1.1.1.1"], ["127.0.0.1"])
    dialed = Dialed(monkeypatch)
    with pytest.raises(httpcore.ConnectError):
        await post(WebhookClient(PUBLIC, timeout_s=1))
    assert names.asked == [(HOST, 443)]
    assert dialed.origins == ["8.8.8.8", "1.1.1.1"]


async def test_only_what_was_looked_up_is_resolved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No library below looks a name up by itself."""
    Names(monkeypatch, ["127.0.0.1"])

    async def never(*_: object, **__: object) -> list[object]:
        raise AssertionError

    async with hooked() as hook:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "getaddrinfo", never)
        monkeypatch.setattr(socket, "getaddrinfo", never)
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        assert await post(client, hook.url(HOST)) == 200
    assert hook.calls[0].headers["host"] == f"{HOST}:{hook.port}"


async def test_the_next_address_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hooked() as hook:
        Names(monkeypatch, ["::1", "127.0.0.1"])
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        assert await post(client, hook.url(HOST)) == 200
    assert len(hook.calls) == 1


async def test_tls_verifies_the_name_and_not_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tls = certified(tmp_path, monkeypatch)
    Names(monkeypatch, ["127.0.0.1"])
    async with hooked(tls=tls) as hook:
        client = WebhookClient(loopback_rules(hook.port, scheme="https"), timeout_s=5)
        assert await post(client, hook.url(HOST, "https")) == 200
        for other in ("other.example.com", "127.0.0.1"):
            with pytest.raises(httpcore.ConnectError, match="CERTIFICATE_VERIFY"):
                await post(client, hook.url(other, "https"))
    assert len(hook.calls) == 1


async def test_a_certificate_of_nobody_known_is_not_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tls = certified(tmp_path, monkeypatch)
    monkeypatch.delenv("SSL_CERT_FILE")
    Names(monkeypatch, ["127.0.0.1"])
    async with hooked(tls=tls) as hook:
        client = WebhookClient(loopback_rules(hook.port, scheme="https"), timeout_s=5)
        with pytest.raises(httpcore.ConnectError, match="CERTIFICATE_VERIFY"):
            await post(client, hook.url(HOST, "https"))
    assert not hook.calls


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(status: int) -> None:
    async with hooked() as inner, hooked() as hook:
        hook.answer = (
            f"HTTP/1.1 {status} Elsewhere\r\nLocation: {inner.url()}\r\n"
            "Content-Length: 0\r\n\r\n"
        ).encode()
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        assert await post(client, hook.url()) == status
    assert hook.opened == 1
    assert inner.opened == 0


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 1_000_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"1\r\nx\r\n" * 100_000,
    ],
    ids=["long", "chunks"],
)
async def test_the_body_of_an_answer_is_not_read(answer: bytes) -> None:
    async with hooked(Hook(answer=answer)) as hook:
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        assert await post(client, hook.url()) == 200


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 2_000_000,
        b"HTTP/1.1 200 OK\r\n" + b"X-Many: 1\r\n" * 200_000,
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"",
    ],
    ids=["long-header", "many-headers", "no-http", "nothing"],
)
async def test_what_is_no_answer_is_given_up(answer: bytes) -> None:
    async with hooked(Hook(answer=answer)) as hook:
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        with pytest.raises(httpcore.RemoteProtocolError):
            await post(client, hook.url())


@pytest.mark.parametrize(
    "hook",
    [
        Hook(silent=True),
        Hook(drips=True, delay_s=0.02),
        Hook(drips=True, delay_s=0.01, answer=b"HTTP/1.1 102 Processing\r\n\r\n"),
    ],
    ids=["silent", "drips", "interim"],
)
async def test_a_webhook_that_does_not_answer_is_given_up_in_time(hook: Hook) -> None:
    async with hooked(hook):
        client = WebhookClient(loopback_rules(hook.port), timeout_s=0.3)
        began = monotonic()
        with pytest.raises(TimeoutError):
            await post(client, hook.url())
    assert monotonic() - began < 2


async def test_a_name_server_that_does_not_answer_is_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(*_: object) -> list[str]:
        await asyncio.sleep(3600)
        return []

    monkeypatch.setattr("runtime.recipes.push.webhook_client.look_up", never)
    client = WebhookClient(PUBLIC, timeout_s=0.1)
    with pytest.raises(WebhookRefused):
        await client.check(URL)
    with pytest.raises(TimeoutError):
        await post(client)


async def test_nothing_of_the_address_or_the_headers_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with hooked() as hook:
            client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
            url = f"{hook.url()}/services/T0/secret-path?key=secret-query"
            assert await post(client, url, {"X-Token": "secret-token"}) == 200
    assert hook.calls[0].line == (
        "POST /hook/services/T0/secret-path?key=secret-query HTTP/1.1"
    )
    assert "secret" not in caplog.text


async def test_a_proxy_of_the_environment_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with hooked() as proxy, hooked() as hook:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        assert await post(client, hook.url()) == 200
    assert proxy.opened == 0


async def test_addresses_are_looked_up_without_a_network() -> None:
    assert await look_up("127.0.0.1", 443) == ["127.0.0.1"]
    rules = WebhookRules(
        schemes=("https",), hosts=None, ports=None, networks=(ip_network("::1/128"),)
    )
    await WebhookClient(rules, timeout_s=5).check("https://[::1]/")
