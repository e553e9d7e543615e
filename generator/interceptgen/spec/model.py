"""The input language: what may stand in `interceptors.yaml`.

The models give shapes, defaults and, through their descriptions, the JSON
Schema. A `Spec` from `load_spec` has passed the cross-field checks as well.
"""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import (
    ConfigDict,
    Field,
)
from pydantic.config import JsonDict

from interceptgen.spec.config_field import ConfigField, EnvRef, StateField
from interceptgen.spec.fields import (
    ConfigName,
    Description,
    Host,
    InterceptorName,
    OldNames,
    PackageName,
    Path,
    PublicUrl,
    Reference,
    StateName,
)
from interceptgen.spec.names import class_name
from interceptgen.spec.part import Part
from interceptgen.spec.running import RunnerSpec, RunSpec
from interceptgen.spec.vocabulary import (
    CONFIG_TYPES,
    HOOKS,
    IMPLEMENTATIONS,
    RESOLVES,
    ConfigType,
    Hook,
    Implementation,
    Literals,
    Resolve,
)

__all__ = [
    "CONFIG_TYPES",
    "HOOKS",
    "IMPLEMENTATIONS",
    "RESOLVES",
    "ConfigField",
    "ConfigType",
    "ConvertersSpec",
    "EnvRef",
    "Hook",
    "Implementation",
    "InterceptorSpec",
    "Literals",
    "Resolve",
    "RunSpec",
    "RunnerSpec",
    "ServerSpec",
    "ServiceSpec",
    "Spec",
    "StateField",
]

_RECIPE_OR_HOOKS: Final[JsonDict] = {
    "oneOf": [
        {"required": ["use"], "properties": {"use": {"type": "string"}}},
        {
            "required": ["hooks", "description"],
            "properties": {"description": {"type": "string"}},
        },
    ],
    "dependentRequired": {
        "with": ["use"],
        "config": ["hooks"],
        "state": ["hooks"],
    },
}


class InterceptorSpec(Part):
    """One interceptor: a recipe (`use`), or hooks of your own (`hooks`)."""

    model_config = ConfigDict(json_schema_extra=_RECIPE_OR_HOOKS)

    name: InterceptorName = Field(
        description="Name of the interceptor, its module and its test.",
    )
    description: Description | None = Field(
        default=None,
        description="What it does, in a sentence; needed with hooks.",
    )
    was: OldNames = Field(
        default=(),
        description="Earlier name or names; your code moves to the new one.",
    )
    use: str | None = Field(
        default=None,
        description="Name of a recipe, a ready-made interceptor.",
    )
    with_: Mapping[str, object] = Field(
        default_factory=dict[str, object],
        alias="with",
        description="Settings of the recipe.",
    )
    hooks: tuple[Hook, ...] = Field(
        default=(),
        description="The hooks that you write.",
        json_schema_extra={"minItems": 1, "uniqueItems": True},
    )
    config: Mapping[ConfigName, ConfigField] = Field(
        default_factory=dict[str, ConfigField],
        description="Typed settings that your hooks read.",
        json_schema_extra={"additionalProperties": False},
    )
    state: Mapping[StateName, StateField] = Field(
        default_factory=dict[str, StateField],
        description="What your hooks share during one request, beside its facts.",
        json_schema_extra={"additionalProperties": False},
    )

    @property
    def has_state(self) -> bool:
        """Whether its hooks share an object; an empty one holds the facts alone."""
        return "state" in self.model_fields_set

    @property
    def class_name(self) -> str:
        """The PascalCase class of the user's module."""
        return class_name(self.name)


class ServiceSpec(Part):
    """What the service is."""

    package: PackageName = Field(description="Its Python package, below src/.")
    description: Description = Field(
        description="What it does; stands in the agent card.",
    )


class ServerSpec(Part):
    """Where the service listens and how clients reach it."""

    host: Host = Field(
        default="127.0.0.1",
        description="Address to listen on.",
    )
    port: int = Field(default=8001, ge=1, le=65535, description="Port to listen on.")
    path: Path = Field(
        default="",
        description='Path below which the service answers, such as "/a2a".',
    )
    public_url: PublicUrl | None = Field(
        default=None,
        description="Address that clients reach, named by the agent card.",
    )
    lifespan: Reference | None = Field(
        default=None,
        description="Your own ASGI lifespan, entered beside the service's.",
    )


class ConvertersSpec(Part):
    """Converters of A2aAgentExecutorConfig that replace ADK's own."""

    a2a_part: Reference | None = Field(
        default=None,
        description="A2A part to GenAI part.",
    )
    gen_ai_part: Reference | None = Field(
        default=None,
        description="GenAI part to A2A part.",
    )
    request: Reference | None = Field(
        default=None,
        description="A2A request to the arguments of Runner.run_async.",
    )
    event: Reference | None = Field(
        default=None,
        description="ADK event to A2A events; the legacy implementation calls it.",
    )
    adk_event: Reference | None = Field(
        default=None,
        description="ADK event to A2A events; the new implementation calls it.",
    )


class Spec(Part):
    """The interceptors of one service that serves an ADK agent over A2A."""

    version: Literal[1] = Field(description="Version of this language.")
    service: ServiceSpec = Field(description="Package and purpose of the service.")
    agent: Reference = Field(
        description="module:attribute of a BaseAgent, a Workflow or an App.",
    )
    runner: RunnerSpec = Field(
        default=RunnerSpec(),
        description="How the Runner is built.",
    )
    run: RunSpec = Field(
        default=RunSpec(),
        description="Deadlines of a run, and what an empty one comes to.",
    )
    implementation: Implementation = Field(
        default="new",
        description="ADK's executor: new, legacy, or client (the caller decides).",
    )
    server: ServerSpec = Field(
        default=ServerSpec(),
        description="Where the service listens.",
    )
    interceptors: tuple[InterceptorSpec, ...] = Field(
        default=(),
        description="The chain: before_agent and after_event run down the list,"
        " after_agent and on_exit run up.",
    )
    converters: ConvertersSpec = Field(
        default=ConvertersSpec(),
        description="Converters that replace ADK's own.",
    )
