"""The keys of an issuer, fetched from a real server on loopback."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import pytest
from tests.runtime.issuing import (
    KeyServer,
    key_server,
    private_jwk,
    public_ec_jwk,
    public_jwk,
    rsa,
)

from runtime.recipes.authentication import jwks
from runtime.recipes.authentication.jwks import JwksKeys, KeysUnavailable
from runtime.recipes.authentication.verifying_keys import published_keys

pytestmark = pytest.mark.service

ResultT = TypeVar("ResultT")


@pytest.fixture
def issuer() -> Iterator[KeyServer]:
    with key_server() as served:
        yield served


class Clock:
    """Stands still until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(jwks, "monotonic", made)
    return made


def keys_of(issuer: KeyServer, *, url: str | None = None) -> JwksKeys:
    return JwksKeys(url or issuer.url, ("RS256",), ttl_s=600, cooldown_s=30)


async def has(keys: JwksKeys, kid: object, algorithm: object = "RS256") -> bool:
    return await keys.find(kid, algorithm) is not None


def run(act: Callable[[], Awaitable[ResultT]]) -> ResultT:
    async def main() -> ResultT:
        return await act()

    return asyncio.run(main())


def test_nothing_is_fetched_before_the_first_token_and_then_once(
    issuer: KeyServer, clock: Clock
) -> None:
    keys = keys_of(issuer)
    assert issuer.fetches == 0

    async def twice() -> None:
        assert await has(keys, "one")
        clock.now += 599
        assert await has(keys, "one")

    run(twice)
    assert issuer.fetches == 1


def test_an_old_copy_is_renewed_and_what_was_withdrawn_is_gone(
    issuer: KeyServer, clock: Clock
) -> None:
    keys = keys_of(issuer)

    async def act() -> None:
        assert await has(keys, "one")
        issuer.keys = [public_jwk(rsa("two"), kid="two")]
        clock.now += 601
        assert not await has(keys, "one")
        assert await has(keys, "two")

    run(act)
    assert issuer.fetches == 2


def test_a_new_key_is_found_after_the_cooldown(issuer: KeyServer, clock: Clock) -> None:
    keys = keys_of(issuer)

    async def act() -> None:
        assert await has(keys, "one")
        issuer.keys.append(public_jwk(rsa("two"), kid="two"))
        clock.now += 29
        assert not await has(keys, "two")
        clock.now += 1
        assert await has(keys, "two")

    run(act)
    assert issuer.fetches == 2


def test_a_storm_of_unknown_keys_is_one_fetch_in_each_cooldown(
    issuer: KeyServer, clock: Clock
) -> None:
    keys = keys_of(issuer)
    issuer.delay_s = 0.05

    async def storm() -> None:
        for _ in range(2):
            names = [f"guess{number}" for number in range(100)]
            assert not any(await asyncio.gather(*(has(keys, kid) for kid in names)))

    run(storm)
    assert issuer.fetches == 1
    clock.now += 30
    run(storm)
    assert issuer.fetches == 2


def test_a_storm_does_not_delay_callers_whose_key_is_known(issuer: KeyServer) -> None:
    keys = JwksKeys(issuer.url, ("RS256",), ttl_s=600, cooldown_s=0)

    async def act() -> None:
        await has(keys, "one")
        issuer.delay_s = 0.5
        guess = asyncio.create_task(has(keys, "guess"))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(0.2):
            assert await has(keys, "one")
        assert not await guess

    run(act)


def test_who_goes_away_does_not_end_the_fetch_of_the_others(
    issuer: KeyServer, clock: Clock
) -> None:
    del clock
    keys = keys_of(issuer)
    issuer.delay_s = 0.2

    async def act() -> bool:
        first = asyncio.create_task(has(keys, "one"))
        second = asyncio.create_task(has(keys, "one"))
        await asyncio.sleep(0.05)
        first.cancel()
        return await second

    assert run(act)
    assert issuer.fetches == 1


def test_the_event_loop_goes_on_while_keys_are_fetched(issuer: KeyServer) -> None:
    keys = keys_of(issuer)
    issuer.delay_s = 0.3

    async def act() -> int:
        fetching = asyncio.create_task(has(keys, "one"))
        turns = 0
        while not fetching.done():
            await asyncio.sleep(0.01)
            turns += 1
        return turns

    assert run(act) > 10


def down(issuer: KeyServer) -> None:
    issuer.status = 503


def moved(issuer: KeyServer) -> None:
    issuer.status, issuer.headers = 302, {"Location": issuer.url}


def garbled(issuer: KeyServer) -> None:
    issuer.body = b"<html>maintenance</html>"


def emptied(issuer: KeyServer) -> None:
    issuer.keys = []


