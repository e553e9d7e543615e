"""Rules for names of the spec that become names in Python."""

import keyword
import re
import sys
from typing import Final

from interceptgen.spec.problem import Problem, shown

__all__ = [
    "LONGEST_NAME",
    "NAME_PATTERN",
    "class_name",
    "config_name_problem",
    "interceptor_name_problem",
    "old_name_problem",
    "package_name_problem",
    "state_name_problem",
]

NAME_PATTERN: Final = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
"""Names are snake_case and ASCII: one spelling on every file system."""

LONGEST_NAME: Final = 60
_SNAKE_CASE: Final = re.compile(NAME_PATTERN.removesuffix("$") + r"\Z")
_CAMEL_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ALMOST_A_NAME: Final = re.compile(r"[A-Za-z0-9_. -]{1,60}\Z")
_NOT_A_WORD: Final = re.compile(r"[^a-z0-9]+")

_TOOL_MODULES: Final = frozenset(
    {"config", "conftest", "contract", "contracts", "generated", "hooks", "service"},
)
"""Modules of a service that an interceptor's module or test would hide."""

_CONTRACT_CLASSES: Final = frozenset(
    {
        "A2AEvent",
        "AdkEvent",
        "Config",
        "EventResult",
        "ExecutorContext",
        "Hooks",
        "Outcome",
        "Rejected",
        "RequestContext",
        "RequestFacts",
        "State",
        "TaskStatusUpdateEvent",
    },
)
"""What a contract module exports; the user's class may not be called so."""

_EXECUTOR_NAMES: Final = frozenset(
    {
        "build_executor",
        "build_interceptors",
        "chain",
        "config",
        "executor",
        "guarded",
        "guarded_with_state",
        "interceptors",
        "load_settings",
        "runner",
        "settings",
    },
)
"""What the executor module calls its own things."""

_EXECUTOR_CLASSES: Final = frozenset(
    {
        "A2aAgentExecutorConfig",
        "BoundaryExecutor",
        "HookContractError",
        "Interceptor",
        "InterceptorSettings",
        "Policy",
        "Runner",
        "RunnerFactory",
        "ScriptedAgent",
        "Sequence",
        "Settings",
    },
)
"""Classes that the executor module and the tests import."""

_OTHER_PACKAGES: Final = frozenset(
    {
        "a2a",
        "anyio",
        "fastapi",
        "google",
        "httpx",
        "interceptgen",
        "pydantic",
        "pydantic_settings",
        "pytest",
        "src",
        "starlette",
        "tests",
        "uvicorn",
    },
)
"""Packages that a service imports or holds beside its own."""

_CLASS_BODY_NAMES: Final = frozenset(
    {"bool", "cls", "float", "int", "list", "self", "str", "tuple"},
)
"""A config or state class's body reads these; a field called so would hide them."""


def class_name(name: str) -> str:
    """Give the class of a snake_case name: `house_style` is `HouseStyle`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def interceptor_name_problem(name: str) -> Problem | None:
    """Judge the name of an interceptor: its module, test and class."""
    if problem := _python_name_problem(name) or _stdlib_problem(name):
        return problem
    if name in _TOOL_MODULES:
        return _reserved(name, "a service has a module of that name")
    if name in _EXECUTOR_NAMES or class_name(name) in _EXECUTOR_CLASSES:
        return _reserved(name, "the executor module has that name already")
    if class_name(name) in _CONTRACT_CLASSES:
        reason = f"its class {class_name(name)!r} would hide the contract's"
        return _reserved(name, reason)
    return None


def package_name_problem(name: str) -> Problem | None:
    """Judge the name of the service's package."""
    if problem := _python_name_problem(name) or _stdlib_problem(name):
        return problem
    if name in _OTHER_PACKAGES:
        return _reserved(name, "a service has another package of that name")
    return None


def config_name_problem(name: str) -> Problem | None:
    """Judge the name of a config field."""
    return _field_name_problem(name, "the config class needs that name itself")


def state_name_problem(name: str) -> Problem | None:
    """Judge the name of a state field."""
    if name == "request":
        return _reserved(name, "each state has the facts of the request there")
    return _field_name_problem(name, "the state class needs that name itself")


def old_name_problem(name: str) -> Problem | None:
    """Judge a name of the past: its form alone.

    A name that a newer Python took for itself is a reason to rename, so the
    old one has to be sayable.
    """
    return _form_problem(name)


def _field_name_problem(name: str, reason: str) -> Problem | None:
    if problem := _python_name_problem(name):
        return problem
    return _reserved(name, reason) if name in _CLASS_BODY_NAMES else None


def _python_name_problem(name: str) -> Problem | None:
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        message = f"{shown(name)} is a keyword of Python"
        return Problem(code="E031", message=message, hint="choose another name")
    return _form_problem(name)


def _form_problem(name: str) -> Problem | None:
    if name.startswith("_"):
        message = f"{shown(name)} starts with an underscore"
        return Problem(code="E034", message=message, hint=_proposal(name))
    if not _SNAKE_CASE.match(name):
        message = (
            f"{shown(name)} is not a name in snake_case"
            " (a-z, 0-9 and single _, a letter first)"
        )
        return Problem(code="E030", message=message, hint=_proposal(name))
    if len(name) > LONGEST_NAME:
        message = f"{shown(name)} has {len(name)} characters"
        return Problem(code="E035", message=message, hint=f"at most {LONGEST_NAME}")
    return None


def _stdlib_problem(name: str) -> Problem | None:
    if name not in sys.stdlib_module_names:
        return None
    message = f"{shown(name)} is a module of Python's standard library"
    return Problem(code="E032", message=message, hint="choose another name")


def _reserved(name: str, reason: str) -> Problem:
    message = f"{shown(name)} can't be used: {reason}"
    return Problem(code="E033", message=message, hint="choose another name")


def _proposal(name: str) -> str:
    if not _ALMOST_A_NAME.match(name):
        return ""
    folded = _NOT_A_WORD.sub("_", _CAMEL_HUMP.sub("_", name).lower()).strip("_")
    usable = _SNAKE_CASE.match(folded) and not keyword.iskeyword(folded)
    return f"did you mean {folded!r}?" if usable else ""
