"""Spec to Service: decides names, imports and Python sources; prints nothing."""

import keyword

from pydantic import BaseModel

from interceptgen.service import (
    HOOKS,
    ConfigField,
    Converter,
    EnvironmentVariable,
    Interceptor,
    Reference,
    Service,
)
from interceptgen.spec.model import (
    ConfigField as ConfigFieldSpec,
)
from interceptgen.spec.model import (
    ConvertersSpec,
    EnvRef,
    InterceptorSpec,
    Literals,
    Spec,
)
from interceptgen.spec.names import class_name

__all__ = ["lower"]


def lower(spec: Spec) -> Service:
    """Decide everything that the emitters print.

    Args:
        spec: A spec without problems, as `load_spec` gives it.

    Returns:
        The service, with each value in the form in which it is printed.
    """
    interceptors = tuple(_interceptor(each) for each in spec.interceptors)
    package = spec.service.package
    factory = spec.runner.factory or f"{package}.runner:build_runner"
    lifespan = spec.server.lifespan
    return Service(
        package=package,
        description=_sentence(spec.service.description),
        agent=_reference(spec.agent),
        runner_factory=_reference(factory),
        eager=spec.runner.resolve == "eager",
        implementation=spec.implementation,
        host=spec.server.host,
        port=spec.server.port,
        path=_path(spec.server.path),
        public_url=spec.server.public_url,
        lifespan=_reference(lifespan) if lifespan else None,
        interceptors=interceptors,
        converters=_converters(spec.converters),
        variables=_variables(interceptors),
    )


def _interceptor(spec: InterceptorSpec) -> Interceptor:
    return Interceptor(
        name=spec.name,
        class_name=spec.class_name,
        description=_sentence(spec.description or spec.name),
        hooks=tuple(hook for hook in HOOKS if hook in spec.hooks),
        config=tuple(_field(name, field) for name, field in spec.config.items()),
        was=spec.was,
        was_classes=tuple(map(class_name, spec.was)),
    )


def _field(name: str, spec: ConfigFieldSpec) -> ConfigField:
    annotation = _ANNOTATIONS.get(spec.type, spec.type)
    described = _sentence(spec.description) if spec.description else ""
    if isinstance(spec.default, EnvRef):
        default, variable = None, _variable(spec.default.env, annotation)
    else:
        default, variable = _source(spec.default), None
    return ConfigField(
        name=name,
        annotation=annotation,
        default=default,
        variable=variable,
        description=described,
    )


# A config object is frozen, and so are its lists.
_ANNOTATIONS = {
    f"list[{item}]": f"tuple[{item}, ...]" for item in ("str", "int", "float")
}


def _source(value: Literals) -> str:
    # repr escapes whatever could end the string; nothing of a spec becomes code.
    return repr(value)


def _variable(name: str, annotation: str) -> EnvironmentVariable:
    field = name.strip("_").lower() or "value"
    if keyword.iskeyword(field) or hasattr(BaseModel, field):
        field = f"{field}_value"
    return EnvironmentVariable(name=name, field=field, annotation=annotation)


def _variables(
    interceptors: tuple[Interceptor, ...],
) -> tuple[EnvironmentVariable, ...]:
    fields = (field for each in interceptors for field in each.config)
    found = {field.variable.name: field.variable for field in fields if field.variable}
    return tuple(found[name] for name in sorted(found))


def _converters(spec: ConvertersSpec) -> tuple[Converter, ...]:
    named = {
        "a2a_part_converter": spec.a2a_part,
        "gen_ai_part_converter": spec.gen_ai_part,
        "request_converter": spec.request,
        "event_converter": spec.event,
        "adk_event_converter": spec.adk_event,
    }
    return tuple(
        Converter(argument=argument, reference=_reference(reference))
        for argument, reference in named.items()
        if reference
    )


def _reference(text: str) -> Reference:
    module, _, attribute = text.partition(":")
    return Reference(module=module, attribute=attribute)


def _path(path: str) -> str:
    stripped = path.strip("/")
    return f"/{stripped}" if stripped else ""


def _sentence(text: str) -> str:
    """Let the text end as a sentence does, for docstrings and the card."""
    folded = " ".join(text.split())
    return folded if folded.endswith((".", "!", "?")) else f"{folded}."
