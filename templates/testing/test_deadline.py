"""A run that takes longer than interceptors.yaml allows is ended."""

import anyio
import pytest

from .harness import WIRES, Caller, Wire, running
from .scripted import Factory, ScriptedAgent
from .subject import PATH, POLICY, Policy, create_app, executor

pytestmark = pytest.mark.anyio
LIMITS = [name for name in ("deadline_s", "idle_deadline_s") if name in POLICY]
each_limit = pytest.mark.parametrize("limit", LIMITS)


@each_limit
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_run_beyond_its_limit_fails(
    agent: ScriptedAgent,
    factory: Factory,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    wire: Wire,
) -> None:
    """The caller gets an answer; the limit is the spec's, made short for the test."""
    asked: list[object] = []

    def hurried(
        deadline_s: float | None = None,
        idle_deadline_s: float | None = None,
        **_: object,
    ) -> Policy:
        if limit == "deadline_s":
            asked.append(deadline_s)
            return Policy(deadline_s=0.05)
        asked.append(idle_deadline_s)
        return Policy(idle_deadline_s=0.05)

    monkeypatch.setattr(executor, "Policy", hurried)
    agent.waits = True
    app = create_app(agent=agent, runner_factory=factory)

    async with running(app, PATH) as caller:
        with anyio.fail_after(10):
            reply = await caller.send("hello", wire)

    assert asked == [POLICY[limit]]
    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["deadline_exceeded"]


async def test_a_run_within_its_limits_completes(caller: Caller) -> None:
    """Nothing changes for it."""
    assert (await caller.send("hello")).state == "completed"
