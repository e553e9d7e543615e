"""`service/contracts/<name>.py`: the types that a person's hooks are written in."""

from interceptgen.files import Owner, SourceFile
from interceptgen.render.syntax import docstring, expression, fill, listing, string
from interceptgen.service import ConfigField, Interceptor, Service

__all__ = ["render_contracts"]

_BASES = {
    "before_agent": "BeforeAgent",
    "after_event": "AfterEvent",
    "after_agent": "AfterAgent",
}
# All of them, whichever hooks the spec has: a hook that it drops may be kept by
# the user, and has to find its types.
_TYPES = {
    "A2AEvent",
    "AdkEvent",
    "EventResult",
    "ExecutorContext",
    "RequestContext",
    "TaskStatusUpdateEvent",
}

_PACKAGE = '"""What interceptors.yaml says of each interceptor."""\n'

_HEAD = """\
{doc}

"""

_DATACLASS_IMPORT = "from dataclasses import {names}\n\n"

_IMPORT = "from {package}.service.interceptor import {names}\n\n"

_ALL = "__all__ = {names}\n\n"

_CONFIG = """\
@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
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
    bases = [_BASES[hook] for hook in interceptor.hooks]
    own = {"Config", "Hooks"} if interceptor.config else {"Hooks"}
    exported = sorted(_TYPES | own)
    summary = f"What interceptors.yaml says of {interceptor.name}."
    pieces = [
        fill(_HEAD, doc=docstring(f"The contract of {interceptor.name}.", summary="")),
        _dataclass_import(interceptor),
        # A name list is no expression: each name is one of the tables above.
        fill(
            _IMPORT.replace("{names}", ", ".join(sorted({*_TYPES, *bases}))),
            package=expression(service.package),
        ),
        fill(_ALL, names=listing(map(string, exported))),
        _config(interceptor),
        fill(
            _HOOKS.replace("{bases}", ", ".join(bases)),
            doc=docstring(interceptor.description, summary=summary, indent=4),
        ),
        _INIT if interceptor.config else "",
    ]
    return "".join(pieces)


def _dataclass_import(interceptor: Interceptor) -> str:
    if not interceptor.config:
        return ""
    hidden = any(_is_secret(field) for field in interceptor.config)
    names = "dataclass, field" if hidden else "dataclass"
    return _DATACLASS_IMPORT.replace("{names}", names)


def _config(interceptor: Interceptor) -> str:
    if not interceptor.config:
        return ""
    summary = f"The configuration of {interceptor.name}."
    head = fill(_CONFIG, doc=docstring(summary, summary="", indent=4))
    return head + "".join(_field(field) for field in interceptor.config) + "\n\n"


def _field(field: ConfigField) -> str:
    source = f"    {field.name}: {field.annotation}"
    if field.default is not None:
        source += f" = {field.default}"
    elif _is_secret(field):
        source += " = field(repr=False)"
    described = docstring(field.description, summary=f"See {field.name}.", indent=4)
    doc = f"    {described.value}\n" if field.description else ""
    return f"{source}\n{doc}"


def _is_secret(field: ConfigField) -> bool:
    return field.variable is not None and field.annotation == "str"
