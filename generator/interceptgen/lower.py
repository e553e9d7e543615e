"""Spec to Service: decides names, imports and Python sources; prints nothing."""

from collections.abc import Mapping

from interceptgen.environment import environment_variable
from interceptgen.lower_recipe import recipe_use
from interceptgen.service import (
    HOOKS,
    ConfigField,
    Converter,
    EnvironmentVariable,
    Interceptor,
    RecipeUse,
    Reference,
    Run,
    Service,
    StateField,
)
from interceptgen.spec.model import (
    ConfigField as ConfigFieldSpec,
)
from interceptgen.spec.model import (
    ConvertersSpec,
    EnvRef,
    InterceptorSpec,
    Literals,
    RunSpec,
    Spec,
)
from interceptgen.spec.model import (
    StateField as StateFieldSpec,
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
    chain = tuple(map(_entry, spec.interceptors))
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
        chain=chain,
        converters=_converters(spec.converters),
        variables=_variables(chain),
        run=_run(spec.run),
    )


def _entry(spec: InterceptorSpec) -> Interceptor | RecipeUse:
    if spec.use is None:
        return _interceptor(spec)
    described = _sentence(spec.description) if spec.description else ""
    return recipe_use(spec, spec.use, described)


def _interceptor(spec: InterceptorSpec) -> Interceptor:
    return Interceptor(
        name=spec.name,
        class_name=spec.class_name,
        description=_sentence(spec.description or spec.name),
        hooks=tuple(hook for hook in HOOKS if hook in spec.hooks),
        config=tuple(_field(name, field) for name, field in spec.config.items()),
        was=spec.was,
        was_classes=tuple(map(class_name, spec.was)),
        state=_state(spec.state) if spec.has_state else None,
    )


def _field(name: str, spec: ConfigFieldSpec) -> ConfigField:
    annotation = _ANNOTATIONS.get(spec.type, spec.type)
    described = _sentence(spec.description) if spec.description else ""
    if isinstance(spec.default, EnvRef):
        default, variable = None, environment_variable(spec.default.env, annotation)
    else:
        default, variable = _source(spec.default), None
    return ConfigField(
        name=name,
        annotation=annotation,
        default=default,
        variable=variable,
        description=described,
    )


def _state(spec: Mapping[str, StateFieldSpec]) -> tuple[StateField, ...]:
    return tuple(
        StateField(
            name=name,
            annotation=field.type,
            # Each request gets a list of its own, so it may change.
            default=repr(list(field.default))
            if isinstance(field.default, tuple)
            else _source(field.default),
            description=_sentence(field.description) if field.description else "",
        )
        for name, field in spec.items()
    )


# A config object is frozen, and so are its lists.
_ANNOTATIONS = {
    f"list[{item}]": f"tuple[{item}, ...]" for item in ("str", "int", "float")
}


def _source(value: Literals) -> str:
    # repr escapes whatever could end the string; nothing of a spec becomes code.
    return repr(value)


def _variables(
    chain: tuple[Interceptor | RecipeUse, ...],
) -> tuple[EnvironmentVariable, ...]:
    read = (
        part.variable
        for each in chain
        for part in (each.config if isinstance(each, Interceptor) else each.arguments)
    )
    # One with a sample of its own last, for that is the pickier reader.
    read_last = sorted((each for each in read if each), key=lambda each: each.sample)
    found = {variable.name: variable for variable in read_last}
    return tuple(found[name] for name in sorted(found))


def _run(spec: RunSpec) -> Run:
    return Run(
        deadline=_seconds(spec.deadline),
        idle_deadline=_seconds(spec.idle_deadline),
        empty_result=None if spec.empty_result == "complete" else spec.empty_result,
        empty_text=spec.empty_text,
    )


def _seconds(value: float | None) -> str | None:
    if value is None:
        return None
    return repr(int(value) if value.is_integer() else value)


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
