"""Recipes alone, by twos and by fives: all green, or a reason."""

import os
import shutil
from functools import partial
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path

import pytest
from tests.service import gates
from tests.service.forking import Forge
from tests.service.making import Template, run
from tests.service.recipe_sets import (
    RecipeSet,
    covering,
    five,
    mended,
    orders,
    pair,
    plain,
    refusal,
    single,
    together,
)
from tests.service.whole_chain import whole_chain

from interceptgen.recipes import RECIPES

SEED = int(os.environ.get("RECIPE_SETS_SEED", "1"))
FIVES = int(os.environ.get("RECIPE_SETS_FIVES", "60"))
# Which of them run each time; the others are a slow proof.
FIRST_FIVES = 4
IDENTITIES = ("api_key", "bearer_jwt", "trusted_header")
NAMES = sorted(RECIPES)
PAIRS = tuple(combinations_with_replacement(NAMES, 2))
MANY = range(len(IDENTITIES))
BATCH = 20


class Made:
    """The services of sets, side by side in one folder, made when asked for."""

    def __init__(self, template: Template, folder: Path, forge: Forge) -> None:
        """Make services from the template, in the folder."""
        self._template, self.folder, self._forge = template, folder, forge

    def __getitem__(self, chain: RecipeSet) -> Path:
        """Give the folder of the set's service; no two have one package."""
        package = f"set_{chain.name}"
        folder = self.folder / f"made_{package}"
        if not folder.exists():
            self._template.make(folder, chain.spec(package), package_name=package)
        return folder

    def assert_green(self, chain: RecipeSet) -> None:
        """Its own tests pass offline, and one for which the whole chain stands."""
        service = self[chain]
        with whole_chain(service, chain):
            code, output = self._forge.pytest(
                service, "-p", "pytest_socket", *gates.NO_SOCKET
            )
        assert code == 0, f"{chain.told(SEED)}{output}"

    def assert_sound(self, chains: list[RecipeSet]) -> None:
        """Ruff, mypy and pyright find nothing."""
        services = [self[chain] for chain in chains]
        for gate in (gates.ruff, gates.mypy, gates.pyright):
            done = gate(self.folder, services)
            assert done.code == 0, f"seed {SEED}: {done.output}"


@pytest.fixture(scope="session")
def made(
    template: Template, forge: Forge, tmp_path_factory: pytest.TempPathFactory
) -> Made:
    """Give the services."""
    return Made(template, tmp_path_factory.mktemp("sets"), forge)


# --- what can stand together, and what a refusal says ----------------------------


def test_only_recipes_that_settle_who_calls_never_stand_together() -> None:
    refused = [two for two in combinations(NAMES, 2) if not orders(*two)]
    # Another pair here is a decision, with a reason in the docs.
    assert refused == list(combinations(IDENTITIES, 2))


def test_what_changes_that_which_leaves_stands_above_what_measures_it() -> None:
    assert orders("audit", "redact") == (("redact", "audit"),)
    assert orders("audit", "outbound_allowlist") == (("outbound_allowlist", "audit"),)


def test_only_recipes_that_may_be_repeated_stand_beside_themselves() -> None:
    found = {name for name in NAMES if orders(name, name)}
    assert found == {name for name, each in RECIPES.items() if each.repeatable}


def test_a_refused_pair_names_both_and_a_way_out() -> None:
    for order in permutations(NAMES, 2):
        assert_gives_the_reason(plain(order))
    for name in NAMES:
        assert_gives_the_reason(plain((name, name)))


def assert_gives_the_reason(chain: RecipeSet) -> None:
    """A set that is refused is so at the place of one recipe, because of another."""
    lines = chain.spec().splitlines()
    head = len(lines) - len(chain.entries)
    for told in refusal(chain):
        names = [entry.name for entry in chain.entries]
        del names[told.line - head - 1]
        assert told.code in {"E046", "E047", "E048", "E049", "E056"}, told
        assert any(repr(name) in told.message for name in names), told
        assert told.hint, told


