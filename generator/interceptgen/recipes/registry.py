"""All recipes, by what `use:` says."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from interceptgen.recipes.api_key import API_KEY
from interceptgen.recipes.artifacts import ARTIFACTS
from interceptgen.recipes.audit import AUDIT
from interceptgen.recipes.bearer_jwt import BEARER_JWT
from interceptgen.recipes.concurrency import CONCURRENCY
from interceptgen.recipes.idempotency import IDEMPOTENCY
from interceptgen.recipes.input_guard import INPUT_GUARD
from interceptgen.recipes.outbound_allowlist import OUTBOUND_ALLOWLIST
from interceptgen.recipes.paused_task_guard import PAUSED_TASK_GUARD
from interceptgen.recipes.push_guard import PUSH_GUARD
from interceptgen.recipes.rate_limit import RATE_LIMIT
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.redact import REDACT
from interceptgen.recipes.request_state import REQUEST_STATE
from interceptgen.recipes.safe_errors import SAFE_ERRORS
from interceptgen.recipes.stamp import STAMP
from interceptgen.recipes.token_budget import TOKEN_BUDGET
from interceptgen.recipes.trace import TRACE
from interceptgen.recipes.trusted_header import TRUSTED_HEADER

__all__ = ["RECIPES"]

_ALL = (
    API_KEY,
    ARTIFACTS,
    AUDIT,
    BEARER_JWT,
    CONCURRENCY,
    IDEMPOTENCY,
    INPUT_GUARD,
    OUTBOUND_ALLOWLIST,
    PAUSED_TASK_GUARD,
    PUSH_GUARD,
    RATE_LIMIT,
    REDACT,
    REQUEST_STATE,
    SAFE_ERRORS,
    STAMP,
    TOKEN_BUDGET,
    TRACE,
    TRUSTED_HEADER,
)

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {recipe.name: recipe for recipe in _ALL}
)
"""The recipes, in the order of their names."""
