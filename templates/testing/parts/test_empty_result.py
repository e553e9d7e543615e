"""What stands in for a result that nobody could read."""

import pytest
from a2a.types import Artifact, Part, TaskArtifactUpdateEvent

from runtime.boundary.empty_result import artifact_for_empty
from runtime.boundary.policy import EmptyResult, Policy
from runtime.seams.exchange import Exchange
from runtime.seams.request import RequestFacts

FACTS = RequestFacts(task_id="t", context_id="c", correlation_id="id-1")


def artifact(rule: EmptyResult, output: object = None) -> object:
    """Make what stands in for a result."""
    exchange = Exchange(FACTS)
    exchange.output = output
    policy = Policy(empty_result=rule, empty_text="Nothing.")
    return artifact_for_empty(policy, exchange)


@pytest.mark.parametrize(
    ("rule", "output", "text"),
    [
        ("text", None, "Nothing."),
        ("text", "an output", "Nothing."),
        ("last_output", "an output", "an output"),
        ("last_output", "", ""),
        ("last_output", {"a": [1, None]}, '{"a":[1,null]}'),
        ("last_output", 0, "0"),
    ],
)
def test_it_is_one_whole_artifact(rule: EmptyResult, output: object, text: str) -> None:
    """Named after the request."""
    assert artifact(rule, output) == TaskArtifactUpdateEvent(
        task_id="t",
        context_id="c",
        artifact=Artifact(artifact_id="result-id-1", parts=[Part(text=text)]),
        last_chunk=True,
    )


def test_an_output_that_has_no_json_form_is_named() -> None:
    """The run doesn't fail for it."""
    found = artifact("last_output", object())

    assert isinstance(found, TaskArtifactUpdateEvent)
    assert "object" in found.artifact.parts[0].text


@pytest.mark.parametrize(
    ("rule", "output"),
    [("complete", "an output"), ("fail", "an output"), ("last_output", None)],
)
def test_there_is_none(rule: EmptyResult, output: object) -> None:
    """If the policy has none, or a workflow gave no output."""
    assert artifact(rule, output) is None
