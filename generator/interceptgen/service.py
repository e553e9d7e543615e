"""The service as the emitters print it: every name and import already decided.

Frozen values; nothing here depends on the spec's own form or on a library.
"""

from dataclasses import dataclass

__all__ = [
    "HOOKS",
    "ConfigField",
    "Converter",
    "EnvironmentVariable",
    "Interceptor",
    "Reference",
    "Service",
]

HOOKS = ("before_agent", "after_event", "after_agent")
"""The hooks, in the order in which a request meets them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """An attribute of a module, such as `orders.agent:root_agent`."""

    module: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentVariable:
    """A setting that only the environment gives.

    Attributes:
        name: The variable, such as `ORDERS_REDIS_URL`.
        field: The settings field that holds it.
        annotation: The Python type of the value.
    """

    name: str
    field: str
    annotation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigField:
    """One field of an interceptor's config object.

    Attributes:
        name: The field.
        annotation: Its Python type.
        default: The value's Python source, for one that stands in the spec.
        variable: Where the value comes from otherwise.
        description: What it is for; may be empty.
    """

    name: str
    annotation: str
    default: str | None
    variable: EnvironmentVariable | None
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interceptor:
    """One interceptor whose hooks a person writes.

    Attributes:
        name: Its name in the spec, which is its module's name.
        class_name: The class of its hooks.
        description: What it does.
        hooks: The hooks it has, in the order of `HOOKS`.
        config: The fields of its config object; none for no object.
        was: Names it had before, the latest last.
        was_classes: The class of each of these names.
    """

    name: str
    class_name: str
    description: str
    hooks: tuple[str, ...]
    config: tuple[ConfigField, ...]
    was: tuple[str, ...]
    was_classes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Converter:
    """A converter that replaces one of ADK's.

    Attributes:
        argument: The field of `A2aAgentExecutorConfig`.
        reference: What it is set to.
    """

    argument: str
    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Everything that the emitters need.

    Attributes:
        package: The Python package.
        description: What the service does.
        agent: The agent, workflow or app.
        runner_factory: What gives the runner.
        eager: Whether the runner is built at start-up.
        implementation: `new`, `legacy` or `client`.
        host: The address to listen at.
        port: The port to listen at.
        path: Where the A2A routes stand: empty, or with a leading slash and
            without a final one.
        public_url: The address that clients reach, if it isn't host and port.
        lifespan: The user's own lifespan.
        interceptors: The chain, in its order.
        converters: The converters that replace ADK's.
        variables: The variables that interceptors read, by name, each once.
    """

    package: str
    description: str
    agent: Reference
    runner_factory: Reference
    eager: bool
    implementation: str
    host: str
    port: int
    path: str
    public_url: str | None
    lifespan: Reference | None
    interceptors: tuple[Interceptor, ...]
    converters: tuple[Converter, ...]
    variables: tuple[EnvironmentVariable, ...]

    @property
    def environment_prefix(self) -> str:
        """What the names of the service's own variables start with."""
        return f"{self.package.upper()}_"
