"""The recipe `push_guard`."""

import re
from collections.abc import Iterator
from ipaddress import IPv6Network, ip_network
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings, bad_value
from interceptgen.recipes.values import Network
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["METADATA", "PUSH_GUARD"]

_NAME: Final = "push_guard"
_LABEL: Final = r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST: Final = re.compile(rf"(\*\.)?{_LABEL}(\.{_LABEL})*\Z")
_NUMBER: Final = re.compile(r"([0-9]+|0[xX][0-9a-fA-F]*)\Z")
# Judged by the IPv4 address that is in their addresses.
_CARRIERS: Final = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

METADATA: Final = (
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
)
"""Where clouds tell a machine its secrets: no webhook there, whatever is named."""


def _host_problem(text: str) -> Problem | None:
    if _HOST.match(text) and not _NUMBER.match(text.rpartition(".")[2]):
        return None
    message = f"{shown(text)} is no name of a host"
    return bad_value(message, "such as hooks.example.com, or *.example.com")


def _open_problem(text: str) -> Problem | None:
    """Report a network that is all, or that the recipe leaves closed in any case."""
    try:
        network = ip_network(text)
    except ValueError:
        return None  # reported as no network
    if network.prefixlen == 0:
        message = f"{shown(text)} is every network"
        return bad_value(message, "name those that webhooks are in")
    if any(network.overlaps(each) for each in _CARRIERS):
        message = f"{shown(text)} holds IPv4 addresses in the form of IPv6"
        return bad_value(message, "name the IPv4 network")
    never = network.is_link_local or network.is_multicast
    if never or str(network[0]) in METADATA:
        message = f"no webhook has an address in {shown(text)}"
        return bad_value(message, "leave it out")
    return None


_Host: TypeAlias = Annotated[str, rule(_host_problem)]
_Open: TypeAlias = Annotated[Network, rule(_open_problem)]
_Port: TypeAlias = Annotated[int, Field(ge=1, le=65_535)]


class PushGuard(Settings):
    """The parameters of `push_guard`."""

    schemes: tuple[Literal["https", "http"], ...] = Field(
        default=("https",),
        description="Schemes that a webhook may have.",
    )
    hosts: tuple[_Host, ...] | None = Field(
        default=None,
        description="The only hosts that it may name, *.example.com for all below one;"
        " any if left out.",
    )
    ports: tuple[_Port, ...] | None = Field(
        default=None,
        description="The only ports that it may name; the scheme's own if left out.",
    )
    networks: tuple[_Open, ...] = Field(
        default=(),
        description="Networks besides the public ones that its address may be in, such"
        " as 10.1.0.0/16.",
    )
    timeout_s: float = Field(
        default=10,
        gt=0,
        description="Most seconds of one call.",
    )


def _something_allowed(chain: Chain) -> Iterator[Finding]:
    """Report an empty list, with which no webhook could be set."""
    for use in chain.uses(_NAME):
        for key in ("schemes", "hosts", "ports"):
            if getattr(use.settings, key, None) == ():
                problem = bad_value(f"{key!r} is empty", "name at least one")
                yield Finding(loc=use.setting(key), problem=problem)


PUSH_GUARD: Final = Recipe(
    name=_NAME,
    description="Pushes updates to webhooks, and to none that it may not call.",
    seams=("before_agent", "push"),
    settings=PushGuard,
    class_name="PushGuard",
    module="recipes.push.push_guard",
    requires=("httpcore>=1.0.9", "httpx>=0.28"),
    relations=(_something_allowed,),
)
