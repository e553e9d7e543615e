"""The pin: ADK's new implementation serves every caller."""

import pytest

from .harness import WIRES, Caller, Wire

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("extension", [False, True], ids=["plain", "extension"])
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_the_new_implementation_serves(
    caller: Caller, wire: Wire, *, extension: bool
) -> None:
    """Whether or not the caller asks for it."""
    reply = await caller.send("hello", wire, extension=extension)

    assert reply.state == "completed"
    assert reply.by_new_implementation
