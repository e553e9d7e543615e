"""Each request leaves one row behind, however it ends, and no text of it."""

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Literal

import pytest

from .harness import WIRES, Caller, Content, Wire, running, values
from .scripted import Factory, ScriptedAgent
from .subject import PATH, Interceptor, app, create_app, whole_chain

NAME = "audit"
SINK: Literal["jsonl", "sqlite", "sqlalchemy"] = "jsonl"
HASH_CHAIN = True
ON_SINK_ERROR: Literal["closed", "open"] = "closed"
SINK_TIMEOUT_S = 2.0

WORD = "orchid-4711"
"""What no row may hold."""

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(SINK_TIMEOUT_S < 1, reason="too short for a busy machine"),
]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where rows are written here, wherever the service does."""
    return tmp_path / "mounted" / "audit"


@pytest.fixture(autouse=True)
def _written_here(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    file.parent.mkdir()

    def build_interceptors() -> list[Interceptor]:
        found = next(each for each in whole_chain() if each.name == NAME)
        if SINK == "sqlalchemy":
            monkeypatch.setattr(found.hooks, "url", f"sqlite:///{file}")
        else:
            monkeypatch.setattr(found.hooks, "path", str(file))
        return [found]

    monkeypatch.setattr(app, "build_interceptors", build_interceptors)


class Service:
    """The service, started anew for each block, so that all is written at its end."""

    def __init__(self, agent: ScriptedAgent, factory: Factory) -> None:
        """Run the agent."""
        self.agent = agent
        self._factory = factory

    @asynccontextmanager
    async def called(self) -> AsyncGenerator[Caller, None]:
        """Serve as long as the block lasts."""
        served = create_app(agent=self.agent, runner_factory=self._factory)
        async with running(served, PATH) as caller:
            yield caller

    async def asked(self, wire: Wire = WIRES[0]) -> str | None:
        """Send one message; give the state of its task, or nothing."""
        async with self.called() as caller:
            return (await caller.send(hello(), wire)).state


@pytest.fixture
def service(agent: ScriptedAgent, factory: Factory) -> Service:
    """The service, with the recipe."""
    return Service(agent, factory)


def hello() -> Content:
    """Make a message that has the word wherever it can have one."""
    return Content(
        parts=[{"text": WORD}],
        metadata={"word": WORD},
        headers={"Authorization": f"Bearer {WORD}"},
    )


def rows(file: Path) -> list[dict[str, object]]:
    """Read what was written."""
    if SINK == "jsonl":
        return [json.loads(line) for line in file.read_text().splitlines()]
    with closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        found = database.execute("SELECT * FROM audit ORDER BY rowid").fetchall()
    return [{str(name): row[name] for name in row.keys()} for row in found]  # noqa: SIM118 - a row isn't a mapping


def holds_word(file: Path) -> bool:
    """Tell whether the word stands anywhere in it."""
    return WORD.encode() in file.read_bytes()


def is_private(file: Path) -> bool:
    """Tell whether only its owner may use it."""
    return not file.stat().st_mode & 0o077


def end(file: Path) -> tuple[object, object]:
    """Give how the only request ended."""
    (row,) = rows(file)
    return row["kind"], row["error_code"]


@each_wire
async def test_a_request_leaves_one_row_without_a_text(
    service: Service, file: Path, wire: Wire
) -> None:
    """Ids, hashes, sizes and times are in it."""
    service.agent.lines = (WORD,)

    state = await service.asked(wire)

    (row,) = rows(file)
    assert state == "completed"
    assert (row["kind"], row["error_code"]) == ("completed", None)
    assert row["correlation_id"]
    assert row["task_id"]
    assert row["context_id"]
    assert str(row["started"]) <= str(row["ended"])
    assert len(str(row["request_sha256"])) == len(sha256().hexdigest())
    assert int(str(row["request_bytes"])) > len(WORD)
    assert int(str(row["event_bytes"])) > int(str(row["events"])) > 0
    assert not holds_word(file)


async def test_a_run_that_fails_leaves_one_row(service: Service, file: Path) -> None:
    """What was raised isn't in it."""
    service.agent.raises = WORD

    await service.asked()

    assert end(file) == ("failed", "internal_error")
    assert not holds_word(file)


async def test_a_task_that_waits_for_its_caller_leaves_one_row(
    service: Service, file: Path
) -> None:
    """The reply to it is another request."""
    service.agent.pauses = True

    await service.asked()

    assert end(file) == ("paused", None)


async def test_a_run_that_is_canceled_leaves_one_row(
    service: Service, file: Path
) -> None:
    """The cancel itself is no message, and leaves none."""
    service.agent.waits = True
    async with service.called() as caller:
        begun = await caller.send(hello(), wait=False)
        (task,) = values(begun.answers, "task")
        (task_id,) = list(values(task, "id"))[:1]
        await caller.call("CancelTask", {"id": task_id})

    assert end(file) == ("canceled", None)


async def test_a_run_that_the_shutdown_ends_leaves_one_row(
    service: Service, file: Path
) -> None:
    """It is written before the service is gone."""
    service.agent.waits = True
    async with service.called() as caller:
        await caller.send(hello(), wait=False)

    assert end(file) in {("shut_down", None), ("never_started", None)}


async def test_rows_go_on_after_a_restart(service: Service, file: Path) -> None:
    """Nothing that was written is lost."""
    for _ in range(3):
        await service.asked()

    assert len({row["correlation_id"] for row in rows(file)}) == len(rows(file)) == 3


@pytest.mark.skipif(not HASH_CHAIN, reason="rows have no hashes")
async def test_each_row_holds_the_hash_of_the_one_before(
    service: Service, file: Path
) -> None:
    """Its own hash is that of all else in it."""
    for _ in range(3):
        await service.asked()

    previous = "0" * len(sha256().hexdigest())
    for number, row in enumerate(rows(file), start=1):
        own = row.pop("hash")
        text = json.dumps(
            row, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert own == sha256(text.encode()).hexdigest()
        assert (row["seq"], row["previous"]) == (number, previous)
        previous = str(own)


def _is_file() -> bool:
    return SINK != "sqlalchemy"


@pytest.mark.skipif(not _is_file(), reason="a database has rights of its own")
async def test_only_the_owner_may_read_the_file(service: Service, file: Path) -> None:
    """Whatever the umask is."""
    await service.asked()

    assert is_private(file)


@each_wire
async def test_a_file_that_cannot_be_written(
    service: Service, file: Path, wire: Wire
) -> None:
    """The spec says whether a message is refused or let in."""
    file.parent.rmdir()

    async with service.called() as caller:
        reply = await caller.send(hello(), wire)
        file.parent.mkdir()

    if ON_SINK_ERROR == "open":
        assert reply.state == "completed"
    else:
        assert reply.error is not None
        assert reply.error["code"] == -32600
        assert reply.error_data["reason"] == "audit_unavailable"
        assert reply.error_data["policy"] == NAME
        assert reply.error_data["retry_after_s"] == "1"
        assert service.agent.runs == 0
    assert len(rows(file)) == 1
