"""The pin: ADK's legacy implementation serves every caller."""

import pytest

from .harness import WIRES, Caller, Wire

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("extension", [False, True], ids=["plain", "extension"])
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_the_legacy_implementation_serves(
    caller: Caller, wire: Wire, *, extension: bool
) -> None:
    """Also a caller that asks for the new one."""
    reply = await caller.send("hello", wire, extension=extension)

    assert reply.state == "completed"
    assert not reply.by_new_implementation
