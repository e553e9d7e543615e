"""Decides which settings field holds what the environment gives."""

import keyword

from pydantic import BaseModel

from interceptgen.service import EnvironmentVariable

__all__ = ["environment_variable"]


def environment_variable(
    name: str, annotation: str, sample: str = ""
) -> EnvironmentVariable:
    """Give the setting of a variable, in a field that nothing else is called.

    Args:
        name: The variable, such as `ORDERS_REDIS_URL`.
        annotation: The Python type of the value.
        sample: What the generated tests put there; empty for any value.
    """
    field = name.strip("_").lower() or "value"
    if keyword.iskeyword(field) or hasattr(BaseModel, field):
        field = f"{field}_value"
    return EnvironmentVariable(
        name=name, field=field, annotation=annotation, sample=sample
    )
