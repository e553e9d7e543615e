"""Other values than the defaults, for the parameters of recipes."""

from collections.abc import Mapping
from random import Random
from typing import Any

from interceptgen.recipes import Recipe

__all__ = ["drawn", "simplest"]

_P256 = "https://login.example.com/keys"
# In place of what `add` writes; the first one says what a recipe can't do without.
_BEGINNINGS: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "audit": (
        {"path": "audit.jsonl"},
        {"path": "rows of the service.db", "sink": "sqlite"},
        {"path": {"env": "ROWS_FILE"}},
    ),
    "bearer_jwt": (
        {"issuers": ["https://id.example.com/"], "audiences": ["a"]}
        | {"jwks_urls": [_P256]},
        {"issuers": ["one", "two"], "audiences": ["a", "b"]}
        | {"jwks_urls": [_P256, "http://127.0.0.1:9/keys"], "algorithms": ["ES256"]},
        {"issuers": ["one"], "audiences": ["orders"], "key": {"env": "TOKEN_KEY"}}
        | {"algorithms": ["HS256"]},
        {"issuers": ["one"], "audiences": ["orders"], "key": {"env": "TOKEN_KEY"}}
        | {"algorithms": ["EdDSA"]},
    ),
    "request_state": (
        {"key": "tenant", "header": "X-Org"},
        {"key": "order.id", "metadata": "order_id", "kind": "int"},
        {"key": "dry-run", "metadata": "dry", "kind": "bool"}
        | {"on_missing": "default", "default": True},
        {"key": "region", "header": "x-region", "pattern": "[a-z]{2}-[0-9]"},
        {"key": "price", "header": "X-Price", "kind": "float"}
        | {"on_missing": "default", "default": 1.25},
        {"key": "note", "header": "X-Note", "on_missing": "keep"},
    ),
    "trusted_header": (
        {"secret": {"env": "GATEWAY_PROOF"}},
        {"peers": ["10.1.0.0/16", "2001:db8::/32"]},
        {"secret": {"env": "GATEWAY_PROOF"}, "peers": ["127.0.0.1"]},
    ),
}
# Of parameters that are texts, or lists of them: by recipe and name, or by name.
_TEXTS: Mapping[str, tuple[object, ...]] = {
    "header": ("X-Org", "x-caller-id", "X_Odd!Name"),
    "api_key.header": ("Authorization", "x-my-key"),
    "gateway_header": ("X-Proof",),
    "namespace": ("orders.v2", "a"),
    "rate_limit.limit": ("1/second", "3/minute", "7/2 minutes", "5/second; 999/day"),
    "token_budget.limit": ("1/day", "100/hour", "20000/hour; 100000/day"),
    "redact.patterns": ([r"ORD-\d{6}"], [r"[A-Z]{2}\d{4}", r"\bkey=\w{8,20}"]),
    "redact.text": ("***", '<{entity}: "hidden">', "{entity}"),
    "media_types": (["image/*"], ["text/plain", "application/pdf"], []),
    "uri_schemes": (["https"], ["https", "s3"]),
    "uri_hosts": (["*.example.com"], ["*"], ["a.example", "*.b.example"]),
    "required_metadata": (["order_id"], ["a", "b c"]),
    "deny": ([r"(?i)drop\s+table"], ["x{3}", r"\bsecret\b"]),
    "metadata": (["order"], ["a", "b.c"]),
    "state": (["order"], ["user:plan", "a"]),
    "custom_metadata": (["order"],),
    "stamp.key": ("orders", "of.the-run"),
    "trace.key": ("trace", "joined.trace_id"),
    "prices": ({"*": "0.30/2.50"}, {"a-model": "1/2", "*": "0.1/0.000000001"}),
    "currency": ("EUR",),
    "tags": (["b", "a", "it's"], ["one"]),
    "session_state": (["order"], ["user:plan", "a"]),
    "message": ("It failed.", 'Say "it failed" to O\'Hara \\ Ärzte.'),
    "pass_through": (["builtins:KeyError"],),
    "subject_claim": ("email", "https://example.com/uid"),
    "scopes": (["orders.read"], ["a", "b:c"]),
    # The skill of the agent that generated tests run.
    "skill_scopes": ({"scripted": ["orders.write"]},),
}


def simplest(recipe: Recipe, name: str) -> dict[str, object]:
    """Give the parameters that `add` would write.

    Args:
        recipe: The recipe.
        name: The interceptor's name.
    """
    return dict(recipe.start(name))


def drawn(recipe: Recipe, name: str, dice: Random) -> dict[str, object]:
    """Draw parameters, each of which is possible by itself.

    A recipe that nobody has told this module of has what its model says: the
    choices, limits and defaults of its parameters.

    Args:
        recipe: The recipe.
        name: The interceptor's name.
        dice: Decides.
    """
    beginnings = _BEGINNINGS.get(recipe.name, (simplest(recipe, name),))
    found = dict(dice.choice(beginnings))
    schema = recipe.settings.model_json_schema()
    for field, described in schema["properties"].items():
        told = field in found and recipe.name in _BEGINNINGS
        if told or dice.random() < _LEFT_AS_IT_IS:
            continue
        values = _values(recipe, name, field, described)
        if values:
            found[field] = dice.choice(values)
    return found


_LEFT_AS_IT_IS = 0.6


def _values(
    recipe: Recipe, name: str, field: str, described: Mapping[str, Any]
) -> list[object]:
    texts = _TEXTS.get(f"{recipe.name}.{field}") or _TEXTS.get(field)
    if texts is not None:
        return list(texts)
    kinds = described.get("anyOf") or described.get("oneOf") or [described]
    return [value for kind in kinds for value in _of_kind(name, field, kind, described)]


def _of_kind(
    name: str, field: str, kind: Mapping[str, Any], described: Mapping[str, Any]
) -> list[object]:
    if "enum" in kind:
        return list(kind["enum"])
    if "$ref" in kind:
        return [{"env": f"{name}_{field}".upper()}]
    if kind["type"] == "boolean":
        return [True, False]
    if kind["type"] in {"integer", "number"}:
        return _numbers(kind, described.get("default"))
    if kind["type"] == "array" and "enum" in kind["items"]:
        choices: list[object] = kind["items"]["enum"]
        return [choices[:1], choices[1:], choices[::-1], choices[-1:]]
    return []


def _numbers(kind: Mapping[str, Any], default: float | None) -> list[object]:
    """Give the least value, one above it, and some around the default."""
    least = kind.get("minimum", kind.get("exclusiveMinimum", 0))
    step = 0 if "minimum" in kind else 1
    found = [least + step, least + 3]
    if default is not None:
        found += [default + 1, default * 2]
    most = kind.get("maximum")
    return [each for each in found if most is None or each <= most]
