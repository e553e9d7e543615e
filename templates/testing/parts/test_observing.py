"""What ADK's executor keeps to itself is seen, and its errors aren't told."""

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import (
    Message,
    Part,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.a2a.converters.part_converter import (
    A2APartToGenAIPartConverter,
    convert_a2a_part_to_genai_part,
)
from google.adk.a2a.converters.request_converter import AgentRunRequest
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.events.event import Event

from runtime.boundary.observing import observed
from runtime.seams.chain import guarded
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.protocols import OnAdkEvent, OnRequest, OnSilentEvent

from .scripted import adk_event, request_context

FAILED = TaskState.TASK_STATE_FAILED
WORKING = TaskState.TASK_STATE_WORKING
CONVERTERS = ("event_converter", "adk_event_converter")

each_converter = pytest.mark.parametrize("name", CONVERTERS)


class Names(OnRequest):
    """Appends a name to the user of a run."""

    def __init__(self, name: str) -> None:
        """Append this one."""
        self._name = name

    def on_request(
        self, context: RequestContext, request: AgentRunRequest
    ) -> AgentRunRequest:
        """Append it."""
        assert context.task_id
        user_id = f"{request.user_id}{self._name}"
        return request.model_copy(update={"user_id": user_id})


class Sees(OnAdkEvent, OnSilentEvent):
    """Remembers the events of the agent, and wants those of one author."""

    def __init__(self, author: str = "") -> None:
        """Begin with none."""
        self.seen: list[Event] = []
        self._author = author

    def on_adk_event(self, event: Event) -> None:
        """Remember it."""
        self.seen.append(event)

    def wants(self, event: Event) -> bool:
        """Want it by its author."""
        return event.author == self._author


def status(state: TaskState, text: str = "secret") -> TaskStatusUpdateEvent:
    """Make an update of the status."""
    message = Message(parts=[Part(text=text), Part(text=text)])
    return TaskStatusUpdateEvent(status=TaskStatus(state=state, message=message))


def converted(
    name: str, event: Event, made: list[object], *hooks: object
) -> tuple[list[TaskStatusUpdateEvent], Exchange]:
    """Convert an event of the agent, with a converter that makes these of it."""
    asked: list[tuple[object, ...]] = []

    def convert(*arguments: object, **more: object) -> list[object]:
        asked.append((*arguments, more))
        return made

    given = A2aAgentExecutorConfig().model_copy(update={name: convert})
    chain = [guarded("mine", each) for each in hooks]
    config = observed(given, chain, "It failed.")
    assert config.execute_interceptors == chain
    exchange = exchange_of(request_context())
    with exchange.entered():
        found: list[TaskStatusUpdateEvent] = getattr(config, name)(event, 1, two=2)
    assert asked == [(event, 1, {"two": 2})]
    return found, exchange


@each_converter
def test_each_event_is_seen_and_goes_on(name: str) -> None:
    """Also one that nothing is made of."""
    sees, event, update = Sees(), adk_event(), status(WORKING)

    found, exchange = converted(name, event, [update], sees, object())

    assert found == [update]
    assert found[0].status.message.parts[0].text == "secret"
    assert sees.seen == [event]
    assert (exchange.output, exchange.agent_error) == (None, None)
    found, _ = converted(name, event, [], sees)
    assert found == []
    assert sees.seen == [event, event]


@each_converter
def test_something_stands_in_for_an_event_that_is_wanted(name: str) -> None:
    """If nothing was made of it."""
    event = Event(author="quiet")

    found, exchange = converted(name, event, [], Sees(), Sees("quiet"))

    facts = exchange.facts
    assert facts.task_id
    assert found == [
        TaskStatusUpdateEvent(
            task_id=facts.task_id,
            context_id=facts.context_id,
            status=TaskStatus(state=WORKING),
        )
    ]
    update = status(WORKING)
    assert converted(name, event, [update], Sees("quiet"))[0] == [update]


@each_converter
@pytest.mark.parametrize("output", [{"a": 1}, 0, ""], ids=str)
def test_the_output_of_a_workflow_is_kept(name: str, output: object) -> None:
    """Whatever it is, but for none."""
    _, exchange = converted(name, Event(author="a", output=output), [])

    assert exchange.output == output


@each_converter
@pytest.mark.parametrize(
    ("code", "message", "kept"),
    [
        ("500", "no disk", "500: no disk"),
        ("500", None, "500: None"),
        (None, "no disk", "None: no disk"),
    ],
)
def test_an_error_of_the_agent_is_kept_and_not_told(
    name: str, code: str | None, message: str | None, kept: str
) -> None:
    """Only a failed status would tell it."""
    event = Event(author="a", error_code=code, error_message=message)
    artifact, update = TaskArtifactUpdateEvent(), status(WORKING)

    found, exchange = converted(name, event, [artifact, status(FAILED), update])

    assert exchange.agent_error == kept
    assert found[1].status.state == FAILED
    assert [part.text for part in found[1].status.message.parts] == ["It failed."]
    assert [*found] == [artifact, found[1], status(WORKING)]


@each_converter
def test_a_failed_status_without_an_error_is_left(name: str) -> None:
    """It is what the agent says itself."""
    found, exchange = converted(name, adk_event(), [status(FAILED)])

    assert found == [status(FAILED)]
    assert exchange.agent_error is None


def test_what_the_agent_is_run_with_goes_down_the_list() -> None:
    """After the converter; without such hooks, it is the converter's alone."""

    def convert(
        context: RequestContext, parts: A2APartToGenAIPartConverter
    ) -> AgentRunRequest:
        assert parts is convert_a2a_part_to_genai_part
        return AgentRunRequest(user_id=f"{context.context_id} ")

    given, context = (
        A2aAgentExecutorConfig(request_converter=convert),
        request_context(),
    )
    chain = [guarded(name, Names(name)) for name in ("a", "b")]

    run = observed(given, chain, "It failed.").request_converter(
        context, convert_a2a_part_to_genai_part
    )

    assert run.user_id == f"{context.context_id} ab"
    plain = observed(given, [guarded("x", Sees())], "It failed.")
    assert plain.request_converter is convert
