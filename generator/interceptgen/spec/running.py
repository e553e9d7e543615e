"""The models of how the agent is run: its Runner, and each run."""

from typing import Final

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from interceptgen.spec.fields import Deadline, EmptyText, Reference
from interceptgen.spec.part import Part
from interceptgen.spec.vocabulary import EmptyResult, Resolve

__all__ = ["RunSpec", "RunnerSpec"]


class RunnerSpec(Part):
    """How the ADK Runner comes into being."""

    factory: Reference | None = Field(
        default=None,
        description="def or async def without arguments that returns a Runner;"
        " <package>.runner:build_runner if left out.",
    )
    resolve: Resolve = Field(
        default="lazy",
        description="lazy: built by the first request; eager: at start-up.",
    )


_TEXT_WITH_TEXT: Final[JsonDict] = {
    "if": {
        "required": ["empty_result"],
        "properties": {"empty_result": {"const": "text"}},
    },
    "then": {
        "required": ["empty_text"],
        "properties": {"empty_text": {"type": "string"}},
    },
    "else": {"properties": {"empty_text": {"type": "null"}}},
}


class RunSpec(Part):
    """How long a run may last, and what an empty one comes to."""

    model_config = ConfigDict(json_schema_extra=_TEXT_WITH_TEXT)

    deadline: Deadline | None = Field(
        default=None,
        description="Seconds after which a run is ended.",
    )
    idle_deadline: Deadline | None = Field(
        default=None,
        description="Seconds without an event after which a run is ended.",
    )
    empty_result: EmptyResult = Field(
        default="complete",
        description="What becomes of a run that produced nothing: complete (without"
        " an artifact), text (empty_text), last_output (of a Workflow, as text), or"
        " fail.",
    )
    empty_text: EmptyText | None = Field(
        default=None,
        description="What the caller reads then; with empty_result: text.",
    )
