"""The chain of a spec as the relations between recipes see it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from interceptgen.recipes.settings import Settings
from interceptgen.spec.problem import Finding, Loc

__all__ = ["Chain", "Relation", "Use"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One entry of the chain.

    Attributes:
        loc: Its place in the spec.
        name: Its name; empty where it has none.
        recipe: The recipe that it names; empty for hooks of one's own.
        settings: Its `with:`; None for hooks, and for one that has mistakes.
    """

    loc: Loc
    name: str
    recipe: str
    settings: Settings | None

    def setting(self, *inside: str | int) -> Loc:
        """Give the place of something in its `with:`."""
        return (*self.loc, "with", *inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The interceptors of a spec, in its order.

    Attributes:
        implementation: `new`, `legacy` or `client`; another word if the spec
            is wrong there.
        entries: The interceptors, recipes and others.
    """

    implementation: str
    entries: tuple[Use, ...]

    def uses(self, recipe: str) -> tuple[Use, ...]:
        """Give the entries that name the recipe."""
        return tuple(entry for entry in self.entries if entry.recipe == recipe)


Relation: TypeAlias = Callable[[Chain], Iterator[Finding]]
"""Reports what keeps a recipe from its promise: an order, a pin, another recipe."""
