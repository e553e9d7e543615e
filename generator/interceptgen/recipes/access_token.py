"""What the spec says of a caller's token: the parameters of `bearer_jwt`."""

import re
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from pydantic import Field

from interceptgen.recipes.settings import Secret, Settings, bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Problem, shown

__all__ = ["BearerJwt"]

_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+\Z")
_PRINTABLE: Final = re.compile(r"[\x21-\x7e]+\Z")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_Algorithm: TypeAlias = Literal[
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "HS256",
    "HS384",
    "HS512",
]


def _text_problem(text: str) -> Problem | None:
    if text.strip():
        return None
    return bad_value("the text is empty", "write what a token says, to the letter")


def _scope_problem(text: str) -> Problem | None:
    # RFC 6749 section 3.3: a token's scopes stand in one text, with spaces between.
    if _SCOPE.match(text):
        return None
    hint = 'one word without spaces, " and \\; several scopes are several items'
    return bad_value(f"{shown(text)} is no scope", hint)


def _key_set_problem(text: str) -> Problem | None:
    parts = _url(text)
    if parts is None or not parts.hostname:
        hint = "such as https://login.example.com/.well-known/jwks.json"
        return bad_value("a key set's address is no URL", hint)
    if parts.username is not None or parts.password is not None:
        message = "the URL of a key set holds a login"
        return bad_value(message, "leave it out: keys are published for everybody")
    loopback = parts.hostname in _LOOPBACK
    if parts.scheme == "https" or (parts.scheme == "http" and loopback):
        return None
    message = f"on the way from {shown(text)} anybody could put in keys"
    return bad_value(message, "write https://")


def _url(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if _PRINTABLE.match(text) else None


_Text: TypeAlias = Annotated[str, rule(_text_problem)]
_Scope: TypeAlias = Annotated[str, rule(_scope_problem)]
_KeySet: TypeAlias = Annotated[str, rule(_key_set_problem)]


class BearerJwt(Settings):
    """The parameters of `bearer_jwt`."""

    issuers: tuple[_Text, ...] = Field(
        description="Whose tokens are taken, as iss reads, to the letter.",
    )
    audiences: tuple[_Text, ...] = Field(
        description="Names of this service, of which aud has to hold one.",
    )
    jwks_urls: tuple[_KeySet, ...] = Field(
        default=(),
        description="Where each issuer publishes its keys, in the order of issuers.",
    )
    key: Secret | None = Field(
        default=None,
        description="In place of jwks_urls, the one issuer's public key as PEM, or the"
        " secret of HS algorithms.",
    )
    algorithms: tuple[_Algorithm, ...] = Field(
        default=("RS256",),
        description="What a token may be signed with; HS with key only, and not beside"
        " others.",
    )
    leeway_s: float = Field(
        default=30,
        ge=0,
        description="Seconds by which clocks may differ.",
    )
    subject_claim: _Text = Field(
        default="sub",
        description="Claim that names the caller.",
    )
    scopes: tuple[_Scope, ...] = Field(
        default=(),
        description="What every token has to grant.",
    )
    skill_scopes: dict[_Text, tuple[_Scope, ...]] | None = Field(
        default=None,
        description="What a message for a skill needs besides, by the skill's id.",
    )
    jwks_ttl_s: float = Field(
        default=600,
        ge=0,
        description="Seconds for which fetched keys are good.",
    )
    jwks_cooldown_s: float = Field(
        default=30,
        ge=0,
        description="Least seconds between two fetches.",
    )
