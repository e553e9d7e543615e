"""The service as the emitters print it: every name and import already decided.

Frozen values; nothing here depends on the spec's own form or on a library.
"""

from dataclasses import dataclass

__all__ = [
    "HOOKS",
    "Argument",
    "ConfigField",
    "Converter",
    "EnvironmentVariable",
    "Interceptor",
    "RecipeUse",
    "Reference",
    "Run",
    "Service",
    "StateField",
]

HOOKS = ("before_agent", "after_event", "after_agent", "on_exit")
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
        sample: What the generated tests put there; empty for any value.
    """

    name: str
    field: str
    annotation: str
    sample: str = ""


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
class StateField:
    """One field of an interceptor's state object.

    Attributes:
        name: The field.
        annotation: Its Python type.
        default: The Python source of the value that a request begins with.
        description: What it is for; may be empty.
    """

    name: str
    annotation: str
    default: str
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
        state: The fields of its state object, beside the request's facts; None
            for no object.
    """

    name: str
    class_name: str
    description: str
    hooks: tuple[str, ...]
    config: tuple[ConfigField, ...]
    was: tuple[str, ...]
    was_classes: tuple[str, ...]
    state: tuple[StateField, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """A parameter of a recipe.

    Attributes:
        name: The keyword that takes it.
        value: Its Python source, for one that stands in the spec or is the
            default; empty otherwise.
        variable: Where the value comes from otherwise.
        is_given: Whether it differs from the default.
    """

    name: str
    value: str
    variable: EnvironmentVariable | None
    is_given: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeUse:
    """One ready-made interceptor of the chain.

    Attributes:
        name: Its name in the spec.
        recipe: The recipe.
        class_name: The recipe's class.
        module: The module of the service that holds it.
        description: What it does.
        seams: Where it acts.
        requires: What the service has to depend on for it.
        arguments: All its parameters, in the order of its class.
        samples: What else its tests hold: names of constants, and Python source.
    """

    name: str
    recipe: str
    class_name: str
    module: str
    description: str
    seams: tuple[str, ...]
    requires: tuple[str, ...]
    arguments: tuple[Argument, ...]
    samples: tuple[tuple[str, str], ...]


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
class Run:
    """What is asked of a run; each is None where the runtime's default does.

    Attributes:
        deadline: The seconds that it may last, in Python source.
        idle_deadline: The seconds that it may last without an event.
        empty_result: What becomes of one that produced nothing.
        empty_text: The text that stands in for its result.
    """

    deadline: str | None = None
    idle_deadline: str | None = None
    empty_result: str | None = None
    empty_text: str | None = None


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
        chain: The interceptors, in their order.
        converters: The converters that replace ADK's.
        variables: The variables that interceptors read, by name, each once.
        run: What is asked of a run.
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
    chain: tuple[Interceptor | RecipeUse, ...]
    converters: tuple[Converter, ...]
    variables: tuple[EnvironmentVariable, ...]
    run: Run = Run()

    @property
    def interceptors(self) -> tuple[Interceptor, ...]:
        """Those of the chain whose hooks a person writes."""
        return tuple(each for each in self.chain if isinstance(each, Interceptor))

    @property
    def recipes(self) -> tuple[RecipeUse, ...]:
        """Those of the chain that are ready-made."""
        return tuple(each for each in self.chain if isinstance(each, RecipeUse))

    @property
    def requires(self) -> tuple[str, ...]:
        """What the service has to depend on for its recipes, sorted."""
        return tuple(sorted({need for use in self.recipes for need in use.requires}))

    @property
    def environment_prefix(self) -> str:
        """What the names of the service's own variables start with."""
        return f"{self.package.upper()}_"