def endless(issuer: KeyServer) -> None:
    issuer.body = json.dumps({"keys": issuer.keys}).encode() + b" " * (512 * 1024)


Failure = Callable[[KeyServer], None]
FAILURES = [down, moved, garbled, emptied, endless]


@pytest.mark.parametrize("fails", FAILURES)
def test_the_old_keys_are_kept_for_a_day_when_the_issuer_fails(
    issuer: KeyServer, clock: Clock, fails: Failure
) -> None:
    keys = keys_of(issuer)

    async def act() -> None:
        assert await has(keys, "one")
        fails(issuer)
        clock.now += 601
        assert await has(keys, "one")
        assert await has(keys, "one")
        assert issuer.fetches == 2, "the cooldown holds for a failing issuer too"
        clock.now += 86_400
        with pytest.raises(KeysUnavailable):
            await has(keys, "one")

    run(act)


@pytest.mark.parametrize("fails", FAILURES)
def test_without_any_keys_nobody_can_be_verified(
    issuer: KeyServer, clock: Clock, fails: Failure
) -> None:
    keys = keys_of(issuer)
    fails(issuer)

    async def act() -> None:
        for _ in range(2):
            with pytest.raises(KeysUnavailable):
                await has(keys, "one")
        assert issuer.fetches == 1
        fresh = KeyServer(issuer.url)
        issuer.status, issuer.body, issuer.keys = 200, None, fresh.keys
        issuer.headers = {}
        clock.now += 30
        assert await has(keys, "one")

    run(act)


def test_an_issuer_that_is_not_there_or_hangs_is_an_issuer_that_fails(
    issuer: KeyServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(jwks, "_TIMEOUT_S", 0.1)
    issuer.delay_s = 0.4

    async def act() -> None:
        for url in ("http://127.0.0.1:1/keys", issuer.url):
            with pytest.raises(KeysUnavailable):
                await has(keys_of(issuer, url=url), "one")

    with caplog.at_level(logging.WARNING, logger="runtime"):
        run(act)
    lines = [record.getMessage() for record in caplog.records]
    assert [line.partition(": ")[0] for line in lines] == [
        "can't fetch the keys of http://127.0.0.1:1/keys",
        f"can't fetch the keys of {issuer.url}",
    ]


@pytest.mark.parametrize(
    ("kid", "algorithm"),
    [
        (None, "RS256"),
        (7, "RS256"),
        ("one", "HS256"),
        ("one", None),
        ("one", ["RS256"]),
    ],
)
def test_a_header_that_fits_no_key_fetches_nothing(
    issuer: KeyServer, kid: object, algorithm: object
) -> None:
    assert not run(lambda: has(keys_of(issuer), kid, algorithm))
    assert issuer.fetches == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://login.example/keys",
        "ftp://login.example/keys",
        "https:///keys",
        "keys",
        "https://user:password@login.example/keys",
        "https://login.example:port/keys",
    ],
)
def test_a_url_where_others_could_put_in_keys_stops_the_start(url: str) -> None:
    with pytest.raises(ValueError, match="URL is https") as caught:
        JwksKeys(url, ("RS256",), ttl_s=1, cooldown_s=1)
    assert "password" not in str(caught.value)


def published(*keys: dict[str, object]) -> set[tuple[str, str]]:
    document = json.dumps({"keys": keys}).encode()
    return set(published_keys(document, ("RS256", "PS256", "ES256", "ES384")))


def test_a_key_is_for_its_own_algorithm_or_for_all_that_it_fits() -> None:
    assert published(
        public_jwk(rsa(), kid="one", alg="RS256"),
        public_jwk(rsa(), kid="any", key_ops=["verify"]),
        public_ec_jwk(kid="curve"),
    ) == {("one", "RS256"), ("any", "RS256"), ("any", "PS256"), ("curve", "ES256")}


@pytest.mark.parametrize(
    "unfit",
    [
        public_jwk(rsa()),
        public_jwk(rsa(), kid=7),
        public_jwk(rsa(), kid="x", use="enc"),
        public_jwk(rsa(), kid="x", key_ops=["sign"]),
        public_jwk(rsa(), kid="x", key_ops="verify"),
        public_jwk(rsa(), kid="x", alg="RS512"),
        private_jwk(kid="x", key_ops=["verify"]),
        public_jwk(rsa("short", 1024), kid="x"),
        {"kid": "x", "kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"},
        {"kid": "x", "kty": "RSA", "n": 1, "e": "AQAB"},
        {"kid": "x", "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kid": "x"},
    ],
)
def test_an_unfit_key_is_passed_over_and_the_others_are_not(
    unfit: dict[str, object],
) -> None:
    fit = public_ec_jwk(kid="curve", alg="ES256")
    assert published(unfit, fit) == {("curve", "ES256")}
