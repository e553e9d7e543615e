"""What the recipes that settle who calls have in common."""

from collections.abc import Iterator
from typing import Final

from interceptgen.recipes.chain import Chain, Relation
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["only_one_identity"]

_IDENTITIES: Final = ("api_key", "bearer_jwt", "trusted_header")


def only_one_identity(recipe: str) -> Relation:
    """Give the relation that reports the recipe beside another one of its kind.

    Args:
        recipe: The recipe, which settles who calls. Two uses of one recipe have
            a message of their own.
    """

    def relation(chain: Chain) -> Iterator[Finding]:
        first = next(use for use in chain.entries if use.recipe in _IDENTITIES)
        for use in chain.uses(recipe) if first.recipe != recipe else ():
            message = (
                f"{shown(use.name)} settles who calls, and so does {shown(first.name)}"
            )
            hint = "a request has one caller: keep one of the two"
            problem = Problem(code="E047", message=message, hint=hint)
            yield Finding(loc=(*use.loc, "use"), problem=problem)

    return relation
