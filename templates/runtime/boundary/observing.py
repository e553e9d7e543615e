"""Lets the boundary see what ADK's executor keeps to itself: ADK's own events.

All of it goes through fields of `A2aAgentExecutorConfig`, which are public.
"""

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from a2a.server.agent_execution import RequestContext
from a2a.server.events import Event as A2AEvent
from a2a.types import Part, TaskState, TaskStatus, TaskStatusUpdateEvent
from google.adk.a2a.converters.part_converter import A2APartToGenAIPartConverter
from google.adk.a2a.converters.request_converter import (
    A2ARequestToAgentRunRequestConverter,
    AgentRunRequest,
)
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.events.event import Event as AdkEvent

from ..seams.chain import Interceptor
from ..seams.exchange import current
from ..seams.protocols import OnAdkEvent, OnRequest, OnSilentEvent

__all__ = ["observed"]

P = ParamSpec("P")
EventT = TypeVar("EventT", bound=A2AEvent)


def observed(
    config: A2aAgentExecutorConfig, chain: Sequence[Interceptor], error_text: str
) -> A2aAgentExecutorConfig:
    """Copy the configuration with the chain, and with converters that are seen.

    Args:
        config: The converters.
        chain: The interceptors.
        error_text: What a caller reads in place of an error of the agent's.
    """
    hooks = [each.hooks for each in chain]
    requests = [each for each in hooks if isinstance(each, OnRequest)]
    seeing = [each for each in hooks if isinstance(each, OnAdkEvent)]
    silent = [each for each in hooks if isinstance(each, OnSilentEvent)]
    event_converter = _standing_in(config.event_converter, silent)
    adk_event_converter = _standing_in(config.adk_event_converter, silent)
    return config.model_copy(
        update={
            "execute_interceptors": list(chain),
            "request_converter": _passing(config.request_converter, requests),
            "event_converter": _noting(event_converter, seeing, error_text),
            "adk_event_converter": _noting(adk_event_converter, seeing, error_text),
        }
    )


def _passing(
    converter: A2ARequestToAgentRunRequestConverter, requests: Sequence[OnRequest]
) -> A2ARequestToAgentRunRequestConverter:
    if not requests:
        return converter

    def convert(
        context: RequestContext, parts: A2APartToGenAIPartConverter
    ) -> AgentRunRequest:
        request = converter(context, parts)
        for each in requests:
            request = each.on_request(context, request)
        return request

    return convert


def _standing_in(
    converter: Callable[Concatenate[AdkEvent, P], list[EventT]],
    silent: Sequence[OnSilentEvent],
) -> Callable[Concatenate[AdkEvent, P], list[EventT | TaskStatusUpdateEvent]]:
    def convert(
        adk_event: AdkEvent, /, *arguments: P.args, **more: P.kwargs
    ) -> list[EventT | TaskStatusUpdateEvent]:
        events = converter(adk_event, *arguments, **more)
        if events or not any(each.wants(adk_event) for each in silent):
            return [*events]
        facts = current().facts
        return [
            TaskStatusUpdateEvent(
                task_id=facts.task_id,
                context_id=facts.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_WORKING),
            )
        ]

    return convert


def _noting(
    converter: Callable[Concatenate[AdkEvent, P], list[EventT]],
    seeing: Sequence[OnAdkEvent],
    error_text: str,
) -> Callable[Concatenate[AdkEvent, P], list[EventT]]:
    def convert(
        adk_event: AdkEvent, /, *arguments: P.args, **more: P.kwargs
    ) -> list[EventT]:
        exchange = current()
        for each in seeing:
            each.on_adk_event(adk_event)
        if adk_event.output is not None:
            exchange.output = adk_event.output
        events = converter(adk_event, *arguments, **more)
        if adk_event.error_code or adk_event.error_message:
            exchange.agent_error = f"{adk_event.error_code}: {adk_event.error_message}"
            for event in events:
                _hide(event, error_text)
        return events

    return convert


def _hide(event: A2AEvent, text: str) -> None:
    # The legacy implementation makes a status of the error's text, and sends
    # it as the last one again.
    if (
        isinstance(event, TaskStatusUpdateEvent)
        and event.status.state == TaskState.TASK_STATE_FAILED
    ):
        del event.status.message.parts[:]
        event.status.message.parts.append(Part(text=text))
