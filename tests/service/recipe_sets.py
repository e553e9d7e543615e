"""Sets of recipes: each alone, each two, and five at random, as specs.

Parameters are drawn: the same seed gives the same ones.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter
from itertools import combinations
from random import Random

from tests.service.recipe_values import drawn, simplest

from interceptgen.diagnostics import Diagnostic, SpecError
from interceptgen.recipes import RECIPES
from interceptgen.spec.loader import load_spec

__all__ = [
    "RecipeSet",
    "alone",
    "covering",
    "five",
    "mended",
    "orders",
    "pair",
    "plain",
    "refusal",
    "single",
    "together",
]

_NAMES = ("the_{}", "our_{}", "{}_of_ours", "{}_2", "{}_with_a_long_name_to_see")
_PINS = ("new", "new", "legacy", "client")


@dataclass(frozen=True, slots=True)
class Entry:
    """One interceptor of a set: its name, its recipe, and its parameters as JSON."""

    name: str
    recipe: str
    settings: str

    def written(self) -> dict[str, object]:
        """Give it as the spec has it."""
        given = json.loads(self.settings)
        told = {"with": given} if given else {}
        return {"name": self.name, "use": self.recipe, **told}


@dataclass(frozen=True, slots=True)
class RecipeSet:
    """A chain of recipes.

    Attributes:
        name: What its service is called after.
        implementation: Its pin.
        entries: The chain, in order.
    """

    name: str
    implementation: str
    entries: tuple[Entry, ...]

    @property
    def recipes(self) -> tuple[str, ...]:
        """The recipes, in order."""
        return tuple(entry.recipe for entry in self.entries)

    def told(self, seed: int) -> str:
        """Tell what a failed test was about."""
        return f"{self.name}, seed {seed}:\n{self.spec()}\n"

    def spec(self, package: str = "orders") -> str:
        """Give its interceptors.yaml."""
        # An entry a line, as JSON, which is YAML too.
        chain = [f"- {json.dumps(entry.written())}\n" for entry in self.entries]
        return f"""\
version: 1
service: {{package: {package}, description: Answers questions.}}
agent: {package}.agent:root_agent
implementation: {self.implementation}
interceptors:
{"".join(chain)}"""


def refusal(chain: RecipeSet) -> tuple[Diagnostic, ...]:
    """Give what is wrong with a set; nothing if a service can be made of it."""
    try:
        load_spec("interceptors.yaml", chain.spec().encode())
    except SpecError as error:
        return error.diagnostics
    return ()


@cache
def orders(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """Give the orders in which two recipes, as `add` writes them, can stand."""
    possible = dict.fromkeys(((one, other), (other, one)))
    return tuple(each for each in possible if not refusal(plain(each)))


def plain(recipes: Sequence[str]) -> RecipeSet:
    """Give recipes as `add` writes them, in this order."""
    entries: list[Entry] = []
    for at, recipe in enumerate(recipes):
        name = f"{recipe}_{at}"
        settings = simplest(RECIPES[recipe], name)
        entries.append(Entry(name, recipe, json.dumps(settings)))
    return RecipeSet("_and_".join(recipes), "new", tuple(entries))


def alone(recipe: str, pin: str = "new", **settings: object) -> RecipeSet:
    """Give a recipe alone, as `add` writes it, but for these parameters."""
    name = f"the_{recipe}"
    given = json.dumps({**simplest(RECIPES[recipe], name), **settings})
    return RecipeSet(recipe, pin, (Entry(name, recipe, given),))


def single(recipe: str, seed: int) -> RecipeSet:
    """Give a recipe alone."""
    return _varied(recipe, (recipe,), seed)


def pair(one: str, other: str, seed: int) -> RecipeSet:
    """Give two recipes in an order in which they can stand, if there is one."""
    possible = orders(one, other) or ((one, other),)
    recipes = Random(f"{seed} {one} {other}").choice(possible)
    return _varied("_and_".join(recipes), recipes, seed)


def five(number: int, seed: int) -> RecipeSet:
    """Give five recipes in random order, whether they can stand so or not."""
    dice = Random(f"{seed} five {number}")
    return _varied(f"five_{number}", dice.sample(sorted(RECIPES), 5), seed)


def together(number: int, seed: int) -> RecipeSet:
    """Give one of the few sets in which each two that can stand together do."""
    recipes = _in_order(covering()[number], seed)
    return _varied(f"many_{number}", recipes, seed)


def mended(chain: RecipeSet) -> RecipeSet:
    """Give a refused set in an order in which it can stand, if there is one."""
    if not refusal(chain):
        return chain
    recipes = chain.recipes
    if not all(orders(*two) for two in combinations(recipes, 2)):
        return chain
    placed = _in_order(frozenset(recipes), 0)
    entries = sorted(chain.entries, key=lambda entry: placed.index(entry.recipe))
    return replace(chain, entries=tuple(entries))


@cache
def covering() -> tuple[frozenset[str], ...]:
    """Choose the recipes of each such set, as many as can stand in it."""
    wanted = {
        frozenset(two) for two in combinations(sorted(RECIPES), 2) if orders(*two)
    }
    missing, found = set(wanted), list[frozenset[str]]()
    while missing:
        chosen = set(min(missing, key=sorted))
        for recipe in sorted(RECIPES):
            if all(frozenset((recipe, each)) in wanted for each in chosen - {recipe}):
                chosen.add(recipe)
        found.append(frozenset(chosen))
        missing -= {frozenset(two) for two in combinations(chosen, 2)}
    return tuple(found)


def _in_order(recipes: frozenset[str], seed: int) -> tuple[str, ...]:
    """Put recipes into a random order of those in which they can stand."""
    dice = Random(f"{seed} {sorted(recipes)}")
    sorter = TopologicalSorter[str](dict.fromkeys(recipes, ()))
    for one, other in combinations(sorted(recipes), 2):
        possible = orders(one, other)
        if len(possible) == 1:
            sorter.add(possible[0][1], possible[0][0])
    sorter.prepare()
    ready, found = list[str](), list[str]()
    while sorter.is_active():
        ready = sorted((*ready, *sorter.get_ready()))
        found.append(ready.pop(dice.randrange(len(ready))))
        sorter.done(found[-1])
    return tuple(found)


def _varied(name: str, recipes: Sequence[str], seed: int) -> RecipeSet:
    """Draw parameters that fit each other, if the recipes do."""
    dice = Random(f"{seed} {name} {recipes}")
    pin = dice.choice(_PINS)
    entries: list[Entry] = []
    for at, recipe in enumerate(recipes):
        fits = not refusal(plain(recipes[: at + 1]))
        before = tuple(entries) if fits else ()
        drawn_ones = _draws(recipe, {entry.name for entry in entries}, dice)
        chains = (RecipeSet("", pin, (*before, entry)) for entry in drawn_ones)
        entries.append(next(each for each in chains if not refusal(each)).entries[-1])
    return RecipeSet(name, pin, tuple(entries))


_TRIES = 200


def _draws(recipe: str, taken: Collection[str], dice: Random) -> Iterator[Entry]:
    names = [name.format(recipe) for name in _NAMES]
    name = dice.choice([name for name in names if name not in taken])
    for _ in range(_TRIES):
        yield Entry(name, recipe, json.dumps(drawn(RECIPES[recipe], name, dice)))
    yield Entry(name, recipe, json.dumps(simplest(RECIPES[recipe], name)))
