"""Callers who prove who they are by a key that was given to them."""

from dataclasses import dataclass
from hmac import compare_digest

from a2a.types import APIKeySecurityScheme, SecurityScheme
from starlette.authentication import AuthCredentials, BaseUser, SimpleUser
from starlette.requests import HTTPConnection

from .identity import CallerPerimeter, VerifiedCredentials, digest
from .refusal import Refusal, single_header

__all__ = ["ApiKey"]

_SHORTEST = 20


@dataclass(kw_only=True, eq=False)
class ApiKey(CallerPerimeter):
    """Lets in who sends one of the keys; the key's name is the caller's.

    Attributes:
        keys: `name:key` pairs with commas between them. A name may have
            several keys, so that an old one lasts until its caller has the new.
        header: The header that a key comes in.

    Raises:
        ValueError: If there is no key, or one that can't be used.
    """

    keys: str
    header: str = "X-API-Key"

    label = "api_key"
    challenge = "ApiKey"

    def __post_init__(self) -> None:
        """Read the keys; from here on only their digests are used."""
        self._names = _read(self.keys)
        self.keys = ""

    def scheme(self) -> SecurityScheme:
        """Say which header a key comes in."""
        return SecurityScheme(
            api_key_security_scheme=APIKeySecurityScheme(
                location="header", name=self.header
            )
        )

    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Find the name of the key that was sent."""
        given = single_header(conn.headers, self.header)
        if not given:
            raise Refusal("no key")
        sent, found = digest(given), ""
        # All of them, each time: how long it takes says nothing of the key.
        for known, name in self._names.items():
            if compare_digest(sent, known):
                found = name
        if not found:
            raise Refusal("unknown key", error="invalid_token")
        return VerifiedCredentials(), SimpleUser(found)


def _read(text: str) -> dict[bytes, str]:
    names: dict[bytes, str] = {}
    for number, pair in enumerate(text.split(","), 1):
        name, _, key = [part.strip() for part in pair.partition(":")]
        # By its number: a pair without a colon may be a key alone.
        if not name or len(key) < _SHORTEST or not key.isascii():
            raise ValueError(
                f"api_key: pair {number} isn't 'name:key' with a key of at least "
                f"{_SHORTEST} ASCII characters"
            )
        if names.setdefault(digest(key), name) != name:
            raise ValueError(f"api_key: pair {number} has another name's key")
    return names
