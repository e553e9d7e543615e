"""A hook that doesn't fit its contract is an error for mypy, not only for pyright."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.service.making import Template, run

pytestmark = pytest.mark.service

HOOKS = ("before_agent", "after_event", "after_agent")
RETURNED = {
    "before_agent": "contract.RequestContext",
    "after_event": "contract.EventResult",
    "after_agent": "contract.TaskStatusUpdateEvent",
}
VALUE = {
    "before_agent": "context",
    "after_event": "event",
    "after_agent": "final_event",
}


def sync(text: str, hook: str) -> str:
    return replaced(text, f"async def {hook}(", f"def {hook}(")


def returns_none(text: str, hook: str) -> str:
    # An after_event hook may return None, so there it is a list of None.
    result = "list[None]" if hook == "after_event" else "None"
    value = "[None]" if hook == "after_event" else "None"
    return returning(text, hook, result, value)


def returns_tuple(text: str, hook: str) -> str:
    result = f"tuple[{RETURNED[hook]}, ...]"
    return returning(text, hook, result, f"({VALUE[hook]},)")


def returns_dict(text: str, hook: str) -> str:
    return returning(text, hook, "dict[str, str]", "{}")


def value_of_another_type(text: str, hook: str) -> str:
    return replaced(text, f"        return {VALUE[hook]}\n", "        return 1\n")


def takes_text(text: str, hook: str) -> str:
    kind = "RequestContext" if hook == "before_agent" else "ExecutorContext"
    head, method = text.split(f"async def {hook}(")
    return head + replaced_first(
        f"async def {hook}({method}", f"context: contract.{kind}", "context: str"
    )


def takes_nothing(text: str, hook: str) -> str:
    kind = "RequestContext" if hook == "before_agent" else "ExecutorContext"
    head, method = text.split(f"async def {hook}(")
    method = re.sub(rf"context: contract\.{kind},?\s*", "", method, count=1)
    return f"{head}async def {hook}({method}"


BREAKAGES = (
    sync,
    returns_none,
    returns_tuple,
    returns_dict,
    value_of_another_type,
    takes_text,
    takes_nothing,
)


def exit_sync(text: str) -> str:
    return replaced(text, "async def on_exit(", "def on_exit(")


def exit_returns_text(text: str) -> str:
    return replaced(text, "-> None:", "-> str:") + '        return ""\n'


def exit_gives_a_value(text: str) -> str:
    return f"{text}        return 1\n"


def exit_takes_text(text: str) -> str:
    return replaced(text, "outcome: contract.Outcome", "outcome: str")


def exit_takes_nothing(text: str) -> str:
    return replaced(text, "self, outcome: contract.Outcome", "self")


EXITS = """\
version: 1
service: {package: orders, description: Answers questions about orders.}
agent: orders.agent:root_agent
interceptors:
"""
EXIT = "  - {{name: {}, description: Counts requests., hooks: [on_exit]}}\n"
EXIT_BREAKAGES = (
    exit_sync,
    exit_returns_text,
    exit_gives_a_value,
    exit_takes_text,
    exit_takes_nothing,
)


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, text
    return text.replace(old, new)


def replaced_first(text: str, old: str, new: str) -> str:
    assert old in text, text
    return text.replace(old, new, 1)


def returning(text: str, hook: str, result: str, value: str) -> str:
    head, method = text.split(f"async def {hook}(")
    method = replaced_first(method, f"-> {RETURNED[hook]}:", f"-> {result}:")
    method = replaced_first(method, f"return {VALUE[hook]}\n", f"return {value}\n")
    return f"{head}async def {hook}({method}"


@dataclass(frozen=True, slots=True)
class Typed:
    """A service with broken hooks, and what mypy says of it."""

    service: Path
    output: str

    def errors(self, name: str, hook: str) -> list[str]:
        """Give the errors in a hook's method."""
        text = source(self.service, name).read_text(encoding="utf-8")
        wanted = lines_of(text, hook)
        pattern = rf"^src/orders/hooks/{name}\.py:(\d+): error: (.*)$"
        found = re.findall(pattern, self.output, flags=re.MULTILINE)
        return [message for line, message in found if int(line) in wanted]


@pytest.fixture(scope="module")
def typed(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """Break all hooks of an interceptor in one way each, and run mypy once."""
    names = ["sound", "misspelt", *(breakage.__name__ for breakage in BREAKAGES)]
    folder = tmp_path_factory.mktemp("typed") / "made"
    service = template.make(folder, package_name="orders", interceptors=names)
    for breakage in BREAKAGES:
        path = source(service, breakage.__name__)
        text = path.read_text(encoding="utf-8")
        for hook in HOOKS:
            text = breakage(text, hook)
        compile(text, path, "exec")
        path.write_text(text, encoding="utf-8")
    path = source(service, "misspelt")
    text = path.read_text(encoding="utf-8")
    path.write_text(replaced(text, "def after_event(", "def after_evnt("), "utf-8")
    return Typed(service, run(service, "mypy", "--no-pretty", "src").output)


@pytest.fixture(scope="module")
def typed_exits(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """Break an on_exit in each way, and run mypy once."""
    names = ["sound", *(breakage.__name__ for breakage in EXIT_BREAKAGES)]
    folder = tmp_path_factory.mktemp("exits") / "made"
    spec = EXITS + "".join(map(EXIT.format, names))
    service = template.make(folder, spec, package_name="orders")
    for breakage in EXIT_BREAKAGES:
        path = source(service, breakage.__name__)
        text = breakage(path.read_text(encoding="utf-8"))
        compile(text, path, "exec")
        path.write_text(text, encoding="utf-8")
    return Typed(service, run(service, "mypy", "--no-pretty", "src").output)


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.__name__)
def test_mypy_sees_a_hook_that_does_not_fit(
    typed: Typed, breakage: Callable[[str, str], str], hook: str
) -> None:
    assert typed.errors(breakage.__name__, hook), typed.output


@pytest.mark.parametrize("breakage", EXIT_BREAKAGES, ids=lambda each: each.__name__)
def test_mypy_sees_an_on_exit_that_does_not_fit(
    typed_exits: Typed, breakage: Callable[[str], str]
) -> None:
    assert typed_exits.errors(breakage.__name__, "on_exit"), typed_exits.output


def test_mypy_sees_a_hook_that_is_missing(typed: Typed) -> None:
    expected = 'Cannot instantiate abstract class "Misspelt" with abstract attribute'
    assert expected in typed.output


def test_mypy_leaves_sound_hooks_alone(typed: Typed, typed_exits: Typed) -> None:
    for each in (typed, typed_exits):
        assert "hooks/sound.py" not in each.output
        assert "/service/contracts/" not in each.output


def source(service: Path, name: str) -> Path:
    return service / "src" / "orders" / "hooks" / f"{name}.py"


def lines_of(text: str, hook: str) -> range:
    lines = text.splitlines()
    method = re.compile(r"    (async )?def ")
    starts = [n for n, line in enumerate(lines, 1) if method.match(line)]
    (start,) = [n for n in starts if f"def {hook}(" in lines[n - 1]]
    after = [n for n in starts if n > start]
    return range(start, after[0] if after else len(lines) + 1)
