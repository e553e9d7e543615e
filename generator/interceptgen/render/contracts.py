"""`service/contracts/<name>.py`: the types that a person's hooks are written in."""

from collections.abc import Sequence

from interceptgen.files import Owner, SourceFile
from interceptgen.render.syntax import docstring, expression, fill, listing, string
from interceptgen.service import ConfigField, Interceptor, Service, StateField

__all__ = ["render_contracts"]

_BASES = {
    "before_agent": "BeforeAgent",
    "after_event": "AfterEvent",
    "after_agent": "AfterAgent",
    "on_exit": "OnExit",
}
# All of them, whichever hooks the spec has: a hook that it drops may be kept by
# the user, and has to find its types.
_TYPES = {
    "A2AEvent",
    "AdkEvent",
    "EventResult",
    "ExecutorContext",
    "Outcome",
    "Rejected",
    "RequestContext",
    "RequestFacts",
    "TaskStatusUpdateEvent",
}

_PACKAGE = '"""What interceptors.yaml says of each interceptor."""\n'

_HEAD = """\
{doc}

"""

_DATACLASS_IMPORT = "from dataclasses import {names}\n\n"

_IMPORT = "from {package}.service.seams.interceptor import {names}\n"

_STATE_IMPORT = "from {package}.service.seams.stateful import {names}\n"

_ALL = "\n__all__ = {names}\n\n"

_CONFIG = """\
@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    {doc}

"""

_STATE = """\
@dataclass(kw_only=True, slots=True)
class State(SharedState):
    {doc}

"""

_HOOKS = """\
class Hooks({bases}):
    {doc}
"""

_INIT = '''
    def __init__(self, config: Config) -> None:
        """Keep the configuration for the hooks."""
        self.config = config
'''


def render_contracts(service: Service) -> list[SourceFile]:
    """Emit one module for each interceptor, and their package."""
    folder = f"src/{service.package}/service/contracts"
    package = SourceFile(
        path=f"{folder}/__init__.py", text=_PACKAGE, owner=Owner.TOOL, item="service"
    )
    modules = (
        SourceFile(
            path=f"{folder}/{each.name}.py",
            text=_module(service, each),
            owner=Owner.TOOL,
            item=f"interceptors.{each.name}",
        )
        for each in service.interceptors
    )
    return [package, *modules]


def _module(service: Service, interceptor: Interceptor) -> str:
    plain = [_BASES[hook] for hook in interceptor.hooks]
    stateful = [f"Stateful{base}" for base in plain]
    has_state = interceptor.state is not None
    bases = [f"{base}[State]" for base in stateful] if has_state else plain
    imported = _TYPES if has_state else {*_TYPES, *plain}
    exported = {*_TYPES, "Hooks"}
    if interceptor.config:
        exported.add("Config")
    if has_state:
        exported.add("State")
    summary = f"What interceptors.yaml says of {interceptor.name}."
    pieces = [
        fill(_HEAD, doc=docstring(f"The contract of {interceptor.name}.", summary="")),
        _dataclass_import(interceptor),
        _import(_IMPORT, imported, service),
        _import(_STATE_IMPORT, {"SharedState", *stateful}, service)
        if has_state
        else "",
        fill(_ALL, names=listing(map(string, sorted(exported)))),
        _config(interceptor),
        _state(interceptor),
        fill(
            _HOOKS.replace("{bases}", ", ".join(bases)),
            doc=docstring(interceptor.description, summary=summary, indent=4),
        ),
        _INIT if interceptor.config else "",
    ]
    return "".join(pieces)


def _import(template: str, names: set[str], service: Service) -> str:
    # A name list is no expression: each name is one of the tables above.
    line = template.replace("{names}", ", ".join(sorted(names)))
    return fill(line, package=expression(service.package))


def _dataclass_import(interceptor: Interceptor) -> str:
    state = interceptor.state or ()
    if not interceptor.config and interceptor.state is None:
        return ""
    hidden = any(_is_secret(field) for field in interceptor.config)
    listed = any(field.annotation.startswith("list[") for field in state)
    names = "dataclass, field" if hidden or listed else "dataclass"
    return _DATACLASS_IMPORT.replace("{names}", names)


def _config(interceptor: Interceptor) -> str:
    if not interceptor.config:
        return ""
    summary = f"The configuration of {interceptor.name}."
    head = fill(_CONFIG, doc=docstring(summary, summary="", indent=4))
    return head + _fields(interceptor.config) + "\n\n"


def _state(interceptor: Interceptor) -> str:
    if interceptor.state is None:
        return ""
    summary = f"What the hooks of {interceptor.name} share during one request."
    short = f"What {interceptor.name} keeps of one request."
    head = fill(_STATE, doc=docstring(summary, summary=short, indent=4))
    return head + _fields(interceptor.state) + "\n\n"


def _fields(fields: Sequence[ConfigField | StateField]) -> str:
    # One of that name would hide the function from those below it.
    ordered = sorted(fields, key=lambda each: each.name == "field")
    return "".join(map(_field, ordered))


def _field(field: ConfigField | StateField) -> str:
    source = f"    {field.name}: {field.annotation}"
    if isinstance(field, StateField):
        source += f" = {_beginning(field)}"
    elif field.default is not None:
        source += f" = {field.default}"
    elif _is_secret(field):
        source += " = field(repr=False)"
    described = docstring(field.description, summary=f"See {field.name}.", indent=4)
    doc = f"    {described.value}\n" if field.description else ""
    return f"{source}\n{doc}"


def _beginning(field: StateField) -> str:
    if not field.annotation.startswith("list["):
        return field.default
    made = field.annotation if field.default == "[]" else f"lambda: {field.default}"
    return f"field(default_factory={made})"


def _is_secret(field: ConfigField) -> bool:
    return field.variable is not None and field.annotation == "str"
