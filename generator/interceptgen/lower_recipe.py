"""One recipe of the spec to what the emitters print of it."""

from collections.abc import Iterator

from pydantic.fields import FieldInfo

from interceptgen.environment import environment_variable
from interceptgen.recipes import RECIPES, Recipe, Settings
from interceptgen.service import Argument, RecipeUse
from interceptgen.spec.model import EnvRef, InterceptorSpec

__all__ = ["recipe_use"]


def recipe_use(spec: InterceptorSpec, name: str, description: str) -> RecipeUse:
    """Decide everything that is printed of a recipe.

    Args:
        spec: An entry of the spec, without problems.
        name: The recipe that it names.
        description: What the entry does, as a sentence; empty for what the
            recipe says of itself.
    """
    recipe = RECIPES[name]
    settings = recipe.settings.model_validate(dict(spec.with_))
    samples = recipe.samples(settings)
    variant = recipe.variant_for(settings)
    made = variant or recipe
    return RecipeUse(
        name=spec.name,
        recipe=recipe.name,
        class_name=made.class_name,
        module=made.module,
        description=description or recipe.description,
        seams=recipe.seams,
        requires=(*recipe.requires, *(variant.requires if variant else ())),
        arguments=tuple(
            each
            for each in _arguments(settings, recipe)
            if variant is None
            or variant.value is None
            or each.name != variant.parameter
        ),
        samples=tuple((name, repr(value)) for name, value in samples.items()),
    )


def _arguments(settings: Settings, recipe: Recipe) -> Iterator[Argument]:
    samples = recipe.environment(settings)
    for name, field in type(settings).model_fields.items():
        value: object = getattr(settings, name)
        variable = None
        if isinstance(value, EnvRef):
            variable = environment_variable(value.env, "str", samples.get(name, ""))
        yield Argument(
            name=name,
            # repr escapes whatever could end a text; nothing of it becomes code.
            value="" if variable else repr(value),
            variable=variable,
            is_given=not _is_default(field, value),
        )


def _is_default(field: FieldInfo, value: object) -> bool:
    if field.is_required():
        return False
    default: object = field.get_default(call_default_factory=True)
    return bool(default == value) and type(default) is type(value)
