"""Rules about more than one value of a spec.

They read the file's plain values, not the model, so that a mistake elsewhere
in the file does not keep them from being applied.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from interceptgen.spec.config_checks import check_configs
from interceptgen.spec.interceptor_checks import check_interceptors
from interceptgen.spec.problem import Finding, Loc, Problem, shown
from interceptgen.spec.recipe_checks import check_recipes
from interceptgen.spec.tree import Tree
from interceptgen.spec.vocabulary import EMPTY_RESULTS, Implementation
from interceptgen.spec.wording import A_WHOLE_NUMBER, wrong_type

__all__ = ["check_pins", "check_relations", "check_version"]

_VERSION: Final = 1
_PIN_OF_SWITCH: Final[Mapping[str, Implementation]] = {
    "use_legacy": "legacy",
    "force_new_version": "new",
}
_UNUSED_CONVERTER: Final[Mapping[str, tuple[str, str]]] = {
    "new": ("event", "adk_event"),
    "legacy": ("adk_event", "event"),
}
"""What an implementation never calls, and what it calls in its place."""
_NONE: Final = ("", "")
_PINS: Final[frozenset[str]] = frozenset({"new", "legacy"})

_BOTH_PINS: Final = Problem(
    code="E060",
    message="both implementations are pinned, and ADK would let legacy win silently",
    hint="choose one: implementation: new, or implementation: legacy",
)


def check_version(tree: Tree) -> Iterator[Finding]:
    """Report a version that this tool does not read."""
    loc: Loc = ("version",)
    version = tree.at(loc)
    hint = f"write version: {_VERSION}"
    if version is None:
        problem = Problem(code="E020", message="'version' is missing", hint=hint)
    elif isinstance(version, bool) or not isinstance(version, int):
        problem = wrong_type(tree, loc, A_WHOLE_NUMBER)
    elif version < _VERSION:
        message = f"there has never been a version {version}"
        problem = Problem(code="E021", message=message, hint=hint)
    elif version > _VERSION:
        message = f"version {version} is newer than this interceptgen knows"
        hint = f"upgrade interceptgen, or write version: {_VERSION} and its keys"
        problem = Problem(code="E022", message=message, hint=hint)
    else:
        return
    yield Finding(loc=loc, problem=problem)


def check_pins(tree: Tree) -> Iterator[Finding]:
    """Report ADK's own two switches, and two pins at once."""
    listed = {one for one in tree.items(("implementation",)) if isinstance(one, str)}
    if listed >= _PINS:
        yield Finding(loc=("implementation",), problem=_BOTH_PINS)
    spec = tree.mapping(())
    switches: dict[str, Implementation] = {
        key: pin for key, pin in _PIN_OF_SWITCH.items() if key in spec
    }
    asked = {key for key in switches if spec[key] is not False}
    pins = listed | _stated_pin(tree) | {switches[key] for key in asked}
    for key, pin in switches.items():
        problem = _switch_problem(key, pin, needed=key in asked)
        if key in asked and pins >= _PINS:
            problem = _BOTH_PINS
        yield Finding(loc=(key,), problem=problem, at_key=True)


def check_relations(tree: Tree) -> Iterator[Finding]:
    """Report what does not fit together, in the chain and beside it."""
    yield from _check_converters(tree)
    yield from check_interceptors(tree)
    yield from check_recipes(tree)
    yield from check_configs(tree)
    yield from _check_empty_text(tree)


def _stated_pin(tree: Tree) -> set[str]:
    stated = tree.at(("implementation",))
    return {stated} if isinstance(stated, str) else set()


def _switch_problem(key: str, pin: Implementation, *, needed: bool) -> Problem:
    hint = f"write implementation: {pin}" if needed else "leave it out"
    return Problem(code="E002", message=f"unknown key {shown(key)}", hint=hint)


def _check_empty_text(tree: Tree) -> Iterator[Finding]:
    """Report a text that is wanted and missing, or there and never sent."""
    loc: Loc = ("run", "empty_text")
    policy = tree.mapping(("run",)).get("empty_result", "complete")
    given = tree.at(loc) is not None
    if policy == "text" and not given:
        message = "'empty_text' is missing in 'run'"
        hint = "add empty_text: and what the caller is to read"
        problem = Problem(code="E004", message=message, hint=hint)
        yield Finding(loc=loc, problem=problem)
    elif policy in EMPTY_RESULTS and policy != "text" and given:
        message = f"'empty_text' is never sent: empty_result is {policy!r}"
        hint = "write empty_result: text, or leave the text out"
        problem = Problem(code="E062", message=message, hint=hint)
        yield Finding(loc=loc, problem=problem, at_key=True)


def _check_converters(tree: Tree) -> Iterator[Finding]:
    pin = tree.mapping(()).get("implementation", "new")
    unused, instead = _UNUSED_CONVERTER.get(pin if isinstance(pin, str) else "", _NONE)
    loc: Loc = ("converters", unused)
    if not unused or tree.at(loc) is None:
        return
    other = "legacy" if pin == "new" else "new"
    problem = Problem(
        code="E061",
        message=f"the {pin} implementation never calls the converter {unused!r}",
        hint=f"write one for {instead!r}, or write implementation: {other}",
    )
    yield Finding(loc=loc, problem=problem, at_key=True)
