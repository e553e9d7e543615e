"""What a run ends with that produced nothing a caller could read."""

from a2a.types import Artifact, Part, TaskArtifactUpdateEvent
from pydantic_core import to_json

from ..seams.exchange import Exchange
from .policy import Policy

__all__ = ["artifact_for_empty"]


def artifact_for_empty(
    policy: Policy, exchange: Exchange
) -> TaskArtifactUpdateEvent | None:
    """Make the artifact that stands in for a result, if the policy has one."""
    if policy.empty_result == "text":
        text = policy.empty_text
    elif policy.empty_result == "last_output" and exchange.output is not None:
        text = _serialised(exchange.output)
    else:
        return None
    return TaskArtifactUpdateEvent(
        task_id=exchange.facts.task_id,
        context_id=exchange.facts.context_id,
        artifact=Artifact(
            artifact_id=f"result-{exchange.facts.correlation_id}",
            parts=[Part(text=text)],
        ),
        last_chunk=True,
    )


def _serialised(output: object) -> str:
    if isinstance(output, str):
        return output
    return to_json(output, serialize_unknown=True).decode()
