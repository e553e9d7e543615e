"""No pin: the caller's extension header chooses ADK's implementation."""

import pytest

from .harness import WIRES, Caller, Wire

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("extension", [False, True], ids=["plain", "extension"])
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_the_caller_chooses(
    caller: Caller, wire: Wire, *, extension: bool
) -> None:
    """The new implementation with the header, the legacy one without."""
    reply = await caller.send("hello", wire, extension=extension)

    assert reply.state == "completed"
    assert reply.by_new_implementation is extension
