"""Kinds of values that the parameters of several recipes have."""

import re
from ipaddress import ip_network
from typing import Annotated, Final, TypeAlias

from interceptgen.recipes.patterns import repeats_nest
from interceptgen.recipes.settings import bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Problem, shown

__all__ = [
    "ExceptionClass",
    "HeaderName",
    "MediaType",
    "Network",
    "Pattern",
    "PublicText",
]

_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")
_MEDIA_TYPE: Final = re.compile(r"(\*/\*|[a-z0-9!#$&^_.+-]+/(\*|[a-z0-9!#$&^_.+-]+))\Z")
_LONGEST_PATTERN: Final = 500


def _header_problem(name: str) -> Problem | None:
    if _TOKEN.match(name):
        return None
    return bad_value(f"{shown(name)} is no name of a header", "such as X-Tenant")


def _media_type_problem(text: str) -> Problem | None:
    if _MEDIA_TYPE.match(text):
        return None
    hint = "lower case, without parameters, such as text/plain or image/*"
    return bad_value(f"{shown(text)} is no media type", hint)


def _network_problem(text: str) -> Problem | None:
    try:
        ip_network(text)
    except ValueError:
        message = f"{shown(text)} is no network"
        return bad_value(message, "such as 10.1.0.0/16, or one address")
    return None


def _text_problem(text: str) -> Problem | None:
    if text.strip() and text.isprintable():
        return None
    hint = "one line that says something"
    return bad_value(f"{shown(text)} is no message for a caller", hint)


def _exception_problem(text: str) -> Problem | None:
    module, colon, name = text.partition(":")
    if colon and name.isidentifier() and all(map(str.isidentifier, module.split("."))):
        return None
    hint = "write module:Class, such as orders.errors:OutOfStock"
    return bad_value(f"{shown(text)} names no exception class", hint)


def _pattern_problem(text: str) -> Problem | None:
    if len(text) > _LONGEST_PATTERN:
        message = f"the pattern has {len(text)} characters"
        return bad_value(message, f"at most {_LONGEST_PATTERN}")
    try:
        re.compile(text)
        nested = repeats_nest(text)
    except (re.error, RecursionError, OverflowError) as error:
        return bad_value(f"{shown(text)} is no regular expression: {error}")
    if nested:
        message = f"{shown(text)} repeats what repeats, which can take for ever"
        return bad_value(message, "let one of the two repeats go")
    return None


HeaderName: TypeAlias = Annotated[str, rule(_header_problem)]
"""The name of an HTTP header."""
MediaType: TypeAlias = Annotated[str, rule(_media_type_problem)]
"""A media type, or all of one kind."""
Network: TypeAlias = Annotated[str, rule(_network_problem)]
"""A network of IP addresses, or one address."""
PublicText: TypeAlias = Annotated[str, rule(_text_problem)]
"""One line that a caller reads."""
ExceptionClass: TypeAlias = Annotated[str, rule(_exception_problem)]
"""An exception class, as `module:Class`."""
Pattern: TypeAlias = Annotated[str, rule(_pattern_problem)]
"""A regular expression whose time can't explode."""