def test_a_few_sets_hold_each_two() -> None:
    found = {frozenset(two) for names in covering() for two in combinations(names, 2)}
    assert found == {frozenset(two) for two in combinations(NAMES, 2) if orders(*two)}
    assert len(covering()) == len(MANY)


# --- the gates, in every run ------------------------------------------------------


@pytest.mark.service
@pytest.mark.parametrize("recipe", NAMES)
def test_a_recipe_alone_is_green(made: Made, recipe: str) -> None:
    made.assert_green(single(recipe, SEED))


@pytest.mark.service
@pytest.mark.parametrize("number", MANY)
def test_many_recipes_are_green(made: Made, number: int) -> None:
    made.assert_green(together(number, SEED))


@pytest.mark.service
@pytest.mark.parametrize("number", range(FIRST_FIVES))
def test_five_recipes_are_green_or_refused(made: Made, number: int) -> None:
    green_or_refused(made, five(number, SEED))


@pytest.mark.service
def test_ruff_mypy_and_pyright_find_nothing(made: Made) -> None:
    fives = [five(number, SEED) for number in range(FIRST_FIVES)]
    chains = [*(together(n, SEED) for n in MANY), *map(mended, fives)]
    made.assert_sound([chain for chain in chains if not refusal(chain)])


@pytest.mark.service
@pytest.mark.parametrize("number", MANY)
def test_no_import_is_for_types_only(made: Made, number: int) -> None:
    """A user may choose ruff's rules for imports that only types need."""
    service = made[together(number, SEED)]
    done = run(service, "ruff", "check", ".", "--no-cache", "--extend-select", "TC")
    assert done.code == 0, done.output


# --- all of them, once --------------------------------------------------------------


@pytest.mark.service
@pytest.mark.slow
@pytest.mark.parametrize("two", PAIRS, ids="-".join)
def test_two_recipes_are_green_or_refused(made: Made, two: tuple[str, str]) -> None:
    green_or_refused(made, pair(*two, SEED))


@pytest.mark.service
@pytest.mark.slow
@pytest.mark.parametrize("number", range(FIRST_FIVES, FIVES))
def test_more_sets_of_five_are_green_or_refused(made: Made, number: int) -> None:
    green_or_refused(made, five(number, SEED))


@pytest.mark.service
@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, len(NAMES) + len(PAIRS) + FIVES, BATCH))
def test_ruff_mypy_and_pyright_find_nothing_in_any(made: Made, start: int) -> None:
    batch = [
        *(partial(single, name) for name in NAMES),
        *(partial(pair, *two) for two in PAIRS),
        *(partial(five, number) for number in range(FIVES)),
    ][start : start + BATCH]
    chains = [mended(chosen(SEED)) for chosen in batch]
    made.assert_sound([chain for chain in chains if not refusal(chain)])


@pytest.mark.service
@pytest.mark.slow
@pytest.mark.parametrize("number", MANY)
def test_imports_may_be_moved_to_where_only_types_need_them(
    made: Made, forge: Forge, tmp_path: Path, number: int
) -> None:
    """The rules at their strictest, and all that they would mend."""
    service = shutil.copytree(made[together(number, SEED)], tmp_path / "moved")
    strict = "lint.flake8-type-checking.strict = true"
    words = ("--extend-select", "TC", "--config", strict, "--fix", "--unsafe-fixes")
    done = run(service, "ruff", "check", ".", "--no-cache", *words)
    assert "fixed" in done.output
    code, output = forge.pytest(service, "-p", "pytest_socket", *gates.NO_SOCKET)
    assert code == 0, output


def green_or_refused(made: Made, chain: RecipeSet) -> None:
    """The service's tests pass; or the spec gives a reason, and a way to mend it."""
    if refusal(chain):
        assert_gives_the_reason(chain)
        chain = mended(chain)
    if not refusal(chain):
        made.assert_green(chain)
