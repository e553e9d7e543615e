"""Callers who prove who they are by a bearer token (RFC 6750) that is a JWT."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from a2a.types import AgentCard, HTTPAuthSecurityScheme, SecurityScheme
from jwt import PyJWTError
from starlette.authentication import AuthCredentials, BaseUser, SimpleUser
from starlette.requests import HTTPConnection

from ...seams.interceptor import RequestContext
from .access_token import AccessToken, TokenVerifier
from .identity import CallerPerimeter, VerifiedCredentials
from .jwks import JwksKeys, KeysUnavailable
from .refusal import Refusal, single_header
from .skill_scopes import SKILL_KEY, SkillScopes
from .verifying_keys import ASYMMETRIC, SYMMETRIC, StaticKey, VerifyingKeys

__all__ = ["BearerJwt"]


@dataclass(kw_only=True, eq=False)
class BearerJwt(CallerPerimeter):
    """Lets in who has a token of a known issuer for this service.

    Attributes:
        issuers: Whose tokens are taken, as `iss` names them.
        audiences: Of which `aud` has to name one.
        jwks_urls: Where each issuer publishes its keys, in the same order.
        key: In place of these, the key of the one issuer: a public key as PEM,
            or the secret of the HS algorithms.
        algorithms: Those that a token may be signed with.
        leeway_s: By how many seconds clocks may differ.
        subject_claim: The claim that names the caller.
        scopes: What every token has to grant.
        skill_scopes: What a message for a skill needs besides, by skill id.
        jwks_ttl_s: For how many seconds fetched keys are good.
        jwks_cooldown_s: How many seconds lie between two fetches at least.

    Raises:
        ValueError: If the values don't fit together.
    """

    issuers: tuple[str, ...]
    audiences: tuple[str, ...]
    jwks_urls: tuple[str, ...] = ()
    key: str | None = field(default=None, repr=False)
    algorithms: tuple[str, ...] = ("RS256",)
    leeway_s: float = 30
    subject_claim: str = "sub"
    scopes: tuple[str, ...] = ()
    skill_scopes: Mapping[str, tuple[str, ...]] | None = None
    jwks_ttl_s: float = 600
    jwks_cooldown_s: float = 30

    label = "bearer_jwt"
    challenge = "Bearer"

    def __post_init__(self) -> None:
        """Check the values and read the key."""
        _check(self)
        self._skills = SkillScopes(self.scopes, self.skill_scopes or {})
        self._tokens = TokenVerifier(
            keys=_keys_by_issuer(self),
            audiences=self.audiences,
            algorithms=self.algorithms,
            leeway_s=self.leeway_s,
            subject_claim=self.subject_claim,
        )

    def scheme(self) -> SecurityScheme:
        """Say which token a caller needs."""
        issuers, audiences = " or ".join(self.issuers), " or ".join(self.audiences)
        text = f"A token from {issuers} for the audience {audiences}."
        if self.skill_scopes:
            text += f" Name the skill that a message is for in metadata {SKILL_KEY!r}."
        return SecurityScheme(
            http_auth_security_scheme=HTTPAuthSecurityScheme(
                scheme="bearer", bearer_format="JWT", description=text
            )
        )

    def describe(self, card: AgentCard) -> None:
        """Declare the scheme, and the scopes of each skill that has its own.

        Raises:
            ValueError: If the card has no such skill.
        """
        super().describe(card)
        self._skills.declare(card, self.label)

    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Take the caller's name, scopes and claims from a token."""
        value = single_header(conn.headers, "Authorization") or ""
        scheme, _, token = value.partition(" ")
        if scheme.lower() != "bearer":
            raise Refusal("no bearer token")
        found = await self._verified(token.strip())
        credentials = VerifiedCredentials(sorted(found.scopes), found.claims)
        return credentials, SimpleUser(found.caller)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse a message for a skill whose scopes the token doesn't grant."""
        context = await super().before_agent(context)
        if self.skill_scopes:
            self._skills.check(context)
        return context

    async def _verified(self, token: str) -> AccessToken:
        try:
            return await self._tokens.verify(token)
        except KeysUnavailable as error:
            raise Refusal(
                str(error),
                status=503,
                error="temporarily_unavailable",
                retry_after_s=max(1, round(self.jwks_cooldown_s)),
            ) from None
        except PyJWTError as error:
            # Its name only: its text may hold parts of the token.
            raise Refusal(type(error).__name__, error="invalid_token") from None


def _keys_by_issuer(given: BearerJwt) -> Mapping[str, VerifyingKeys]:
    """Give each issuer its own keys: it may speak for itself only."""
    if given.key:
        return {given.issuers[0]: StaticKey(given.key, given.algorithms)}
    return {
        issuer: JwksKeys(
            url,
            given.algorithms,
            ttl_s=given.jwks_ttl_s,
            cooldown_s=given.jwks_cooldown_s,
        )
        for issuer, url in zip(given.issuers, given.jwks_urls, strict=True)
    }


def _check(given: BearerJwt) -> None:
    issuers, count = given.issuers, len(given.issuers)
    algorithms = set(given.algorithms)
    wanted = [ASYMMETRIC, SYMMETRIC] if given.key else [ASYMMETRIC]
    seconds = (given.leeway_s, given.jwks_ttl_s, given.jwks_cooldown_s)
    rules = {
        "name an issuer, and none twice": 0 < count == len(set(issuers)),
        "'|' parts several issuers from the caller, so none may have it": count == 1
        or not any("|" in issuer for issuer in issuers),
        "name an audience": bool(given.audiences) and all(given.audiences),
        "give jwks_urls or key": bool(given.jwks_urls) != bool(given.key),
        "give a key set for each issuer, or one key for one issuer": count
        == (1 if given.key else len(given.jwks_urls)),
        "algorithms are asymmetric; with a key, they may all be HS": any(
            algorithms and algorithms <= names for names in wanted
        ),
        "name the claim of the subject": bool(given.subject_claim),
        "no time is below zero": min(seconds) >= 0,
    }
    broken = [rule for rule, holds in rules.items() if not holds]
    if broken:
        raise ValueError(f"bearer_jwt: {'; '.join(broken)}")
