"""`tests/generated/subject.py`: what tests that come as they are know of a spec."""

from collections.abc import Iterable, Iterator

import libcst as cst

from interceptgen.render.executor import policy_arguments
from interceptgen.render.samples import sample_text
from interceptgen.render.syntax import expression, fill, listing, string
from interceptgen.service import HOOKS, Service

__all__ = ["render_subject"]

_MODULE = '''\
"""The service under test, as interceptors.yaml describes it."""

{standard}{first_party}
__all__ = {exported}

{constants}{create_app}

def with_hook(hook: str) -> list[str]:
    """Name the interceptors that have the hook, in the order of the spec."""
    return _WITH_HOOK[hook]


def build_interceptors() -> dict[str, Interceptor]:
    """Build the chain of a test, by name."""
    return {each.name: each for each in executor.build_interceptors()}
'''

_CREATE_APP = """
# The lifespan of the spec may need what isn't here.
create_app = partial(app.create_app, lifespan=None)
"""

_FUNCTIONS = {
    "app",
    "build_executor",
    "build_interceptors",
    "create_app",
    "executor",
    "main",
    "mount_application",
    "whole_chain",
    "with_hook",
}


def render_subject(service: Service) -> str:
    """Print the module; a name is in it only if a test of the service needs it."""
    constants = dict(_constants(service))
    classes = dict(_classes(service))
    public = [name for name in constants if not name.startswith("_")]
    exported = [*sorted(public), *sorted(classes), *sorted(_FUNCTIONS)]
    template = (
        _MODULE.replace(
            "{standard}",
            "from functools import partial\n\n" if service.lifespan else "",
        )
        .replace("{first_party}", "".join(sorted(_imports(service), key=_module_of)))
        .replace("{constants}", "".join(constants.values()))
        .replace("{create_app}", _CREATE_APP if service.lifespan else "")
    )
    return fill(template, exported=listing(map(string, exported)))


def _classes(service: Service) -> Iterator[tuple[str, str]]:
    """Give each class that the tests name, and the module that it stands in."""
    yield "HookContractError", "seams.chain"
    yield "Interceptor", "seams.chain"
    yield "Settings", "settings"
    if any("before_agent" in each.hooks for each in service.interceptors):
        yield "Rejected", "seams.rejection"
    if any("on_exit" in each.hooks for each in service.interceptors):
        yield "Outcome", "seams.interceptor"
    if any(each.state is not None for each in service.interceptors):
        yield "SharedState", "seams.stateful"
    if policy_arguments(service.run):
        yield "Policy", "boundary.policy"


def _imports(service: Service) -> Iterator[str]:
    package = service.package
    from_app = "main" if service.lifespan else "create_app, main"
    for each in service.interceptors:
        yield f"from {package}.hooks.{each.name} import {each.class_name}\n"
    yield f"from {package}.service import app, executor\n"
    yield f"from {package}.service.app import {from_app}\n"
    yield f"from {package}.service.serving.application import mount_application\n"
    yield f"from {package}.service.executor import build_executor\n"
    yield f"from {package}.service.executor import build_interceptors as whole_chain\n"
    classes = dict(_classes(service))
    for module in set(classes.values()):
        names = sorted(name for name, where in classes.items() if where == module)
        yield f"from {package}.service.{module} import {', '.join(names)}\n"


def _module_of(line: str) -> str:
    return line.split()[1]


def _constants(service: Service) -> Iterator[tuple[str, str]]:
    stateful = [each.name for each in service.interceptors if each.state is not None]
    policy = policy_arguments(service.run)
    classes = (
        (each.name, expression(each.class_name)) for each in service.interceptors
    )
    yield _constant("DESCRIPTION", string(service.description))
    yield _constant("PATH", string(service.path))
    yield _constant("PREFIX", string(service.environment_prefix))
    server = {
        "host": string(service.host),
        "port": expression(str(service.port)),
        "public_url": expression(repr(service.public_url)),
    }
    yield _constant("SERVER", _dict(server.items()), "dict[str, object]")
    yield _constant("ENVIRONMENT", _environment(service), "dict[str, str]")
    converters = listing(string(each.argument) for each in service.converters)
    yield _constant("CONVERTERS", converters, "list[str]")
    yield _constant("INTERCEPTORS", _dict(classes), "dict[str, type[object]]")
    if policy:
        yield _constant("POLICY", _dict(policy), "dict[str, object]")
    if stateful:
        yield _constant("STATEFUL", listing(map(string, stateful)), "list[str]")
    with_hook = _dict((hook, _names(service, hook)) for hook in HOOKS)
    yield _constant("_WITH_HOOK", with_hook, "dict[str, list[str]]")


def _constant(
    name: str, value: cst.BaseExpression, annotation: str = ""
) -> tuple[str, str]:
    told = f"{name}: {annotation}" if annotation else name
    return name, fill(f"{told} = {{value}}\n", value=value)


def _names(service: Service, hook: str) -> cst.List:
    names = (each.name for each in service.interceptors if hook in each.hooks)
    return listing(map(string, names))


def _environment(service: Service) -> cst.Dict:
    return _dict((each.name, string(sample_text(each))) for each in service.variables)


def _dict(items: Iterable[tuple[str, cst.BaseExpression]]) -> cst.Dict:
    return cst.Dict([cst.DictElement(string(key), value) for key, value in items])
