"""The tests: what depends on the spec is emitted here, the rest comes as it is."""

from collections.abc import Iterable

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.syntax import call, expression, fill, listing, string
from interceptgen.service import HOOKS, Interceptor, Service

__all__ = ["render_tests"]

_SUBJECT = '''\
"""The service under test, as interceptors.yaml describes it."""

{third_party}{first_party}
__all__ = [
    "ENVIRONMENT",
    "INTERCEPTORS",
    "PATH",
    "HookContractError",
    "Settings",
    "build_executor",
    "build_interceptors",
    "create_app",
    "main",
    "mount_application",
    "with_hook",
]

PATH = {path}
ENVIRONMENT: dict[str, str] = {environment}
INTERCEPTORS: dict[str, type[Hooks]] = {interceptors}
_WITH_HOOK = {with_hook}
{create_app}

def with_hook(hook: str) -> list[str]:
    """Name the interceptors that have the hook, in the order of the spec."""
    return _WITH_HOOK[hook]


def build_interceptors() -> dict[str, ExecuteInterceptor]:
    """Build the chain of the service, by name."""
    return dict(zip(INTERCEPTORS, executor.build_interceptors(), strict=True))
'''

_CREATE_APP = """
# The lifespan of the spec may need what isn't here.
create_app = partial(app.create_app, lifespan=None)
"""

_CHAIN_HEAD = '''\
"""The chain of interceptors.yaml runs in its order."""

import pytest

from .harness import WIRES, Caller, Wire
from .recorder import Recorder

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
'''

_CHAIN_TEST = '''

@each_wire
async def test_{hook}_runs_{way}_the_list(
    caller: Caller, recorder: Recorder, wire: Wire
) -> None:
    """{sentence}"""
    await caller.send("hello", wire)

    assert recorder.order("{hook}") == {order}
'''

_WAY = {"before_agent": "down", "after_event": "down", "after_agent": "up"}
_SENTENCE = {
    "before_agent": "A message passes the first interceptor first.",
    "after_event": "An event passes the first interceptor first.",
    "after_agent": "The final status passes the last interceptor first.",
}

_USER_TEST_HEAD = '''\
"""What {name} does; yours to change with its hooks."""

import pytest

from {package}.hooks.{name} import {cls}
{config_import}
from .generated.scripted import {helpers}

pytestmark = pytest.mark.anyio

'''

_USER_TESTS = {
    "before_agent": '''
async def test_it_lets_a_message_in() -> None:
    """The context goes on as it came."""
    hooks = {made}
    context = request_context("hello")

    assert await hooks.before_agent(context) is context

''',
    "after_event": '''
async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = {made}
    context, event = executor_context(agent), status_update("hello")

    assert await hooks.after_event(context, event, adk_event("hello")) is event

''',
    "after_agent": '''
async def test_it_passes_the_final_status_on(agent: ScriptedAgent) -> None:
    """The final status leaves as it came."""
    hooks = {made}
    context, event = executor_context(agent), status_update("done")

    assert await hooks.after_agent(context, event) is event

''',
}
_HELPERS = {
    "before_agent": {"request_context"},
    "after_event": {"ScriptedAgent", "adk_event", "executor_context", "status_update"},
    "after_agent": {"ScriptedAgent", "executor_context", "status_update"},
}

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

_SAMPLES = {"str": ("'value'", "value"), "int": ("1", "1"), "float": ("1.0", "1.0")}
_SAMPLES["bool"] = ("True", "true")


def render_tests(service: Service) -> list[SourceFile]:
    """Emit the tests that depend on the spec."""
    files = [
        _seeded("tests/__init__.py", '"""The tests of the service."""\n', "service"),
        _seeded("tests/conftest.py", _CONFTEST, "service"),
        _tool("tests/generated/subject.py", _subject(service)),
    ]
    if service.interceptors:
        files.append(_tool("tests/generated/test_chain.py", _chain(service)))
    files += [_user_test(service, each) for each in service.interceptors]
    return files


