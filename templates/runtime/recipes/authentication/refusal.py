"""How a request is refused before any route is reached."""

from collections.abc import Sequence

from starlette.authentication import AuthenticationError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

__all__ = ["Refusal", "single_header"]

_UNAVAILABLE = 503


class Refusal(AuthenticationError):
    """Answers in the place of the service, with nothing that helps to guess.

    Its text is for the log, so no part of a credential is in it.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int = 401,
        error: str = "unauthorized",
        scopes: Sequence[str] = (),
        retry_after_s: int | None = None,
    ) -> None:
        """Refuse a request.

        Args:
            reason: What the log says.
            status: 401, 403, or 503 where nobody can be verified now.
            error: The token that the caller reads.
            scopes: Those that would be enough.
            retry_after_s: After how many seconds to try again.
        """
        super().__init__(reason)
        self.status = status
        self.error = error
        self.scopes = scopes
        self.retry_after_s = retry_after_s

    def response(self, challenge: str) -> JSONResponse:
        """Answer as RFC 6750 section 3 has it.

        Args:
            challenge: The scheme that a caller authenticates with.
        """
        headers: dict[str, str] = {}
        if self.status != _UNAVAILABLE:
            headers["WWW-Authenticate"] = f"{challenge}{self._parameters()}"
        if self.retry_after_s is not None:
            headers["Retry-After"] = str(self.retry_after_s)
        return JSONResponse({"error": self.error}, self.status, headers)

    def _parameters(self) -> str:
        # Who sent no credential is told the scheme and nothing else.
        if self.error == "unauthorized":
            return ""
        scopes = f', scope="{" ".join(self.scopes)}"' if self.scopes else ""
        return f' error="{self.error}"{scopes}'


def single_header(headers: Headers, name: str) -> str | None:
    """Give the header's value, or None without one.

    Raises:
        Refusal: If it came more than once: a proxy and the service could each
            read another one of them.
    """
    values = headers.getlist(name)
    if len(values) > 1:
        raise Refusal("repeated header", error="invalid_token")
    return values[0] if values else None
