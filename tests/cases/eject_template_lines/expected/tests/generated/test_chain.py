"""The chain of interceptors.yaml runs in its order."""

import pytest

from .harness import WIRES, Caller, Wire
from .recorder import Recorder

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@each_wire
async def test_before_agent_runs_down_the_list(
    caller: Caller, recorder: Recorder, wire: Wire
) -> None:
    """A message passes the first interceptor first."""
    await caller.send("hello", wire)

    assert recorder.order("before_agent") == ["quota"]
