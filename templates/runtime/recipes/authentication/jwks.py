"""The keys of an issuer by URL: fetched when needed, kept when the issuer is down.

PyJWT's own client blocks the event loop.
"""

import asyncio
import logging
from time import monotonic

import httpx
from jwt import PyJWK

from .verifying_keys import published_keys

__all__ = ["JwksKeys", "KeysUnavailable", "download"]

_log = logging.getLogger(__name__)

_OK = 200
_TIMEOUT_S = 5
_LIMIT_BYTES = 512 * 1024
# A day: who keeps us from the issuer can't have its old keys trusted for ever.
_STALE_S = 86_400


class KeysUnavailable(Exception):
    """The issuer's keys can't be had now."""


class JwksKeys:
    """A copy of an issuer's keys.

    It is renewed when it is too old, and when a token names a key that isn't
    there: by one fetch for all who wait, and at most once in each cooldown,
    whether the issuer answers or not.
    """

    def __init__(
        self, url: str, algorithms: tuple[str, ...], *, ttl_s: float, cooldown_s: float
    ) -> None:
        """Fetch nothing yet.

        Args:
            url: Where the issuer publishes its key set.
            algorithms: The asymmetric algorithms that keys are wanted for.
            ttl_s: For how many seconds a copy is good.
            cooldown_s: How many seconds lie between two fetches at least.

        Raises:
            ValueError: If the URL isn't fit to fetch keys from.
        """
        if not _is_safe(url):
            raise ValueError("a key set's URL is https, or http on loopback; no login")
        self._url = url
        self._algorithms = algorithms
        self._ttl_s, self._cooldown_s = ttl_s, cooldown_s
        # There may be others tomorrow.
        self.only: PyJWK | None = None
        self._keys: dict[tuple[str, str], PyJWK] = {}
        self._fetched = self._tried = float("-inf")
        self._fetch: asyncio.Task[None] | None = None

    async def find(self, kid: object, algorithm: object) -> PyJWK | None:
        """Give the key with this name for this algorithm, None without one.

        Raises:
            KeysUnavailable: If there is no copy that is fit for use.
        """
        if not isinstance(kid, str) or algorithm not in self._algorithms:
            return None
        name = (kid, str(algorithm))
        if name not in self._keys or self._age() > self._ttl_s:
            await self._renewed()
        if self._age() > self._ttl_s + _STALE_S:
            raise KeysUnavailable("there is no fit copy of the issuer's keys")
        return self._keys.get(name)

    def _age(self) -> float:
        return monotonic() - self._fetched

    async def _renewed(self) -> None:
        if self._fetch is None or self._fetch.done():
            now = monotonic()
            if now - self._tried < self._cooldown_s:
                return
            self._tried = now
            self._fetch = asyncio.create_task(self._renew())
        # Shielded: a caller who goes away doesn't end what others wait for.
        await asyncio.shield(self._fetch)

    async def _renew(self) -> None:
        try:
            keys = published_keys(await download(self._url), self._algorithms)
        except (KeysUnavailable, httpx.HTTPError, OSError) as error:
            reason = str(error) or type(error).__name__
            _log.warning("can't fetch the keys of %s: %s", self._url, reason)
            return
        if not keys:
            _log.warning("%s has no key that can be used", self._url)
            return
        self._keys, self._fetched = keys, monotonic()


async def download(url: str) -> bytes:
    """Read a small document; no redirect is followed.

    Raises:
        KeysUnavailable: If the answer isn't a 200 or is too long.
        httpx.HTTPError: If there is no answer.
        TimeoutError: If the whole takes too long.
    """
    # Not compressed: the limit is then one of what memory holds.
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    body = bytearray()
    async with (
        asyncio.timeout(_TIMEOUT_S),
        httpx.AsyncClient(follow_redirects=False) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        if response.status_code != _OK:
            raise KeysUnavailable(f"the answer was {response.status_code}")
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > _LIMIT_BYTES:
                raise KeysUnavailable("the answer is too long")
    return bytes(body)


def _is_safe(url: str) -> bool:
    """Tell whether nobody in between can put in keys of their own."""
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    if not parts.host or parts.userinfo:
        return False
    loopback = parts.host in {"localhost", "127.0.0.1", "::1"}
    return parts.scheme == "https" or (parts.scheme == "http" and loopback)
