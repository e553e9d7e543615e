"""`service/executor.py`: the chain in the spec's order, the pin, the converters."""

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.recipes import recipe_imports, render_recipe
from interceptgen.render.syntax import call, expression, fill, listing, string
from interceptgen.service import Interceptor, RecipeUse, Reference, Run, Service

__all__ = ["import_as", "policy_arguments", "render_executor"]

_DOC = '"""The executor: the interceptors of interceptors.yaml around the agent."""\n\n'

_IMPORTS = """\
from collections.abc import Sequence

"""

_CONFIG_IMPORT = "from google.adk.a2a.executor.config import A2aAgentExecutorConfig\n"

_RUNNER_IMPORT = "from google.adk.runners import Runner\n\n"

_HOOKS_IMPORT = "from {package}.hooks.{name} import {cls}\n"

_CONTRACTS_IMPORT = "from .contracts import {names}\n"

_CHAIN = '''

def build_interceptors() -> list[Interceptor]:
    """Build the chain: down for before_agent and after_event, up for the others."""
    return {interceptors}


'''

_CHAIN_WITH_SETTINGS = '''

def build_interceptors() -> list[Interceptor]:
    """Build the chain: down for before_agent and after_event, up for the others.

    Raises:
        SettingsError: If the environment lacks a variable that a hook needs.
    """
    settings = load_settings(InterceptorSettings)
    return {interceptors}


'''

_NO_CHAIN = '''

def build_interceptors() -> list[Interceptor]:
    """Build the chain, which is empty."""
    return []


'''

_BUILD = '''
def build_executor(
    runner: Runner | RunnerFactory,
    interceptors: Sequence[Interceptor] | None = None,
) -> BoundaryExecutor:
    """Build the executor, {pin}.

    It fits `to_a2a(agent, agent_executor_factory=build_executor)`; there
    before_agent runs in the executor.

    Args:
        runner: The runner, or what gives it at the first request.
        interceptors: The chain; by default the whole one of interceptors.yaml.
    """
    chain = build_interceptors() if interceptors is None else interceptors
    return {executor}
'''

_PIN = {
    "new": "pinned to ADK's new implementation",
    "legacy": "pinned to ADK's legacy implementation",
    "client": "where the caller's extension header chooses the implementation",
}

_PIN_ARGUMENT = {"new": "force_new_version", "legacy": "use_legacy"}


def render_executor(service: Service) -> SourceFile:
    """Emit the module that builds the chain and the executor."""
    pieces = [
        _DOC,
        _IMPORTS,
        _CONFIG_IMPORT if service.converters else "",
        _RUNNER_IMPORT,
        *_first_party_imports(service),
        _local_imports(service),
        _chain(service),
        fill(
            _BUILD.replace("{pin}", _PIN[service.implementation]),
            executor=_executor(service),
        ),
    ]
    return SourceFile(
        path=f"src/{service.package}/service/executor.py",
        text="".join(pieces),
        owner=Owner.TOOL,
        item="service",
    )


def _executor(service: Service) -> cst.Call:
    arguments: list[tuple[str, cst.BaseExpression]] = [
        ("runner", cst.Name("runner")),
        ("interceptors", cst.Name("chain")),
    ]
    if service.converters:
        named = [
            (each.argument, cst.Name(each.argument)) for each in service.converters
        ]
        arguments.append(("config", call("A2aAgentExecutorConfig", named)))
    if policy := policy_arguments(service.run):
        arguments.append(("policy", call("Policy", policy)))
    if pin := _PIN_ARGUMENT.get(service.implementation):
        arguments.append((pin, cst.Name("True")))
    return call("BoundaryExecutor", arguments)


def policy_arguments(run: Run) -> list[tuple[str, cst.BaseExpression]]:
    """Print what the spec sets of the policy; the rest is its own default."""
    numbers = {"deadline_s": run.deadline, "idle_deadline_s": run.idle_deadline}
    texts = {"empty_result": run.empty_result, "empty_text": run.empty_text}
    return [
        *((name, expression(value)) for name, value in numbers.items() if value),
        *((name, string(value)) for name, value in texts.items() if value),
    ]


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
    lines = sorted([*hooks, *converters], key=_module_of)
    # A blank line ends the group, if there is one.
    return [*lines, "\n"] if lines else []


def _module_of(line: str) -> str:
    return line.split()[1]


def _local_imports(service: Service) -> str:
    stateful = {each.name for each in service.interceptors if each.state is not None}
    has_plain = len(service.chain) > len(stateful)
    lines = [
        "from .boundary.executor import BoundaryExecutor\n",
        f"from .seams.chain import Interceptor{', guarded' if has_plain else ''}\n",
    ]
    configured = {each.name for each in service.interceptors if each.config}
    if contracts := sorted(configured | stateful):
        lines.append(_CONTRACTS_IMPORT.replace("{names}", ", ".join(contracts)))
    if service.variables:
        lines.append("from .serving.environment import load_settings\n")
    if policy_arguments(service.run):
        lines.append("from .boundary.policy import Policy\n")
    lines.append("from .boundary.runner_provider import RunnerFactory\n")
    if service.variables:
        lines.append("from .settings import InterceptorSettings\n")
    if stateful:
        lines.append("from .seams.stateful_chain import guarded_with_state\n")
    lines.extend(recipe_imports(service))
    return "".join(sorted(lines, key=_module_of))


def _chain(service: Service) -> str:
    if not service.chain:
        return _NO_CHAIN
    template = _CHAIN_WITH_SETTINGS if service.variables else _CHAIN
    return fill(template, interceptors=listing(map(_guarded, service.chain)))


def _guarded(interceptor: Interceptor | RecipeUse) -> cst.BaseExpression:
    if isinstance(interceptor, RecipeUse):
        return render_recipe(interceptor)
    name, hooks = string(interceptor.name), _hooks(interceptor)
    if interceptor.state is None:
        return expression("guarded({name}, {hooks})", name=name, hooks=hooks)
    return expression(
        f"guarded_with_state({{name}}, {{hooks}}, {interceptor.name}.State)",
        name=name,
        hooks=hooks,
    )


def _hooks(interceptor: Interceptor) -> cst.BaseExpression:
    if not interceptor.config:
        return expression(f"{interceptor.class_name}()")
    from_environment = [
        (field.name, expression(_value_of(field.variable.field, field.annotation)))
        for field in interceptor.config
        if field.variable
    ]
    config = call("Config", from_environment).with_changes(
        func=expression(f"{interceptor.name}.Config")
    )
    return expression(f"{interceptor.class_name}({{made}})", made=config)


def _value_of(field: str, annotation: str) -> str:
    source = f"settings.{field}"
    return f"{source}.get_secret_value()" if annotation == "str" else source
