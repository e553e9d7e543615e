"""What the address of a webhook may look like; nothing is looked up here.

It is read here once, in one way: where two readers differ about an address, one
of them checks another host than the other connects to.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from .public_address import Network, is_allowed

__all__ = ["Webhook", "WebhookRefused", "WebhookRules", "read_webhook"]

_LONGEST: Final = 2048
_LONGEST_NAME: Final = 253
_HIGHEST_PORT: Final = 65_535
_PORTS: Final = {"https": 443, "http": 80}
# What RFC 3986 has in an absolute URL, without user name and fragment. A host that
# is written in another way, as with % or in other letters than ASCII, is none.
_URL: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<target>[/?][A-Za-z0-9\-._~:/?@!$&'()*+,;=%]*)?"
)
_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*")
# Readers take a name that ends so for an IPv4 address, in decimal, octal or hex.
_NUMBER: Final = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")


class WebhookRefused(Exception):
    """The webhook may not be called; the text is for its caller, without the URL."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookRules:
    """Which webhooks may be called.

    Attributes:
        schemes: The schemes.
        hosts: The hosts, `*.example.com` for all below one; None for any.
        ports: The ports; None for the scheme's own.
        networks: Those that are allowed besides public addresses.
    """

    schemes: tuple[str, ...]
    hosts: tuple[str, ...] | None
    ports: tuple[int, ...] | None
    networks: tuple[Network, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Webhook:
    """The parts of a webhook's address that it is called with.

    Attributes:
        scheme: `https` or `http`.
        host: A name in small letters, or an IP address without brackets.
        port: The port.
        target: Path and query.
        authority: What the Host header holds.
    """

    scheme: str
    host: str
    port: int
    target: str
    authority: str


def read_webhook(url: str, rules: WebhookRules) -> Webhook:
    """Read a webhook's address, if the rules allow what it says.

    Args:
        url: What the caller wrote.
        rules: Which webhooks may be called.

    Raises:
        WebhookRefused: If it isn't to be read in one way only, or isn't allowed.
    """
    match = _URL.fullmatch(url) if len(url) <= _LONGEST else None
    if match is None:
        raise WebhookRefused(
            "a webhook is an absolute URL without user name and fragment"
        )
    scheme, host = match["scheme"].lower(), match["host"].lower()
    if scheme not in rules.schemes:
        raise WebhookRefused(f"a webhook's scheme is {' or '.join(rules.schemes)}")
    own = _PORTS[scheme]
    port = int(match["port"] or own)
    if not 0 < port <= _HIGHEST_PORT or port not in (rules.ports or (own,)):
        raise WebhookRefused("the webhook's port isn't allowed")
    target = match["target"] or "/"
    return Webhook(
        scheme=scheme,
        host=_host(host, rules),
        port=port,
        target=target if target.startswith("/") else f"/{target}",
        authority=host if port == own else f"{host}:{port}",
    )


def _host(host: str, rules: WebhookRules) -> str:
    try:
        address = _address(host)
    except AddressValueError:
        raise WebhookRefused("the webhook's host can't be read") from None
    if address is not None and not is_allowed(address, rules.networks):
        raise WebhookRefused("the webhook's address isn't allowed")
    name = host if address is None else str(address)
    if address is None and not (_NAME.fullmatch(name) and len(name) <= _LONGEST_NAME):
        raise WebhookRefused("the webhook's host can't be read")
    if rules.hosts is not None and not any(_names(name, at) for at in rules.hosts):
        raise WebhookRefused("the webhook's host isn't allowed")
    return name


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """Give the address that the host is, None for a name.

    Raises:
        AddressValueError: If it is one in an unusual spelling.
    """
    if host.startswith("["):
        return IPv6Address(host[1:-1])
    return IPv4Address(host) if _NUMBER.fullmatch(host) else None


def _names(host: str, entry: str) -> bool:
    if entry.startswith("*."):
        return host.endswith(entry[1:].lower())
    return host == entry.lower()
