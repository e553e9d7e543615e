"""A value of each type, for tests of what only the environment gives."""

from collections.abc import Mapping
from typing import NamedTuple

from interceptgen.service import EnvironmentVariable

__all__ = ["SAMPLES", "Sample", "sample_text"]


class Sample(NamedTuple):
    """One value.

    Attributes:
        source: In Python.
        text: In an environment variable.
    """

    source: str
    text: str


SAMPLES: Mapping[str, Sample] = {
    "str": Sample("'value'", "value"),
    "int": Sample("1", "1"),
    "float": Sample("1.0", "1.0"),
    "bool": Sample("True", "true"),
    "tuple[str, ...]": Sample("('value',)", '["value"]'),
    "tuple[int, ...]": Sample("(1,)", "[1]"),
    "tuple[float, ...]": Sample("(1.0,)", "[1.0]"),
}


def sample_text(variable: EnvironmentVariable) -> str:
    """Give what tests put into an environment variable."""
    return variable.sample or SAMPLES[variable.annotation].text
