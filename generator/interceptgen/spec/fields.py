"""Types of single values: a string and the rule that it has to pass."""

from collections.abc import Callable
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from interceptgen.spec.addresses import host_problem, path_problem, public_url_problem
from interceptgen.spec.names import (
    LONGEST_NAME,
    NAME_PATTERN,
    config_name_problem,
    interceptor_name_problem,
    old_name_problem,
    package_name_problem,
    state_name_problem,
)
from interceptgen.spec.problem import Problem
from interceptgen.spec.texts import (
    ENV_PATTERN,
    LONGEST_DESCRIPTION,
    REFERENCE_PATTERN,
    description_problem,
    empty_text_problem,
    env_name_problem,
    reference_problem,
)

__all__ = [
    "RULE_ERROR",
    "ConfigName",
    "Deadline",
    "Description",
    "EmptyText",
    "EnvName",
    "Host",
    "InterceptorName",
    "OldNames",
    "PackageName",
    "Path",
    "PublicUrl",
    "Reference",
    "StateName",
    "rule",
]

RULE_ERROR: Final = "spec_rule"
"""pydantic's error type for our own rules; its context is the problem."""


def rule(judge: Callable[[str], Problem | None]) -> AfterValidator:
    """Let a text of the spec pass only if the judge has no problem with it."""

    def apply(value: str) -> str:
        if problem := judge(value):
            context = {
                "code": problem.code,
                "message": problem.message,
                "hint": problem.hint,
            }
            raise PydanticCustomError(RULE_ERROR, "{message}", context)
        return value

    return AfterValidator(apply)


def _one_or_more(value: object) -> object:
    return (value,) if isinstance(value, str) else value


_NAME = Field(json_schema_extra={"pattern": NAME_PATTERN, "maxLength": LONGEST_NAME})
_NAME_SCHEMA = {"type": "string", "pattern": NAME_PATTERN, "maxLength": LONGEST_NAME}

InterceptorName = Annotated[str, rule(interceptor_name_problem), _NAME]
PackageName = Annotated[str, rule(package_name_problem), _NAME]
ConfigName = Annotated[str, rule(config_name_problem), _NAME]
StateName = Annotated[str, rule(state_name_problem), _NAME]
OldNames = Annotated[
    tuple[Annotated[str, rule(old_name_problem)], ...],
    BeforeValidator(_one_or_more),
    WithJsonSchema(
        {"anyOf": [_NAME_SCHEMA, {"type": "array", "items": _NAME_SCHEMA}]},
    ),
]
EnvName = Annotated[
    str,
    rule(env_name_problem),
    Field(json_schema_extra={"pattern": ENV_PATTERN}),
]
Reference = Annotated[
    str,
    rule(reference_problem),
    Field(json_schema_extra={"pattern": REFERENCE_PATTERN}),
]
Description = Annotated[
    str,
    rule(description_problem),
    # A block scalar ends in a line break that nobody meant.
    AfterValidator(str.strip),
    Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_DESCRIPTION}),
]
EmptyText = Annotated[
    str,
    rule(empty_text_problem),
    AfterValidator(str.strip),
    Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_DESCRIPTION}),
]
Deadline = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Host = Annotated[str, rule(host_problem)]
Path = Annotated[str, rule(path_problem)]
PublicUrl = Annotated[str, rule(public_url_problem)]
