"""Whatever the bytes are: a spec, or problems that have a place and a way out."""

import importlib
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import cast

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interceptgen.diagnostics import CODES, Diagnostic, SpecError
from interceptgen.spec.loader import load_spec
from interceptgen.spec.schema import schema_text

WHOLE = """\
version: 1
service: {package: orders, description: Answers.}
agent: orders.agent:root_agent
runner: {factory: orders.runner:build_runner, resolve: lazy}
implementation: client
server: {host: 127.0.0.1, port: 8001, path: /a, public_url: "https://a.b/c"}
interceptors:
  - name: house_style
    description: Signs.
    was: [footer]
    hooks: [after_event]
    config:
      a: {type: int, default: 1, description: One.}
      b: {type: "list[str]", default: [x]}
      c: {type: str, default: {env: NAME}}
  - {name: quota, description: Counts., hooks: [before_agent]}
  - {name: guard, use: input_guard, with: {max_bytes: 5, media_types: [a/b], deny: [a]}}
  - name: tenant
    use: request_state
    with: {key: tenant, header: X, on_missing: default, default: a, pattern: a}
  - {name: pause, use: paused_task_guard, with: {expires_after_s: 1.5}}
converters: {request: a:b, event: a:b, adk_event: a:b, a2a_part: a:b, gen_ai_part: a:b}
"""
# jsonschema has no types of its own; google-adk brings it.
EDITOR = importlib.import_module("jsonschema").Draft202012Validator(
    json.loads(schema_text())
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.dates(),
    st.sampled_from(["new", "house_style", "after_event", "int", "[key]", "<env>"]),
    st.sampled_from(["input_guard", "request_state", "(a+)+", "reject", "X-Y"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        | st.fixed_dictionaries({"env": inner})
    ),
    max_leaves=5,
)


def places(
    value: object, before: tuple[object, ...] = ()
) -> Iterator[tuple[object, ...]]:
    yield before
    if isinstance(value, dict):
        for key, inner in cast("dict[object, object]", value).items():
            yield from places(inner, (*before, key))
    if isinstance(value, list):
        for at, inner in enumerate(cast("list[object]", value)):
            yield from places(inner, (*before, at))


KEYS = ["use", "with", "use_legacy", "hooks", "config", "env", "default", "type"]
PLACES = sorted(place for place in places(yaml.safe_load(WHOLE)) if place)


def changed(place: tuple[object, ...], key: object, new: object) -> bytes:
    spec = deepcopy(yaml.safe_load(WHOLE))
    parent = spec
    for part in place[:-1]:
        parent = parent[part]
    if isinstance(place[-1], str) and key is not None:
        parent[key] = parent[place[-1]]
        del parent[place[-1]]
    else:
        parent[place[-1]] = new
    # The stubs leave one of its parameters without a type.
    dump: Callable[..., str] = vars(yaml)["safe_dump"]
    return dump(spec, allow_unicode=True).encode()


def problems(data: bytes) -> tuple[Diagnostic, ...]:
    try:
        load_spec("s.yaml", data)
    except SpecError as error:
        return error.diagnostics
    return ()


def check_promise(data: bytes) -> None:
    lines = data.decode("utf-8", "replace").splitlines()
    for found in problems(data):
        assert found.code in CODES
        assert 1 <= found.line <= len(lines) + 1
        assert found.column >= 1
        assert str(found).isprintable()
        assert "Input should" not in found.message


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(PLACES), new=VALUES)
def test_any_value_anywhere(place: tuple[object, ...], new: object) -> None:
    check_promise(changed(place, None, new))


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(PLACES), new=VALUES)
def test_what_the_tool_takes_an_editor_takes(
    place: tuple[object, ...],
    new: object,
) -> None:
    data = changed(place, None, new)
    if not problems(data):
        EDITOR.validate(yaml.safe_load(data))


def test_unchanged_is_valid() -> None:
    assert problems(WHOLE.encode()) == ()


@settings(max_examples=150, deadline=None)
@given(
    place=st.sampled_from(PLACES),
    key=st.text(min_size=1, max_size=8) | st.sampled_from(KEYS),
)
def test_any_key_anywhere(place: tuple[object, ...], key: str) -> None:
    check_promise(changed(place, key, None))


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    check_promise(data)


@settings(max_examples=300, deadline=None)
@given(
    at=st.integers(0, len(WHOLE)),
    cut=st.integers(0, 4),
    text=st.text("[]{}:-&*!#%@`'\"|>?, \n\tab1~", max_size=4),
)
def test_any_slip_of_the_keyboard(at: int, cut: int, text: str) -> None:
    check_promise((WHOLE[:at] + text + WHOLE[at + cut :]).encode())
