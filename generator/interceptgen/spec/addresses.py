"""Rules for where the service listens and how clients reach it."""

import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from interceptgen.spec.problem import Problem, shown

__all__ = ["host_problem", "path_problem", "public_url_problem"]

_LABEL: Final = r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*\Z")
_PATH: Final = re.compile(r"(/[A-Za-z0-9._~-]+)+\Z")
_PRINTABLE: Final = re.compile(r"[\x21-\x7e]+\Z")
_HEALTH: Final = frozenset({"/healthz", "/readyz"})
_LONGEST: Final = 253


def host_problem(text: str) -> Problem | None:
    """Judge the address that the server binds to."""
    if _is_address(text) or _is_host_name(text):
        return None
    hint = "a host name or an IP address alone, such as 127.0.0.1 or 0.0.0.0"
    return Problem(code="E080", message=f"{shown(text)} is no host", hint=hint)


def path_problem(text: str) -> Problem | None:
    """Judge the path below which the service answers."""
    if not text:
        return None
    if text in _HEALTH:
        message = f"the service answers its health checks at {shown(text)}"
        return Problem(code="E081", message=message, hint="choose another path")
    if _PATH.match(text) and not _has_dot_segment(text):
        return None
    hint = 'leave it out, or write a plain path such as "/a2a"'
    return Problem(code="E081", message=f"{shown(text)} is no path", hint=hint)


def public_url_problem(text: str) -> Problem | None:
    """Judge the address that the agent card names."""
    reason = _url_fault(text)
    if reason is None:
        return None
    message = f"{shown(_without_credentials(text))} {reason}"
    hint = "such as https://agents.example.com/orders"
    return Problem(code="E082", message=message, hint=hint)


def _url_fault(text: str) -> str | None:
    if not _PRINTABLE.match(text) or "\\" in text:
        return "holds a space or a character that needs escaping"
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is no URL"
    if parts.scheme not in {"http", "https"}:
        return "must start with http:// or https://"
    if "@" in parts.netloc:
        return "holds a user name or a password"
    if not host or not (_is_address(host) or _is_host_name(host)):
        return "names no host"
    return _tail_fault(text, parts)


def _tail_fault(text: str, parts: SplitResult) -> str | None:
    if "?" in text or "#" in text:
        return "holds a query or a fragment"
    path = parts.path.removesuffix("/")
    if path and (not _PATH.match(path) or _has_dot_segment(path)):
        return "has a path that is not plain"
    return None


def _without_credentials(text: str) -> str:
    # A password that slipped into the spec need not stand in a CI log too.
    return re.sub(r"//.*@", "//...@", text)


def _is_address(text: str) -> bool:
    if "%" in text:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_host_name(text: str) -> bool:
    # A last label of digits alone is an IPv4 address to every resolver.
    digits_last = text.rpartition(".")[2].isdigit()
    return len(text) <= _LONGEST and not digits_last and bool(_HOST.match(text))


def _has_dot_segment(path: str) -> bool:
    return any(part in {".", ".."} for part in path.split("/"))
