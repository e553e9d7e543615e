"""What is known of a recipe."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from interceptgen.recipes.chain import Relation
from interceptgen.recipes.settings import Settings

__all__ = ["Recipe", "Seam", "Variant"]

Seam: TypeAlias = Literal[
    "perimeter",
    "message",
    "before_agent",
    "request",
    "adk_event",
    "after_event",
    "after_agent",
    "send",
    "push",
    "failure",
    "on_exit",
]
"""Where a recipe acts, in the order in which a request meets the seams."""


def _nothing(_: str) -> Mapping[str, object]:
    return {}


def _no_samples(_: Settings) -> Mapping[str, object]:
    return {}


def _any_text(_: Settings) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Another class for some settings: who doesn't have them receives nothing of it.

    Attributes:
        parameter: The parameter that chooses it.
        value: The value that does, which its class then doesn't take; None if every
            value does that isn't empty.
        class_name: The class; it takes as keywords what is set besides.
        module: Its module in `templates/runtime`.
        requires: What the service has to depend on besides.
        start: What `add` writes, besides, for parameters that nobody gave.
    """

    parameter: str
    value: str | None = None
    class_name: str
    module: str
    requires: tuple[str, ...]
    start: Mapping[str, object] = field(default_factory=dict[str, object])

    def is_chosen_by(self, value: object) -> bool:
        """Tell whether a value of the parameter chooses it."""
        return bool(value) if self.value is None else value == self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A ready-made interceptor.

    Attributes:
        name: What `use:` says.
        description: What it does, in one sentence.
        seams: Where it acts.
        settings: The model of its `with:`.
        class_name: Its class; it takes the parameters as keywords.
        module: Its module in `templates/runtime`, such as `recipes.trace`; a
            service receives what that imports as well.
        requires: What the service has to depend on for it, as in a pyproject.toml.
        variants: Its other classes.
        repeatable: Whether a chain may hold it more than once.
        relations: What it demands of the chain that it stands in.
        samples: What else its generated tests hold, by the name of the constant.
        environment: What its generated tests put into the environment for each
            parameter that comes from there, where not any text does.
        start: What `add` writes for parameters that nobody gave, by the name of
            the interceptor.
    """

    name: str
    description: str
    seams: tuple[Seam, ...]
    settings: type[Settings]
    class_name: str
    module: str
    requires: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    repeatable: bool = False
    relations: tuple[Relation, ...] = ()
    samples: Callable[[Settings], Mapping[str, object]] = _no_samples
    environment: Callable[[Settings], Mapping[str, str]] = _any_text
    start: Callable[[str], Mapping[str, object]] = _nothing

    def variant_for(self, settings: Settings) -> Variant | None:
        """Give the variant that these settings choose, if there is one."""
        for variant in self.variants:
            if variant.is_chosen_by(getattr(settings, variant.parameter)):
                return variant
        return None
