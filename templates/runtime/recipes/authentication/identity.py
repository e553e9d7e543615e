"""What the identity recipes share: who calls is settled before any route is reached.

A hook can't do this. It sees sending only, and with a user that it sets the
caller can't read the task afterwards. Starlette's middleware puts the user
where the SDK finds the caller, who becomes ADK's user and the task's owner.
"""

import logging
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType

from a2a.types import AgentCard, SecurityRequirement, SecurityScheme, StringList
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    AuthenticationError,
    BaseUser,
)
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Scope

from ...seams.interceptor import BeforeAgent, Rejected, RequestContext
from ...seams.protocols import Perimeter
from .refusal import Refusal

__all__ = ["CallerPerimeter", "VerifiedCredentials", "digest", "requirement"]

_log = logging.getLogger(__name__)

_HEALTH = ("/healthz", "/readyz")


class VerifiedCredentials(AuthCredentials):
    """What a caller proved; the SDK keeps it in `call_context.state["auth"]`.

    Attributes:
        scopes: What the caller may do.
        claims: All that the issuer says of the caller; empty without a token.
    """

    def __init__(
        self,
        scopes: Sequence[str] = (),
        claims: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Hold what was proved."""
        super().__init__(scopes)
        self.claims = claims


class CallerPerimeter(Perimeter, BeforeAgent, AuthenticationBackend):
    """Lets nobody in without a name, but for the card and the health routes.

    Attributes:
        label: Names the scheme in the card and in the log.
        challenge: The scheme in `WWW-Authenticate`.
        scopes: What every caller has to be granted.
    """

    label: str
    challenge: str
    scopes: tuple[str, ...] = ()

    @abstractmethod
    def scheme(self) -> SecurityScheme:
        """Describe for the card what `identify` wants to see."""

    @abstractmethod
    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Tell who calls.

        Raises:
            Refusal: If that isn't proved.
        """

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Put the check around the application; its lifespan passes unseen."""
        return AuthenticationMiddleware(app, backend=self, on_error=self._refuse)

    def describe(self, card: AgentCard) -> None:
        """Declare the scheme, and that every request needs it.

        Raises:
            ValueError: If the card demands a scheme already: callers would
                take the two for alternatives, and both are enforced.
        """
        if card.security_requirements:
            raise ValueError("a service has one identity recipe, not two")
        card.security_schemes[self.label].CopyFrom(self.scheme())
        card.security_requirements.append(requirement(self.label, self.scopes))

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse a message that has not come through the perimeter.

        Where ADK's `to_a2a` wires the executor, nothing stands around the routes.
        """
        if not context.call_context.user.is_authenticated:
            raise Rejected("unauthorized")
        return context

    async def authenticate(
        self, conn: HTTPConnection
    ) -> tuple[AuthCredentials, BaseUser] | None:
        """Check one request; Starlette's middleware calls this."""
        if _is_open(conn.scope):
            return None
        credentials, user = await self.identify(conn)
        if not set(self.scopes).issubset(credentials.scopes):
            error = "insufficient_scope"
            raise Refusal(error, status=403, error=error, scopes=self.scopes)
        return credentials, user

    def _refuse(self, _: HTTPConnection, error: AuthenticationError) -> JSONResponse:
        refusal = error if isinstance(error, Refusal) else Refusal("unknown")
        _log.info("%s refused a request: %s", self.label, refusal)
        return refusal.response(self.challenge)


def requirement(label: str, scopes: Sequence[str]) -> SecurityRequirement:
    """Say in the card's words that a scheme is needed, with these scopes."""
    return SecurityRequirement(schemes={label: StringList(list=scopes)})


def digest(secret: str) -> bytes:
    """Hash a secret: what is kept isn't the secret, and all have one length."""
    return sha256(secret.encode()).digest()


def _is_open(scope: Scope) -> bool:
    """Tell whether anybody may read this; no A2A method is called by GET."""
    if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
        return False
    # Below a mount, too, the path begins with where the application stands.
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return path in _HEALTH or path.endswith(AGENT_CARD_WELL_KNOWN_PATH)
