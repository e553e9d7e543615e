"""Which IP addresses a webhook may have: public ones, and networks that are named."""

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, TypeAlias

__all__ = ["Address", "Network", "is_allowed"]

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# The only block that global unicast addresses are given out of: RFC 4291.
_UNICAST: Final = IPv6Network("2000::/3")
# Translators turn its last four bytes into an IPv4 address: RFC 6052.
_NAT64: Final = IPv6Network("64:ff9b::/96")
# Public to Python, or to some of its releases, but of no use to a webhook.
_RESERVED: Final = tuple(
    map(
        ip_network,
        (
            "192.88.99.0/24",  # 6to4 relays, RFC 7526
            "2001::/23",  # protocols, Teredo among them, RFC 2928
            "2002::/16",  # 6to4: holds any IPv4 address, RFC 7526
            "3fff::/20",  # documentation, RFC 9637
        ),
    )
)
# Where clouds tell a machine its secrets. Some are outside of link-local, so that
# one of them could lie in a network that is named.
_METADATA: Final = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",
            "168.63.129.16",  # Azure, a public address
            "100.100.100.200",  # Alibaba Cloud
            "192.0.0.192",  # Oracle Cloud
            "fd00:ec2::254",  # AWS
            "fd20:ce::254",  # Google Cloud
        ),
    )
)


def is_allowed(address: Address, networks: tuple[Network, ...]) -> bool:
    """Tell whether a webhook may have this address.

    Args:
        address: One of those that its host has.
        networks: Those that are allowed besides public addresses.
    """
    address = _carried(address)
    if address in _METADATA or address.is_link_local or address.is_multicast:
        return False
    return _is_public(address) or any(address in network for network in networks)


def _carried(address: Address) -> Address:
    """Give the IPv4 address that an IPv6 address only carries."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address


def _is_public(address: Address) -> bool:
    # is_global leaves out what is private, loopback, unspecified, reserved, shared
    # by a provider's customers (100.64.0.0/10), or documentation.
    if not address.is_global:
        return False
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    return not any(address in network for network in _RESERVED)
