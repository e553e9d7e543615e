"""The converters of interceptors.yaml stand in the place of ADK's."""

import pytest

from .harness import Caller
from .subject import CONVERTERS

pytestmark = pytest.mark.anyio


async def test_each_converter_of_the_spec_is_called(
    caller: Caller, converted: set[str]
) -> None:
    """With and without the extension header each of them has its turn."""
    for extension in (False, True):
        reply = await caller.send("hello", extension=extension)
        assert reply.artifact_texts == ["one"]

    assert converted == set(CONVERTERS)
