"""The first tests of a person's hooks, and what they stand on; written once."""

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.former import former_places
from interceptgen.render.samples import SAMPLES
from interceptgen.render.syntax import call, expression, fill
from interceptgen.service import Interceptor, Service

__all__ = ["render_user_tests"]

_PACKAGE = '"""The tests of the service."""\n'

_CONFTEST = '''\
"""Fixtures for all tests: yours to change."""

import pytest

from .generated.scripted import ScriptedAgent


@pytest.fixture
def anyio_backend() -> str:
    """ADK and the SDK run on asyncio."""
    return "asyncio"


@pytest.fixture
def agent() -> ScriptedAgent:
    """An agent that says one line and needs no model."""
    return ScriptedAgent(name="scripted", description="Says its lines.")
'''

_USER_TEST_HEAD = '''\
"""What {name} does; yours to change with its hooks."""

import pytest

from {package}.hooks.{name} import {cls}
{contract_import}{helpers_import}
pytestmark = pytest.mark.anyio

'''

_USER_TESTS = {
    "before_agent": '''
async def test_it_lets_a_message_in() -> None:
    """The context goes on as it came."""
    hooks = {made}
    context = request_context("hello")

    assert await hooks.before_agent(context{state}) is context

''',
    "after_event": '''
async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = {made}
    context, event = executor_context(agent), status_update("hello")

    assert await hooks.after_event(context, event, adk_event("hello"){state}) is event

''',
    "after_agent": '''
async def test_it_passes_the_final_status_on(agent: ScriptedAgent) -> None:
    """The final status leaves as it came."""
    hooks = {made}
    context, event = executor_context(agent), status_update("done")

    assert await hooks.after_agent(context, event{state}) is event

''',
    "on_exit": '''
async def test_it_takes_an_end() -> None:
    """The end of a request is no error to it."""
    hooks = {made}
    outcome = Outcome(kind="completed", request=RequestFacts())

    await hooks.on_exit(outcome{state})

''',
}
_HELPERS = {
    "before_agent": {"request_context"},
    "after_event": {"ScriptedAgent", "adk_event", "executor_context", "status_update"},
    "after_agent": {"ScriptedAgent", "executor_context", "status_update"},
    "on_exit": set[str](),
}


def render_user_tests(service: Service) -> list[SourceFile]:
    """Emit one test module for each interceptor, and their shared fixtures."""
    return [
        _seeded("tests/__init__.py", _PACKAGE),
        _seeded("tests/conftest.py", _CONFTEST),
        *(_user_test(service, each) for each in service.interceptors),
    ]


def _user_test(service: Service, interceptor: Interceptor) -> SourceFile:
    package, name = service.package, interceptor.name
    types = _contract_types(interceptor)
    helpers = {each for hook in interceptor.hooks for each in _HELPERS[hook]}
    state = ", State(request=RequestFacts())" if interceptor.state is not None else ""
    head = (
        _USER_TEST_HEAD.replace("{name}", name)
        .replace("{package}", package)
        .replace("{cls}", interceptor.class_name)
        .replace(
            "{contract_import}", _import(f"{package}.service.contracts.{name}", types)
        )
        .replace(
            "{helpers_import}",
            f"\n{_import('.generated.scripted', helpers)}" if helpers else "",
        )
    )
    tests = [
        fill(_USER_TESTS[hook].replace("{state}", state), made=_made(interceptor))
        for hook in interceptor.hooks
    ]
    return SourceFile(
        path=f"tests/test_{name}.py",
        text=head + "".join(tests),
        owner=Owner.SEEDED,
        item=f"interceptors.{name}",
        former=former_places(service, interceptor, "tests/test_{}.py"),
    )


def _contract_types(interceptor: Interceptor) -> set[str]:
    """Name what the tests take from the contract."""
    types = {"Config"} if interceptor.config else set[str]()
    if "on_exit" in interceptor.hooks:
        types |= {"Outcome", "RequestFacts"}
    if interceptor.state is not None:
        types |= {"RequestFacts", "State"}
    return types


def _import(module: str, names: set[str]) -> str:
    return f"from {module} import {', '.join(sorted(names))}\n" if names else ""


def _made(interceptor: Interceptor) -> cst.BaseExpression:
    if not interceptor.config:
        return expression(f"{interceptor.class_name}()")
    given = [
        (field.name, expression(SAMPLES[field.annotation].source))
        for field in interceptor.config
        if field.variable
    ]
    return expression(
        f"{interceptor.class_name}({{given}})", given=call("Config", given)
    )


def _seeded(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.SEEDED, item="service")
