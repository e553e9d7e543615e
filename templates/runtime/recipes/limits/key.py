"""For whom a request counts, as a key that gives nobody's secret away."""

from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Literal, TypeAlias

from ...seams.request import RequestFacts

__all__ = ["CountedBy", "check_counted_by", "counted_key"]

CountedBy: TypeAlias = Literal["user", "tenant", "key", "address"]

_HEADER_KINDS = ("tenant", "key")
# One subscriber has at least so much of IPv6, and could use it up address by address.
_IPV6_PREFIX = 64


def check_counted_by(by: CountedBy, header: str | None) -> None:
    """Check that a header is named where one is read.

    Raises:
        ValueError: If it is missing, or of no use.
    """
    if (by in _HEADER_KINDS) != bool(header):
        raise ValueError("header goes with by: tenant and by: key, and with no other")


def counted_key(facts: RequestFacts, by: CountedBy, header: str | None) -> str:
    """Give a key for whoever the request counts for.

    It is made of a hash: a header may hold a credential, and what a store holds
    others can read. Who has no name, or doesn't send the header once, counts by
    address.

    Args:
        facts: The request.
        by: What tells callers apart.
        header: The header of the tenant or the key.
    """
    kind, value = _counted(facts, by, header)
    digest = sha256(value.encode(errors="surrogatepass")).hexdigest()
    return f"{kind}/{digest[:32]}"


def _counted(facts: RequestFacts, by: CountedBy, header: str | None) -> tuple[str, str]:
    if by == "user" and facts.caller is not None:
        return by, facts.caller
    if by in _HEADER_KINDS and header:
        name = header.lower()
        value = facts.headers.get(name, "")
        if value and name not in facts.repeated_headers:
            return by, value
    return "address", _network(facts.address)


def _network(address: str) -> str:
    """Give the part of an address that its user can't choose."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), _IPV6_PREFIX), strict=False))
