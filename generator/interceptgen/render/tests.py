"""The generated tests that depend on the spec; the others come as they are."""

from collections.abc import Iterable

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.samples import SAMPLES
from interceptgen.render.syntax import expression, fill, listing, string
from interceptgen.service import HOOKS, Service

__all__ = ["render_tests"]

_SUBJECT = '''\
"""The service under test, as interceptors.yaml describes it."""

{third_party}{first_party}
__all__ = [
    "CONVERTERS",
    "DESCRIPTION",
    "ENVIRONMENT",
    "INTERCEPTORS",
    "PATH",
    "HookContractError",
    "Settings",
    "build_executor",
    "build_interceptors",
    "create_app",
    "executor",
    "main",
    "mount_application",
    "with_hook",
]

DESCRIPTION = {description}
PATH = {path}
ENVIRONMENT: dict[str, str] = {environment}
CONVERTERS: list[str] = {converters}
INTERCEPTORS: dict[str, type[Hooks]] = {interceptors}
_WITH_HOOK: dict[str, list[str]] = {with_hook}
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


def render_tests(service: Service) -> list[SourceFile]:
    """Emit the tests that depend on the spec."""
    files = [
        _tool("tests/generated/subject.py", _subject(service)),
    ]
    if service.interceptors:
        files.append(_tool("tests/generated/test_chain.py", _chain(service)))
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
        description=string(service.description),
        path=string(service.path),
        environment=_environment(service),
        converters=listing(string(each.argument) for each in service.converters),
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
        (each.name, string(SAMPLES[each.annotation].text)) for each in service.variables
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


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
