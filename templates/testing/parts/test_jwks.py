"""Keys are fetched when they are needed, not more often, and from nowhere else."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import TypeAlias

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from runtime.recipes.authentication import jwks
from runtime.recipes.authentication.jwks import JwksKeys, KeysUnavailable, download

URL = "https://issuer.example/keys"
KEY = json.loads(
    RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 2048).public_key())
)

pytestmark = pytest.mark.anyio


Answer: TypeAlias = tuple[int, bytes] | Exception | None


async def in_chunks(body: bytes) -> AsyncIterator[bytes]:
    """Send a body in two pieces."""
    yield body[:1000]
    yield body[1000:]


class Issuer:
    """Publishes keys; time is its own.

    Attributes:
        names: The keys' names.
        answer: What comes in their place, if anything: a status and a body.
        asked: The requests that it got.
        now: The time, in seconds.
    """

    def __init__(self) -> None:
        """Publish one key."""
        self.names = ["one"]
        self.answer: Answer = None
        self.asked: list[httpx.Request] = []
        self.now = 1000.0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        keys = [{**KEY, "kid": name, "use": "sig"} for name in self.names]
        status, body = self.answer or (200, json.dumps({"keys": keys}).encode())
        elsewhere = {"Location": "https://evil.example/"}
        return httpx.Response(status, headers=elsewhere, content=in_chunks(body))


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Issuer:
    """An issuer that is asked in the place of the network."""
    made = Issuer()
    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(made))
    monkeypatch.setattr(httpx, "AsyncClient", client)
    monkeypatch.setattr(jwks, "monotonic", lambda: made.now)
    return made


def keys() -> JwksKeys:
    """Know the issuer."""
    return JwksKeys(URL, ("RS256",), ttl_s=600, cooldown_s=30)


async def test_the_document_is_asked_for_as_it_is(issuer: Issuer) -> None:
    """Not compressed, so that its limit is one of memory."""
    body = await download(URL)

    (request,) = issuer.asked
    assert json.loads(body)["keys"][0]["kid"] == "one"
    assert (request.method, str(request.url)) == ("GET", URL)
    assert request.headers["accept"] == "application/json"
    assert request.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((302, b""), "the answer was 302"),
        ((404, b""), "the answer was 404"),
        ((200, b" " * (512 * 1024 + 1)), "the answer is too long"),
    ],
    ids=["elsewhere", "nothing", "too long"],
)
async def test_another_answer_holds_no_keys(
    issuer: Issuer, answer: Answer, said: str
) -> None:
    """No redirect is followed."""
    issuer.answer = answer

    with pytest.raises(KeysUnavailable, match=f"^{said}$"):
        await download(URL)

    assert len(issuer.asked) == 1


async def test_an_answer_is_not_waited_for_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here the time is up at once."""
    up_at_once, waited = asyncio.timeout(0), list[float]()

    def timeout(seconds: float) -> asyncio.Timeout:
        waited.append(seconds)
        return up_at_once

    async def hang(_: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(hang))
    monkeypatch.setattr(httpx, "AsyncClient", client)
    monkeypatch.setattr(asyncio, "timeout", timeout)

    with pytest.raises(TimeoutError):
        await download(URL)

    assert waited == [5]


async def test_as_much_as_allowed_is_read(issuer: Issuer) -> None:
    """The limit itself is allowed."""
    issuer.answer = 200, b" " * (512 * 1024)

    assert len(await download(URL)) == 512 * 1024


async def test_keys_are_fetched_once_for_their_time(issuer: Issuer) -> None:
    """And not before they are needed."""
    found = keys()
    assert issuer.asked == []

    assert await found.find("one", "RS256")
    issuer.now += 600
    assert await found.find("one", "RS256")
    assert len(issuer.asked) == 1

    issuer.names = ["two"]
    issuer.now += 1
    assert await found.find("one", "RS256") is None
    assert await found.find("two", "RS256")
    assert len(issuer.asked) == 2


async def test_an_unknown_key_is_asked_for_once_in_each_cooldown(
    issuer: Issuer,
) -> None:
    """A storm of guesses is one fetch."""
    found = keys()
    await found.find("one", "RS256")
    issuer.names.append("two")

    issuer.now += 29
    assert await found.find("two", "RS256") is None
    assert len(issuer.asked) == 1
    issuer.now += 1
    assert await found.find("two", "RS256")
    assert len(issuer.asked) == 2


@pytest.mark.parametrize("kid", [None, 1])
async def test_what_names_no_key_asks_for_none(issuer: Issuer, kid: object) -> None:
    """Nor does another algorithm."""
    assert await keys().find(kid, "RS256") is None
    assert await keys().find("one", "none") is None
    assert issuer.asked == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (httpx.ConnectError("refused"), f"can't fetch the keys of {URL}: refused"),
        (OSError(), f"can't fetch the keys of {URL}: OSError"),
        ((500, b""), f"can't fetch the keys of {URL}: the answer was 500"),
        (None, f"{URL} has no key that can be used"),
    ],
    ids=["no answer", "no network", "an error", "no keys"],
)
async def test_an_issuer_that_is_down_is_not_asked_in_vain(
    issuer: Issuer,
    answer: Answer,
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its keys are good for a day beyond their time, and no longer."""
    found = keys()
    issuer.names, issuer.answer = [], answer
    with pytest.raises(KeysUnavailable) as refused:
        await found.find("one", "RS256")
    assert str(refused.value) == "there is no fit copy of the issuer's keys"
    assert caplog.record_tuples == [(jwks.__name__, logging.WARNING, said)]

    issuer.now += 30
    issuer.names, issuer.answer = ["one"], None
    assert await found.find("one", "RS256")
    issuer.names, issuer.answer = [], answer
    issuer.now += 600 + 86_400
    assert await found.find("one", "RS256")
    issuer.now += 1
    with pytest.raises(KeysUnavailable):
        await found.find("one", "RS256")


@pytest.mark.parametrize(
    ("url", "is_safe"),
    [
        (URL, True),
        ("http://localhost/keys", True),
        ("http://127.0.0.1:8000/keys", True),
        ("http://[::1]/keys", True),
        ("http://issuer.example/keys", False),
        ("https://user@issuer.example/keys", False),
        ("ftp://issuer.example/keys", False),
        ("https:///keys", False),
        ("https://issuer:port/", False),
    ],
)
def test_keys_come_from_where_nobody_can_change_them(
    url: str, *, is_safe: bool
) -> None:
    """So not over plain HTTP, but on this machine."""
    if is_safe:
        JwksKeys(url, ("RS256",), ttl_s=1, cooldown_s=1)
        return
    said = "^a key set's URL is https, or http on loopback; no login$"
    with pytest.raises(ValueError, match=said):
        JwksKeys(url, ("RS256",), ttl_s=1, cooldown_s=1)
