"""The generated tests that depend on the spec; the others come as they are."""

from interceptgen.files import Owner, SourceFile
from interceptgen.render.subject import render_subject
from interceptgen.render.syntax import fill, listing, string
from interceptgen.service import HOOKS, Service

__all__ = ["render_tests"]

_CHAIN_HEAD = '''\
"""The chain of interceptors.yaml runs in its order."""

import pytest

from .harness import WIRES, Caller, Wire
from .recorder import Recorder
{subject}
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

_RECIPES_HEAD = '''\
"""The chain of interceptors.yaml stands in its order."""

{subject}'''

_SUBJECT_IMPORT = "from .subject import whole_chain\n"

_WHOLE_CHAIN_TEST = '''

def test_recipes_and_hooks_stand_in_the_order_of_the_spec() -> None:
    """None of them is left out, and none goes before its turn."""
    assert [each.name for each in whole_chain()] == {order}
'''

_WAY = {
    "before_agent": "down",
    "after_event": "down",
    "after_agent": "up",
    "on_exit": "up",
}
_SENTENCE = {
    "before_agent": "A message passes the first interceptor first.",
    "after_event": "An event passes the first interceptor first.",
    "after_agent": "The final status passes the last interceptor first.",
    "on_exit": "The last interceptor hears of the end first.",
}


def render_tests(service: Service) -> list[SourceFile]:
    """Emit the tests that depend on the spec."""
    files = [
        _tool("tests/generated/subject.py", render_subject(service)),
    ]
    if service.chain:
        files.append(_tool("tests/generated/test_chain.py", _chain(service)))
    return files


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
    if not service.recipes:
        return _CHAIN_HEAD.replace("{subject}", "") + "".join(tests)
    whole = listing(string(each.name) for each in service.chain)
    tests.append(fill(_WHOLE_CHAIN_TEST, order=whole))
    head = _CHAIN_HEAD if service.interceptors else _RECIPES_HEAD
    return head.replace("{subject}", _SUBJECT_IMPORT) + "".join(tests)


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
