"""The address that the card names."""

import logging
from ipaddress import ip_address

from .environment import ServerSettings

__all__ = ["endpoint_url"]

_log = logging.getLogger(__name__)


def endpoint_url(settings: ServerSettings, path: str) -> str:
    """Give the URL of the JSON-RPC endpoint as clients reach it.

    Args:
        settings: The public URL, or else host and port.
        path: Where the endpoint stands, such as `/svc`; `/` for the root.
    """
    base = settings.public_url
    if base is None:
        host = settings.host
        if _is_unspecified(host):
            _log.warning(
                "the agent card names %s, where no client can reach it: "
                "set the public URL",
                host,
            )
        base = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    return base.rstrip("/") + path


def _is_unspecified(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False
