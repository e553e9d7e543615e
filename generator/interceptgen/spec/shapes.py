"""pydantic's errors about shapes, retold in the words of the spec."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from interceptgen.spec.fields import RULE_ERROR
from interceptgen.spec.model import (
    ConfigField,
    ConvertersSpec,
    EnvRef,
    InterceptorSpec,
    RunnerSpec,
    RunSpec,
    ServerSpec,
    ServiceSpec,
    Spec,
    StateField,
)
from interceptgen.spec.problem import Finding, Loc, Problem, listed, nearest, shown
from interceptgen.spec.tree import Tree
from interceptgen.spec.vocabulary import (
    CONFIG_TYPES,
    EMPTY_RESULTS,
    HOOKS,
    IMPLEMENTATIONS,
    RESOLVES,
)
from interceptgen.spec.wording import (
    A_LIST,
    A_MAPPING,
    A_NUMBER,
    A_WHOLE_NUMBER,
    TEXT,
    label_of,
    not_finite,
    wrong_type,
)

__all__ = ["retell"]

_ENTRY: Final = ("interceptors", "*")
_FIELD: Final = (*_ENTRY, "config", "*")
_STATE: Final = (*_ENTRY, "state", "*")
_MODELS: Final[Mapping[Loc, type[BaseModel]]] = {
    (): Spec,
    ("service",): ServiceSpec,
    ("runner",): RunnerSpec,
    ("run",): RunSpec,
    ("server",): ServerSpec,
    ("converters",): ConvertersSpec,
    _ENTRY: InterceptorSpec,
    _FIELD: ConfigField,
    (*_FIELD, "default"): EnvRef,
    _STATE: StateField,
}
_CHOICES: Final[Mapping[Loc, tuple[str, str, tuple[str, ...]]]] = {
    ("implementation",): ("E006", "implementation", IMPLEMENTATIONS),
    ("runner", "resolve"): ("E006", "resolve", RESOLVES),
    ("run", "empty_result"): ("E006", "empty_result", EMPTY_RESULTS),
    (*_FIELD, "type"): ("E006", "type", CONFIG_TYPES),
    (*_STATE, "type"): ("E006", "type", CONFIG_TYPES),
    (*_ENTRY, "hooks", "*"): ("E003", "hook", HOOKS),
}
_WANTED: Final[Mapping[str, str]] = {
    "string_type": TEXT,
    "int_type": A_WHOLE_NUMBER,
    "float_type": A_NUMBER,
    "tuple_type": A_LIST,
    "dict_type": A_MAPPING,
    "mapping_type": A_MAPPING,
    "model_type": A_MAPPING,
}
_SHAPES: Final[Mapping[Loc, str]] = {
    ("service",): "write service: {package: orders, description: ...}",
    ("runner",): "write runner: {factory: orders.runner:build_runner}",
    ("run",): "write run: {deadline: 60}",
    ("server",): "write server: {host: 127.0.0.1, port: 8001}",
    ("converters",): "write converters: {request: orders.converters:to_run_request}",
    ("interceptors",): "start each with - name: and put its other keys below",
    _ENTRY: "write - name: and put its other keys below",
    (*_ENTRY, "was"): "write was: old_name, or was: [older_name, old_name]",
    (*_ENTRY, "hooks"): "write hooks: [after_event]",
    (*_ENTRY, "config"): "write config: {limit: {type: int, default: 60}}",
    _FIELD: "write {type: int, default: 60}",
    (*_ENTRY, "state"): "write state: {tries: {type: int, default: 0}}",
    _STATE: "write {type: int, default: 0}",
}
_ADD: Final[Mapping[Loc, str]] = {
    ("version",): "add version: 1",
    ("service",): "add service: {package: orders, description: ...}",
    ("service", "package"): "add package: orders",
    ("service", "description"): "say in one sentence what the service does",
    ("agent",): "add agent: orders.agent:root_agent",
    (*_ENTRY, "name"): "add name: and a name in snake_case",
    (*_FIELD, "type"): f"add type: {listed(CONFIG_TYPES)}",
    (*_FIELD, "default"): "add default: and a value, or {env: NAME}",
    (*_FIELD, "default", "env"): "write {env: NAME}",
    (*_ENTRY, "state"): "write state: {} to have the facts of the request alone",
    (*_STATE, "type"): f"add type: {listed(CONFIG_TYPES)}",
    (*_STATE, "default"): "add default: and the value that a request begins with",
}
_IN_CONFIG: Final = 4
_IN_DEFAULT: Final = 5


def retell(error: ErrorDetails, tree: Tree) -> Finding:
    """Turn one of pydantic's errors into a finding.

    Args:
        error: An error of validating the file's values as a `Spec`.
        tree: The file.

    Returns:
        The same problem, placed in the file and put in plain words.
    """
    loc, at_key = _place(error["loc"])
    kind = error["type"]
    if kind == "extra_forbidden":
        return Finding(loc=loc, problem=_unknown_key(loc), at_key=True)
    if kind == "missing":
        return Finding(loc=loc, problem=_missing(loc))
    if kind == RULE_ERROR:
        problem = Problem(**error.get("ctx", {}))
    elif kind in {"greater_than_equal", "less_than_equal"}:
        problem = _out_of_range(loc, tree, "lie between 1 and 65535")
    elif kind == "greater_than":
        problem = _out_of_range(loc, tree, "be above 0")
    elif kind == "finite_number":
        problem = not_finite(loc)
    elif kind == "literal_error":
        problem = _unknown_value(loc, tree)
    else:
        problem = _wrong_shape(loc, tree, _WANTED[kind])
    return Finding(loc=loc, problem=problem, at_key=at_key)


def _place(loc: Loc) -> tuple[Loc, bool]:
    # pydantic puts the chosen branch of a default, and a mark for a key that
    # is itself wrong, among the steps of the file.
    if loc[4:5] == ("default",) and _general(loc)[:_IN_CONFIG] == _FIELD:
        return (*loc[:_IN_DEFAULT], *loc[_IN_DEFAULT + 1 :]), False
    if loc[_IN_CONFIG:] == ("[key]",):
        return loc[:_IN_CONFIG], True
    return loc, False


def _general(loc: Loc) -> Loc:
    if loc[:1] != ("interceptors",):
        return loc
    return tuple("*" if at in {1, 3} else part for at, part in enumerate(loc))


def _unknown_key(loc: Loc) -> Problem:
    *parent, key = loc
    model = _MODELS[_general(tuple(parent))]
    known = [field.alias or name for name, field in model.model_fields.items()]
    hint = nearest(str(key).removesuffix("_converter"), known)
    if not hint and not parent:
        hint = _home_of(str(key))
    return Problem(
        code="E002",
        message=f"unknown key {shown(str(key))}",
        hint=hint or f"keys here are {listed(known)}",
    )


def _home_of(key: str) -> str:
    for loc, model in _MODELS.items():
        if len(loc) == 1 and key in model.model_fields:
            return f"it belongs in {str(loc[0])!r}"
    return ""


def _missing(loc: Loc) -> Problem:
    inside = f" in {label_of(loc[:-1])}" if len(loc) > 1 else ""
    return Problem(
        code="E004",
        message=f"{label_of(loc[-1:])} is missing{inside}",
        hint=_ADD[_general(loc)],
    )


def _unknown_value(loc: Loc, tree: Tree) -> Problem:
    code, kind, choices = _CHOICES[_general(loc)]
    value = tree.at(loc)
    if not isinstance(value, str):
        return _wrong_shape(loc, tree, f"one of {listed(choices)}")
    return Problem(
        code=code,
        message=f"unknown {kind} {shown(value)}",
        hint=nearest(value, choices) or f"write one of {listed(choices)}",
    )


def _out_of_range(loc: Loc, tree: Tree, wanted: str) -> Problem:
    message = f"{label_of(loc)} must {wanted}, not be {tree.at(loc)}"
    return Problem(code="E007", message=message)


def _wrong_shape(loc: Loc, tree: Tree, wanted: str) -> Problem:
    problem = wrong_type(tree, loc, wanted)
    value, place = tree.at(loc), _general(loc)
    hint = problem.hint
    if value is None:
        # What has to be there can't be left out, as the common hint has it.
        hint = _ADD.get(place, hint)
    elif loc[-1:] == ("hooks",) and isinstance(value, str) and value in HOOKS:
        hint = f"write hooks: [{value}]"
    return Problem(
        code=problem.code,
        message=problem.message,
        hint=hint or _SHAPES.get(place, ""),
    )