def _subject(service: Service) -> str:
    package = service.package
    from_app = "main" if service.lifespan else "create_app, main"
    from_service = "app, executor" if service.lifespan else "executor"
    first_party = [
        *(
            f"from {package}.hooks.{each.name} import {each.class_name}\n"
            for each in service.interceptors
        ),
        f"from {package}.service import {from_service}\n",
        f"from {package}.service.application import mount_application\n",
        f"from {package}.service.chain import HookContractError\n",
        f"from {package}.service.executor import build_executor\n",
        f"from {package}.service.interceptor import Hooks\n",
        f"from {package}.service.settings import Settings\n",
        f"from {package}.service.app import {from_app}\n",
    ]
    third_party = "from google.adk.a2a.executor.config import ExecuteInterceptor\n\n"
    if service.lifespan:
        third_party = f"from functools import partial\n\n{third_party}"
    template = (
        _SUBJECT.replace("{third_party}", third_party)
        .replace("{first_party}", "".join(sorted(first_party, key=_module_of)))
        .replace("{create_app}", _CREATE_APP if service.lifespan else "")
    )
    return fill(
        template,
        path=string(service.path),
        environment=_environment(service),
        interceptors=_dict(
            (each.name, expression(each.class_name)) for each in service.interceptors
        ),
        with_hook=_dict((hook, _names(service, hook)) for hook in HOOKS),
    )


def _module_of(line: str) -> str:
    return line.split()[1]


def _names(service: Service, hook: str) -> cst.List:
    names = (each.name for each in service.interceptors if hook in each.hooks)
    return listing(map(string, names))


def _environment(service: Service) -> cst.Dict:
    return _dict(
        (each.name, string(_SAMPLES.get(each.annotation, ("", "[]"))[1]))
        for each in service.variables
    )


def _dict(items: Iterable[tuple[str, cst.BaseExpression]]) -> cst.Dict:
    return cst.Dict([cst.DictElement(string(key), value) for key, value in items])


def _chain(service: Service) -> str:
    tests: list[str] = []
    for hook in HOOKS:
        names = [each.name for each in service.interceptors if hook in each.hooks]
        if not names:
            continue
        ordered = names[::-1] if _WAY[hook] == "up" else names
        template = (
            _CHAIN_TEST.replace("{hook}", hook)
            .replace("{way}", _WAY[hook])
            .replace("{sentence}", _SENTENCE[hook])
        )
        tests.append(fill(template, order=listing(map(string, ordered))))
    return _CHAIN_HEAD + "".join(tests)


def _user_test(service: Service, interceptor: Interceptor) -> SourceFile:
    package, name = service.package, interceptor.name
    contract = f"from {package}.service.contracts.{name} import Config\n"
    helpers = {each for hook in interceptor.hooks for each in _HELPERS[hook]}
    head = (
        _USER_TEST_HEAD.replace("{name}", name)
        .replace("{package}", package)
        .replace("{cls}", interceptor.class_name)
        .replace("{config_import}", contract if interceptor.config else "")
        .replace("{helpers}", ", ".join(sorted(helpers)))
    )
    tests = [
        fill(_USER_TESTS[hook], made=_made(interceptor)) for hook in interceptor.hooks
    ]
    return _seeded(
        f"tests/test_{name}.py", head + "".join(tests), f"interceptors.{name}"
    )


def _made(interceptor: Interceptor) -> cst.BaseExpression:
    if not interceptor.config:
        return expression(f"{interceptor.class_name}()")
    given = [
        (field.name, expression(_SAMPLES.get(field.annotation, ("()", ""))[0]))
        for field in interceptor.config
        if field.variable
    ]
    return expression(
        f"{interceptor.class_name}({{given}})", given=call("Config", given)
    )


def _seeded(path: str, text: str, item: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.SEEDED, item=item)


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
