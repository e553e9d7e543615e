"""The recipe `input_guard`: what a message may hold."""

from dataclasses import dataclass

from a2a.server.agent_execution import RequestContext
from a2a.types import Message, Part
from a2a.utils.errors import ContentTypeNotSupportedError
from google.protobuf.json_format import Error

from ...seams.interceptor import BeforeAgent
from ...seams.rejection import Rejected
from ..linear_pattern import linear
from ..part_content import data_of, json_size, part_size, part_texts
from .file_rules import media_type_allowed, uri_allowed

__all__ = ["InputGuard"]


@dataclass(kw_only=True, eq=False)
class InputGuard(BeforeAgent):
    """Refuses a message that holds too much, or what isn't on its lists.

    What it checks is what the caller says: a file's media type is the declared
    one. Refused before a task is made, and before the runner is built.

    Attributes:
        max_bytes: The most bytes of all parts and metadata, decoded.
        max_parts: The most parts.
        media_types: What a file may be, such as `image/*`; None for anything.
        uri_schemes: The schemes that a file's address may have; none by default,
            so that no file comes by address.
        uri_hosts: The hosts it may name, `*.example.com` for all below one,
            `*` for any.
        required_metadata: The keys that the request's or the message's metadata
            must have.
        deny: Patterns that no text, address, file name, or text in data may hold.
        deny_max_chars: The most characters of text that patterns are searched in;
            a message with more is too large.

    Raises:
        ValueError: If a number isn't above zero, or a pattern can't be used.
    """

    max_bytes: int = 1_000_000
    max_parts: int = 100
    media_types: tuple[str, ...] | None = None
    uri_schemes: tuple[str, ...] = ()
    uri_hosts: tuple[str, ...] = ()
    required_metadata: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    deny_max_chars: int = 20_000

    def __post_init__(self) -> None:
        if min(self.max_bytes, self.max_parts, self.deny_max_chars) < 1:
            raise ValueError("a limit of input_guard is above zero")
        self._deny = tuple(linear(pattern) for pattern in self.deny)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse the message if it holds what it may not.

        Raises:
            Rejected: With `too_many_parts`, `too_large`, `unsupported_part`,
                `media_type_not_allowed`, `uri_not_allowed`, `missing_metadata`
                or `denied_content`.
        """
        message = context.message
        if message is None:
            return context
        if len(message.parts) > self.max_parts:
            raise Rejected("too_many_parts", message=f"at most {self.max_parts} parts")
        try:
            metadata = (data_of(message.metadata), context.metadata)
            size = sum(map(json_size, metadata)) + sum(map(part_size, message.parts))
        except (Error, ValueError):
            raise Rejected("unsupported_part", message="a part can't be read") from None
        if size > self.max_bytes:
            raise Rejected("too_large", message=f"at most {self.max_bytes} bytes")
        for key in self.required_metadata:
            if all(data.get(key) is None for data in metadata):
                raise Rejected("missing_metadata", message=f"no {key!r} in metadata")
        for part in message.parts:
            self._require_allowed(part)
        self._require_nothing_denied(message)
        return context

    def _require_allowed(self, part: Part) -> None:
        kind = part.WhichOneof("content")
        if (
            kind in ("raw", "url")
            and self.media_types is not None
            and not media_type_allowed(part.media_type, self.media_types)
        ):
            raise Rejected(
                "media_type_not_allowed",
                message=f"a file may be: {', '.join(self.media_types) or 'none'}",
                error=ContentTypeNotSupportedError,
            )
        if kind == "url" and not uri_allowed(
            part.url, self.uri_schemes, self.uri_hosts
        ):
            raise Rejected(
                "uri_not_allowed", message="the file's address isn't allowed"
            )

    def _require_nothing_denied(self, message: Message) -> None:
        if not self._deny:
            return
        texts = [text for part in message.parts for text in part_texts(part)]
        if sum(map(len, texts)) > self.deny_max_chars:
            limit = f"at most {self.deny_max_chars} characters"
            raise Rejected("too_large", message=limit)
        if any(pattern.search(text) for pattern in self._deny for text in texts):
            raise Rejected("denied_content")
