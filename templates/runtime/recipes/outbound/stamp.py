"""The recipe `stamp`: what a request used, cost and took, on its last status."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Literal

from a2a.server.agent_execution import RequestContext
from a2a.types import TaskStatusUpdateEvent

from ...boundary.outgoing import PAUSED, TERMINAL
from ...seams.exchange import Exchange, current, exchange_of
from ...seams.interceptor import AdkEvent, BeforeAgent
from ...seams.protocols import OnAdkEvent, OnSend, Outgoing
from .metadata_values import MetadataValue, as_metadata, size_of
from .prices import Tokens, cost_of, read_price

__all__ = ["Stamp"]

_LEFT_OUT = "left_out"
# So many bytes suffice to name all entries.
_MOST_NAMED = 160


@dataclass(slots=True)
class _Seen:
    """What was seen of one request.

    Attributes:
        started_at: When it came.
        began: The same on a clock that nobody sets.
        invocation_id: The agent's run; empty until its first event.
        used: By the event's id, the model and its tokens.
        state: The new values of the session's state.
    """

    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    began: float = field(default_factory=monotonic)
    invocation_id: str = ""
    used: dict[str, tuple[str, Tokens]] = field(
        default_factory=dict[str, tuple[str, Tokens]]
    )
    state: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(kw_only=True, eq=False)
class Stamp(BeforeAgent, OnAdkEvent, OnSend):
    """Writes one mapping into the metadata of the status that ends a request.

    Attributes:
        key: Its key in the metadata.
        fields: What it tells.
        prices: By a model's name, or `*` for any other, what a million tokens cost:
            `0.30/2.50` for those that go in and those that come out.
        currency: What the prices are in.
        tags: Fixed words, told as a sorted list.
        session_state: Keys of the session's state whose new values are told.
        max_bytes: Most bytes of the mapping as JSON; entries that don't fit are
            left out, and named.

    Raises:
        ValueError: If a price can't be read.
    """

    key: str = "stamp"
    fields: Sequence[Literal["usage", "ids", "timings"]] = ("usage", "ids", "timings")
    prices: Mapping[str, str] | None = None
    currency: str = "USD"
    tags: Sequence[str] = ()
    session_state: Sequence[str] = ()
    max_bytes: int = 4096

    def __post_init__(self) -> None:
        """Read the prices."""
        self._prices = {
            model: read_price(text) for model, text in (self.prices or {}).items()
        }
        self._tags = frozenset(self.tags)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Note when the request came."""
        self._seen(exchange_of(context))
        return context

    def on_adk_event(self, event: AdkEvent) -> None:
        """Note what the event tells of usage, ids and state."""
        seen = self._seen(current())
        seen.invocation_id = seen.invocation_id or event.invocation_id
        # A partial event tells what the whole one tells again.
        if event.partial:
            return
        if event.usage_metadata is not None:
            tokens = Tokens.of(event.usage_metadata)
            seen.used[event.id] = (event.model_version or "", tokens)
        delta = event.actions.state_delta
        seen.state.update(
            {key: delta[key] for key in self.session_state if key in delta}
        )

    def on_send(self, event: Outgoing) -> Outgoing:
        """Stamp the status if it ends the request, however that is."""
        if not isinstance(event, TaskStatusUpdateEvent):
            return event
        if event.status.state in TERMINAL | PAUSED:
            event.metadata.update({self.key: self._stamp(current())})
        return event

    def _stamp(self, exchange: Exchange) -> dict[str, MetadataValue]:
        told = {
            name: as_metadata(value) for name, value in self._told(exchange).items()
        }
        # What names the entries left out has to fit as well.
        room = self.max_bytes - _MOST_NAMED
        # Entries together are as long as each by itself, all braces counted.
        if size_of(told) <= room:
            return told
        stamp: dict[str, MetadataValue] = {}
        left_out: list[MetadataValue] = []
        for name, form in told.items():
            size = size_of({name: form})
            if size > room:
                left_out.append(name)
            else:
                stamp[name] = form
                room -= size
        return {**stamp, _LEFT_OUT: left_out}

    def _told(self, exchange: Exchange) -> dict[str, object]:
        seen = self._seen(exchange)
        told: dict[str, object] = {}
        if "ids" in self.fields:
            told["correlation_id"] = exchange.facts.correlation_id
            told["invocation_id"] = seen.invocation_id or None
        if "timings" in self.fields:
            told["started_at"] = seen.started_at
            told["duration_ms"] = round((monotonic() - seen.began) * 1000)
        used = list(seen.used.values())
        if "usage" in self.fields:
            total = sum((tokens for _, tokens in used), Tokens())
            told["usage"] = total.told()
        if self._prices:
            told["cost"] = cost_of(used, self._prices)
            told["currency"] = self.currency
        if self._tags:
            told["tags"] = self._tags
        if self.session_state:
            told["session_state"] = seen.state
        return told

    def _seen(self, exchange: Exchange) -> _Seen:
        return exchange.state(f"stamp {id(self)}", _Seen, _Seen)
