"""Callers whom a gateway in front of the service has verified and names in a header."""

from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address, ip_network

from a2a.types import APIKeySecurityScheme, SecurityScheme
from starlette.authentication import AuthCredentials, BaseUser, SimpleUser
from starlette.datastructures import Address
from starlette.requests import HTTPConnection

from .identity import CallerPerimeter, VerifiedCredentials, digest
from .refusal import Refusal, single_header

__all__ = ["TrustedHeader"]

_SHORTEST = 20


@dataclass(kw_only=True, eq=False)
class TrustedHeader(CallerPerimeter):
    """Believes the header with the caller's name if the gateway has sent it.

    With both a secret and peers, both have to be right.

    Attributes:
        header: The header that names the caller.
        secret: What the gateway knows and nobody else.
        gateway_header: The header that it sends the secret in.
        peers: The networks that the gateway connects from, such as
            `10.1.0.0/16`.

    Raises:
        ValueError: If nothing would tell the gateway from anybody else.
    """

    header: str = "X-Forwarded-User"
    secret: str | None = None
    gateway_header: str = "X-Gateway-Secret"
    peers: tuple[str, ...] = ()

    label = "trusted_header"
    challenge = "Gateway"

    def __post_init__(self) -> None:
        """Check the values; from here on only the secret's digest is used."""
        if not self.secret and not self.peers:
            raise ValueError("trusted_header: give a secret or peers")
        if self.secret and (len(self.secret) < _SHORTEST or not self.secret.isascii()):
            raise ValueError(
                f"trusted_header: a secret has at least {_SHORTEST} ASCII characters"
            )
        self._secret = digest(self.secret) if self.secret else None
        self.secret = None
        self._peers = [ip_network(peer) for peer in self.peers]

    def scheme(self) -> SecurityScheme:
        """Say that the gateway sends the name, and not the client."""
        return SecurityScheme(
            api_key_security_scheme=APIKeySecurityScheme(
                location="header",
                name=self.header,
                description="Set by the gateway in front of this service for the "
                "caller whom it has verified. A client doesn't send it.",
            )
        )

    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Take the caller's name from the gateway's header."""
        if not (self._has_secret(conn) and self._is_peer(conn.client)):
            raise Refusal("not from the gateway")
        name = (single_header(conn.headers, self.header) or "").strip()
        if not name:
            raise Refusal("the gateway names no caller")
        return VerifiedCredentials(), SimpleUser(name)

    def _has_secret(self, conn: HTTPConnection) -> bool:
        if self._secret is None:
            return True
        given = single_header(conn.headers, self.gateway_header) or ""
        return compare_digest(digest(given), self._secret)

    def _is_peer(self, client: Address | None) -> bool:
        if not self._peers:
            return True
        try:
            address = ip_address(client.host if client else "")
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._peers)
