"""`service/executor.py`: the chain in the spec's order, the pin, the converters."""

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.syntax import call, expression, fill, listing, string
from interceptgen.service import Interceptor, Reference, Service

__all__ = ["import_as", "render_executor"]

_DOC = '"""The executor: the interceptors of interceptors.yaml around the agent."""\n\n'

_IMPORTS = """\
from collections.abc import Sequence

from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig, ExecuteInterceptor
from google.adk.runners import Runner

"""

_HOOKS_IMPORT = "from {package}.hooks.{name} import {cls}\n"

_CONTRACTS_IMPORT = "from .contracts import {names}\n"

_CHAIN = '''

def build_interceptors() -> list[ExecuteInterceptor]:
    """Build the chain: before_agent and after_event run down, after_agent up."""
    return {interceptors}


'''

_CHAIN_WITH_SETTINGS = '''

def build_interceptors() -> list[ExecuteInterceptor]:
    """Build the chain: before_agent and after_event run down, after_agent up.

    Raises:
        SettingsError: If the environment lacks a variable that a hook needs.
    """
    settings = load_settings(InterceptorSettings)
    return {interceptors}


'''

_NO_CHAIN = '''

def build_interceptors() -> list[ExecuteInterceptor]:
    """Build the chain, which is empty."""
    return []


'''

_BUILD = '''
def build_executor(
    runner: Runner | RunnerFactory,
    interceptors: Sequence[ExecuteInterceptor] | None = None,
) -> A2aAgentExecutor:
    """Build the executor, {pin}.

    It fits `to_a2a(agent, agent_executor_factory=build_executor)`; there
    before_agent runs in the executor.

    Args:
        runner: The runner, or what gives it at the first request.
        interceptors: The chain; by default the whole one of interceptors.yaml.
    """
    chain = build_interceptors() if interceptors is None else interceptors
    config = {adk_config}
    return {executor}
'''

_PIN = {
    "new": "pinned to ADK's new implementation",
    "legacy": "pinned to ADK's legacy implementation",
    "client": "where the caller's extension header chooses the implementation",
}

_EXECUTOR = {
    "new": "A2aAgentExecutor(runner=runner, config=config, force_new_version=True)",
    "legacy": "A2aAgentExecutor(runner=runner, config=config, use_legacy=True)",
    "client": "A2aAgentExecutor(runner=runner, config=config)",
}


def render_executor(service: Service) -> SourceFile:
    """Emit the module that builds the chain and the executor."""
    config = call(
        "A2aAgentExecutorConfig",
        [
            ("execute_interceptors", expression("list(chain)")),
            *((each.argument, cst.Name(each.argument)) for each in service.converters),
        ],
    )
    pieces = [
        _DOC,
        _IMPORTS,
        *_first_party_imports(service),
        _local_imports(service),
        _chain(service),
        fill(
            _BUILD.replace("{pin}", _PIN[service.implementation]),
            adk_config=config,
            executor=expression(_EXECUTOR[service.implementation]),
        ),
    ]
    return SourceFile(
        path=f"src/{service.package}/service/executor.py",
        text="".join(pieces),
        owner=Owner.TOOL,
        item="service",
    )


def import_as(reference: Reference, name: str) -> str:
    """Print the import of a reference under a name of ours, so none can collide."""
    alias = "" if reference.attribute == name else f" as {name}"
    return f"from {reference.module} import {reference.attribute}{alias}\n"


def _first_party_imports(service: Service) -> list[str]:
    hooks = [
        fill(
            _HOOKS_IMPORT,
            package=expression(service.package),
            name=expression(each.name),
            cls=expression(each.class_name),
        )
        for each in service.interceptors
    ]
    converters = [
        import_as(each.reference, each.argument) for each in service.converters
    ]
    return [*sorted([*hooks, *converters], key=_module_of), "\n"]


def _module_of(line: str) -> str:
    return line.split()[1]


def _local_imports(service: Service) -> str:
    lines: list[str] = []
    if service.interceptors:
        lines.append("from .chain import guarded\n")
    configured = sorted(each.name for each in service.interceptors if each.config)
    if configured:
        lines.append(_CONTRACTS_IMPORT.replace("{names}", ", ".join(configured)))
    if service.variables:
        lines.append("from .environment import load_settings\n")
    lines.append("from .runner_provider import RunnerFactory\n")
    if service.variables:
        lines.append("from .settings import InterceptorSettings\n")
    return "".join(lines)


def _chain(service: Service) -> str:
    if not service.interceptors:
        return _NO_CHAIN
    template = _CHAIN_WITH_SETTINGS if service.variables else _CHAIN
    return fill(template, interceptors=listing(map(_guarded, service.interceptors)))


def _guarded(interceptor: Interceptor) -> cst.BaseExpression:
    hooks = f"{interceptor.class_name}()"
    if interceptor.config:
        from_environment = [
            (field.name, expression(_value_of(field.variable.field, field.annotation)))
            for field in interceptor.config
            if field.variable
        ]
        config = call("Config", from_environment).with_changes(
            func=expression(f"{interceptor.name}.Config")
        )
        return expression(
            f"guarded({{name}}, {interceptor.class_name}({{made}}))",
            name=string(interceptor.name),
            made=config,
        )
    return expression(f"guarded({{name}}, {hooks})", name=string(interceptor.name))


def _value_of(field: str, annotation: str) -> str:
    source = f"settings.{field}"
    return f"{source}.get_secret_value()" if annotation == "str" else source
