"""Whether a file's media type and address are on a list."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

__all__ = ["media_type_allowed", "uri_allowed"]

# What RFC 3986 lets into an address. Others, as white space and backslashes, are
# read in different ways by different readers, so that one sees another host.
_URI = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")


def media_type_allowed(declared: str, allowed: Sequence[str]) -> bool:
    """Tell whether a declared media type is on the list; none is not.

    Args:
        declared: Such as `image/png`, or with parameters `text/plain; charset=utf-8`.
        allowed: Such as `image/png`, `image/*` or `*/*`.
    """
    media_type = declared.partition(";")[0].strip().lower()
    kind, slash, _ = media_type.partition("/")
    if not slash:
        return False
    wanted = {media_type, f"{kind}/*", "*/*"}
    return any(entry.lower() in wanted for entry in allowed)


def uri_allowed(uri: str, schemes: Sequence[str], hosts: Sequence[str]) -> bool:
    """Tell whether an address has a scheme and a host that are on the lists.

    An address with a user name in it is never allowed.

    Args:
        uri: What the caller sent.
        schemes: Such as `https` or `gs`.
        hosts: Such as `files.example.com`, `*.example.com` for all below it, or
            `*` for any.
    """
    if not _URI.fullmatch(uri):
        return False
    try:
        split = urlsplit(uri)
    except ValueError:
        return False
    allowed = [scheme.lower() for scheme in schemes]
    if "@" in split.netloc or split.scheme not in allowed:
        return False
    host = split.hostname or ""
    return any(_names(host, entry.lower()) for entry in hosts)


def _names(host: str, entry: str) -> bool:
    if entry == "*":
        return True
    if entry.startswith("*."):
        return host.endswith(entry[1:])
    return bool(host) and host == entry
