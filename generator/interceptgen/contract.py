"""The hooks that the spec asks for, read off their contract.

The contract beside the hooks is the tool's. As long as it is as it was written, it
tells which hooks the spec has and how they are called, without the spec.
"""

import ast
from collections.abc import Iterator, Mapping

from interceptgen.files import GrownModule
from interceptgen.render.stubs import render_hooks
from interceptgen.service import HOOKS, Interceptor, Reference, Service
from interceptgen.spec.names import class_name

__all__ = ["contract_path", "wanted_class"]

# The bases of a contract are named as the hooks are; with a state they have a
# parameter as well.
_PLAIN: Mapping[str, str] = {class_name(hook): hook for hook in HOOKS}
_STATEFUL: Mapping[str, str] = {
    f"Stateful{base}[State]": hook for base, hook in _PLAIN.items()
}
_NOWHERE = Reference(module="", attribute="")


def contract_path(path: str) -> str:
    """Give where the contract of a module of hooks stands.

    Args:
        path: `src/<package>/hooks/<name>.py`.
    """
    folder, _, name = path.rpartition("/hooks/")
    return f"{folder}/service/contracts/{name}"


def wanted_class(path: str, contract: bytes) -> GrownModule | None:
    """Give the class that the spec asks for at a path.

    Args:
        path: `src/<package>/hooks/<name>.py`.
        contract: The interceptor's contract as the tool wrote it.

    Returns:
        The class; None if that isn't a contract as this version writes it.
    """
    bases = frozenset(_bases(contract))
    has_state = bases <= _STATEFUL.keys()
    known = _STATEFUL if has_state else _PLAIN
    if not bases or not bases <= known.keys():
        return None
    hooks = {known[base] for base in bases}
    name = path.rpartition("/")[2].removesuffix(".py")
    interceptor = Interceptor(
        name=name,
        class_name=class_name(name),
        description="",
        hooks=tuple(hook for hook in HOOKS if hook in hooks),
        config=(),
        was=(),
        was_classes=(),
        state=() if has_state else None,
    )
    files = render_hooks(_service(interceptor))
    return next((file.grown for file in files if file.grown), None)


def _bases(contract: bytes) -> Iterator[str]:
    for node in ast.parse(contract).body:
        if isinstance(node, ast.ClassDef) and node.name == "Hooks":
            yield from map(ast.unparse, node.bases)


def _service(interceptor: Interceptor) -> Service:
    """Make up a service; what is asked of its hooks depends on nothing else of it."""
    return Service(
        package="service",
        description="",
        agent=_NOWHERE,
        runner_factory=_NOWHERE,
        eager=False,
        implementation="new",
        host="",
        port=0,
        path="",
        public_url=None,
        lifespan=None,
        chain=(interceptor,),
        converters=(),
        variables=(),
    )
