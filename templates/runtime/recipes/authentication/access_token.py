"""What a JSON Web Token (RFC 7519) says, once PyJWT has verified it."""

from collections.abc import Mapping
from dataclasses import dataclass

from jwt import (
    InvalidAlgorithmError,
    InvalidIssuerError,
    InvalidTokenError,
    PyJWK,
    decode,
    get_unverified_header,
)
from pydantic import TypeAdapter, ValidationError

from .verifying_keys import VerifyingKeys

__all__ = ["AccessToken", "TokenVerifier"]


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessToken:
    """A verified token.

    Attributes:
        caller: Who it was given to.
        scopes: What it grants.
        claims: All that it says.
    """

    caller: str
    scopes: frozenset[str]
    claims: Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenVerifier:
    """Verifies tokens of known issuers.

    Attributes:
        keys: The keys of each issuer; nobody's key is good for another.
        audiences: Of which a token has to name one.
        algorithms: Those that it may be signed with.
        leeway_s: By how many seconds clocks may differ.
        subject_claim: The claim that names the caller.
    """

    keys: Mapping[str, VerifyingKeys]
    audiences: tuple[str, ...]
    algorithms: tuple[str, ...]
    leeway_s: float
    subject_claim: str

    async def verify(self, token: str) -> AccessToken:
        """Check signature, issuer, audience and times.

        Raises:
            jwt.PyJWTError: If one of them is wrong, or there is no caller. Its
                text may hold parts of the token.
        """
        issuer = self._issuer(token)
        key = self.keys[issuer].only or await self._find(issuer, token)
        claims: Mapping[str, object] = decode(
            token,
            key,
            algorithms=self.algorithms,
            audience=self.audiences,
            issuer=issuer,
            leeway=self.leeway_s,
            options={"require": ["iss", "aud", "exp", self.subject_claim]},
        )
        return AccessToken(
            caller=self._caller(issuer, claims),
            scopes=_granted(claims),
            claims=claims,
        )

    async def _find(self, issuer: str, token: str) -> PyJWK:
        # Not verified yet: this only finds the key to verify with.
        header = get_unverified_header(token)
        key = await self.keys[issuer].find(header.get("kid"), header.get("alg"))
        if key is None:
            raise InvalidAlgorithmError
        return key

    def _issuer(self, token: str) -> str:
        if len(self.keys) == 1:
            return next(iter(self.keys))
        payload = decode(token, options={"verify_signature": False})
        issuer: object = payload.get("iss")
        if not isinstance(issuer, str) or issuer not in self.keys:
            raise InvalidIssuerError
        return issuer

    def _caller(self, issuer: str, claims: Mapping[str, object]) -> str:
        subject = claims[self.subject_claim]
        if not isinstance(subject, str) or not subject.strip():
            raise InvalidTokenError
        # A subject is unique within its issuer only (RFC 7519 section 4.1.2).
        return subject if len(self.keys) == 1 else f"{issuer}|{subject}"


def _granted(claims: Mapping[str, object]) -> frozenset[str]:
    """Collect the scopes: a text with spaces (RFC 8693), or a list of texts."""
    return frozenset(
        scope
        for name in ("scope", "scp")
        for text in _texts(claims.get(name))
        for scope in text.split()
    )


def _texts(value: object) -> list[str]:
    try:
        return _TEXTS.validate_python([value] if isinstance(value, str) else value)
    except ValidationError:
        return []


_TEXTS = TypeAdapter(list[str])
