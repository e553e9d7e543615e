import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import pytest
from sqlalchemy import Connection, inspect
from tests.runtime.auditing import (
    ENDS,
    WORD,
    Agent,
    Refuses,
    a_row,
    begin,
    chain,
    end_by,
    hello,
    until,
)
from tests.runtime.databases import POSTGRES_PORT, Database, database
from tests.runtime.limited import proxied
from tests.runtime.messages import Verified, call_context, message_context
from tests.runtime.serving import CELLS, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.auditing import database_verify as audit_database_verify
from runtime.recipes.auditing import writer as audit_writer
from runtime.recipes.auditing.database import DatabaseAudit, verify
from runtime.recipes.auditing.row import AuditRow, Link
from runtime.recipes.auditing.table import (
    DatabaseTable,
    engine_of,
    problem_of,
    read_table,
)
from runtime.seams.exchange import exchange_of
from runtime.seams.interceptor import Outcome

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.service, pytest.mark.anyio]


@pytest.fixture
def postgres() -> Iterator[Database]:
    with database() as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'audit.db'}"
    postgres: Database = request.getfixturevalue("postgres")
    return postgres.url()


class Tables:
    """Opens tables, and closes all of them at the end."""

    def __init__(self) -> None:
        self._opened: list[DatabaseTable] = []

    def __call__(self, url: str, *, hash_chain: bool = True) -> DatabaseTable:
        self._opened.append(DatabaseTable(engine_of(url), hash_chain=hash_chain))
        return self._opened[-1]

    def close(self) -> None:
        for each in self._opened:
            each.close()


@pytest.fixture
def table() -> Iterator[Tables]:
    with closing(Tables()) as tables:
        yield tables


def written(url: str, *rows: AuditRow, hash_chain: bool = True) -> None:
    """Write the rows, each as a batch of a process of its own."""
    for row in rows:
        sink = DatabaseTable(engine_of(url), hash_chain=hash_chain)
        sink.append([row])
        sink.close()


def rows_of(url: str) -> list[Any]:
    engine = engine_of(url)
    try:
        return list(read_table(engine)) if inspect(engine).has_table("audit") else []
    finally:
        engine.dispose()


def kinds(url: str) -> list[str]:
    return [row["kind"] for row in rows_of(url)]


def has_more(url: str, than: int) -> bool:
    return len(rows_of(url)) > than


def run(url: str, *statements: str) -> None:
    """Do to the database what somebody might do."""
    engine = engine_of(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


# --- what can't be used --------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "can't be read"),
        ("s3cret", "can't be read"),
        ("postgresql://u:s3cret@db:port/audit", "can't be read"),
        ("s3cret://u:s3cret@db/audit", "knows no database of the kind"),
        ("postgresql+s3cret://u:s3cret@db/audit", "knows no database of the kind"),
        ("postgresql+pg8000://u:s3cret@db/audit", "isn't installed: pg8000"),
        ("postgresql+psycopg_async://u:s3cret@db/audit", "asynchronous"),
        ("sqlite+aiosqlite:///s3cret", "asynchronous"),
    ],
)
def test_a_url_that_cannot_be_used_is_not_shown(url: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as raised:
        DatabaseAudit(url=url)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


@pytest.mark.parametrize("values", [{"queue": 0}, {"sink_timeout_s": 0}])
def test_values_that_cannot_be_used(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        DatabaseAudit(url="sqlite://", **values)


def test_a_password_is_shown_nowhere(table: Tables) -> None:
    url = "postgresql+psycopg://audit:s3cret@127.0.0.1:1/audit?connect_timeout=1"
    assert "s3cret" not in repr(DatabaseAudit(url=url))
    said = problem_of(ValueError(f"no s3cret at {url}"), engine_of(url))
    assert said == f"ValueError: no *** at {url.replace('audit:s3cret', '***', 1)}"
    with pytest.raises(OSError, match="Connection refused") as raised:
        table(url).append([])
    assert "s3cret" not in str(raised.value)
    assert raised.value.__context__ is None


@pytest.mark.postgres
async def test_a_database_that_lets_nobody_in(
    postgres: Database, caplog: pytest.LogCaptureFixture
) -> None:
    agent, user = Agent(), f"nobody_{uuid4().hex}"
    audit = DatabaseAudit(url=postgres.url(f"{user}:s3cret"), sink_timeout_s=5)
    async with served(Setup(script=agent, hooks=chain(audit))) as it:
        refused = await it.send(hello())
    assert refused.error_data["reason"] == "audit_unavailable"
    assert agent.runs == 0
    assert user not in str(refused.error)
    assert user in caplog.text
    assert "s3cret" not in caplog.text


def test_a_table_of_others_is_not_written_to(url: str, table: Tables) -> None:
    run(url, "CREATE TABLE audit (seq INTEGER, note TEXT)")
    for rows in ([], [a_row()]):
        with pytest.raises(OSError, match="column"):
            table(url).append(rows)
    engine = engine_of(url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT * FROM audit").all() == []
    engine.dispose()


@pytest.mark.parametrize("hash_chain", [True, False])
def test_rows_of_another_kind_are_not_followed(
    url: str, table: Tables, *, hash_chain: bool
) -> None:
    written(url, a_row(0), a_row(1), hash_chain=hash_chain)
    for rows in ([], [a_row(2)]):
        with pytest.raises(ValueError, match="another hash_chain"):
            table(url, hash_chain=not hash_chain).append(rows)
    assert len(rows_of(url)) == 2


@pytest.mark.postgres
def test_who_may_only_read_is_told_before_there_is_a_row(
    postgres: Database, table: Tables
) -> None:
    written(postgres.url(), a_row())
    reader = postgres.url(postgres.role("SELECT"))
    with pytest.raises(OSError, match="permission denied"):
        table(reader).append([])
    postgres.be_read_only()
    with pytest.raises(OSError, match="read-only"):
        table(postgres.url()).append([])
    assert len(rows_of(postgres.url())) == 1


@pytest.mark.postgres
def test_who_may_read_and_add_needs_no_more(postgres: Database, table: Tables) -> None:
    written(postgres.url(), a_row(0))
    writer = postgres.url(postgres.role("SELECT", "INSERT"))
    table(writer).append([])
    written(writer, a_row(1))
    assert verify(postgres.url()).problems == ()
    assert len(rows_of(postgres.url())) == 2


# --- ids as clients choose them ------------------------------------------------


@pytest.mark.parametrize("text", ["a\0b", "x" * 256, "\0", "é" * 100_000])
def test_what_a_database_may_not_hold_is_a_hash(url: str, text: str) -> None:
    row = replace(a_row(), caller=text, context_id=text, task_id=text, error_code=text)
    written(url, row, a_row(1))
    found, _ = rows_of(url)
    digest = f"sha256:{sha256(text.encode()).hexdigest()}"
    for name in ("caller", "context_id", "task_id", "error_code"):
        assert found[name] == digest
    assert verify(url).problems == ()


async def test_no_client_can_stop_the_audit(url: str) -> None:
    audit = DatabaseAudit(url=url, sink_timeout_s=60)
    for number, name in enumerate(["a\ud800", "\0", "x" * 1000, "Jürgen \U0001f600"]):
        context = message_context(call=call_context(user=Verified(name)))
        exchange = exchange_of(context)
        with exchange.entered():
            await audit.before_agent(context)
            await audit.on_exit(Outcome(kind="completed", request=exchange.facts))
        await until(partial(has_more, url, number))
    await audit.close()
    callers = [row["caller"] for row in rows_of(url)]
    assert callers[0] == "a?"
    assert callers[3] == "Jürgen \U0001f600"
    assert verify(url).problems == ()


# --- the chain -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (["UPDATE audit SET error_code = 'x' WHERE seq = 2"], "row 2: was changed"),
        (["UPDATE audit SET duration_ms = 2 WHERE seq = 2"], "row 2: was changed"),
        (["UPDATE audit SET seq = 9 WHERE seq = 2"], "row 2: doesn't follow"),
        (["UPDATE audit SET hash = NULL WHERE seq = 2"], "row 2: has no hash"),
        (["DELETE FROM audit WHERE seq = 2"], "row 2: doesn't follow"),
        (["DELETE FROM audit WHERE seq = 1"], "row 1: doesn't follow"),
        (
            [
                "UPDATE audit SET seq = 9 WHERE seq = 2",
                "UPDATE audit SET seq = 2 WHERE seq = 3",
                "UPDATE audit SET seq = 3 WHERE seq = 9",
            ],
            "row 2: was changed",
        ),
    ],
)
def test_verify_names_the_row_that_was_tampered_with(
    url: str, harm: list[str], says: str
) -> None:
    written(url, *(replace(a_row(n), duration_ms=n / 3) for n in range(4)))
    verdict = verify(url)
    assert (verdict.rows, verdict.problems) == (4, ())
    run(url, *harm)
    assert verify(url).problems[0].startswith(says)


def test_verify_from_a_shell(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUDIT_URL", url)
    assert audit_database_verify.main(["AUDIT_URL"]) == 2
    written(url, a_row(0), a_row(1))
    capsys.readouterr()
    assert audit_database_verify.main(["AUDIT_URL"]) == 0
    last = rows_of(url)[-1]["hash"]
    assert capsys.readouterr().out == f"2 rows; the last hash is {last}\n"
    run(url, "UPDATE audit SET kind = 'failed' WHERE seq = 2")
    assert audit_database_verify.main(["AUDIT_URL"]) == 1
    assert "row 2: was changed\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "usage"),
        (["ONE", "TWO"], "usage"),
        (["AUDIT_URL_THAT_IS_NOT_SET"], "isn't set"),
        (["BAD"], "BAD: the URL of the database can't be read"),
        (["GONE"], "GONE: OperationalError: "),
    ],
)
def test_verify_cannot_begin(
    words: list[str],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("BAD", "postgresql://u:s3cret@db:port/audit")
    monkeypatch.setenv("GONE", "postgresql+psycopg://u:s3cret@127.0.0.1:1/audit")
    assert audit_database_verify.main(words) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "s3cret" not in told


def test_several_processes_write_one_chain(url: str) -> None:
    command = [sys.executable, str(ROOT / "tests" / "runtime" / "appending.py"), url]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "templates")}
    writers = [
        subprocess.Popen(
            [*command, name, "60"],
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in "abc"
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        # The table isn't there yet, so they make it together as well.
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=120)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    found = rows_of(url)
    assert len(found) == 3 * 60 * 2
    assert [row["seq"] for row in found] == list(range(1, len(found) + 1))
    assert len({row["previous"] for row in found}) == len(found)
    assert verify(url).problems == ()
    for name in "abc":
        wrote = [row["correlation_id"] for row in found if row["caller"] == name]
        assert wrote == [
            f"{name}-{n}-{part}" for n in range(60) for part in range(n % 3 + 1)
        ]
    turns = sum(one["caller"] != two["caller"] for one, two in pairwise(found))
    assert turns > 2


class IsLate(DatabaseTable):
    """Others write a row each time that it has looked, up to so many times."""

    looks = 0

    def __init__(self, url: str, *others: AuditRow) -> None:
        super().__init__(engine_of(url), hash_chain=True)
        self._url, self._others = url, list(others)

    def _before(self, connection: Connection) -> Link | None:
        before = super()._before(connection)
        self.looks += 1
        if self._others:
            written(self._url, self._others.pop(0))
        return before


class LooksAway(IsLate):
    """Never sees that there is a row."""

    def _before(self, connection: Connection) -> Link | None:
        super()._before(connection)
        return Link()


def test_of_two_rows_that_follow_the_same_one_the_second_is_made_anew(url: str) -> None:
    written(url, a_row(0))
    with closing(IsLate(url, a_row(1), a_row(2))) as sink:
        sink.append([a_row(3)])
    assert [row["correlation_id"] for row in rows_of(url)] == ["c0", "c1", "c2", "c3"]
    assert verify(url).problems == ()


def test_it_is_not_made_anew_for_ever(url: str) -> None:
    written(url, a_row(0))
    with closing(LooksAway(url)) as sink:
        with pytest.raises(OSError, match=r"IntegrityError|UniqueViolation"):
            sink.append([a_row(1)])
        assert sink.looks == 100
    assert len(rows_of(url)) == 1


@pytest.mark.postgres
async def test_what_was_done_but_not_confirmed_is_not_done_twice(
    postgres: Database, table: Tables
) -> None:
    async with proxied(POSTGRES_PORT) as proxy:
        sink = table(postgres.url(port=proxy.port))
        await asyncio.to_thread(sink.append, [a_row(0)])
        rows = [a_row(1), a_row(2)]
        proxy.cut_at = b"COMMIT"
        with pytest.raises(OSError, match="closed"):
            await asyncio.to_thread(sink.append, rows)
        await until(lambda: len(rows_of(postgres.url())) == 3)
        written(postgres.url(), a_row(3))
        await asyncio.to_thread(sink.append, rows)
        await asyncio.to_thread(sink.append, [a_row(4)])
        sink.close()
    found = [row["correlation_id"] for row in rows_of(postgres.url())]
    assert found == ["c0", "c1", "c2", "c3", "c4"]
    assert verify(postgres.url()).problems == ()


@pytest.mark.postgres
async def test_what_was_not_done_is_done_again(
    postgres: Database, table: Tables
) -> None:
    async with proxied(POSTGRES_PORT) as proxy:
        sink = table(postgres.url(port=proxy.port))
        await asyncio.to_thread(sink.append, [a_row(0)])
        proxy.cut_at = b"INSERT"
        with pytest.raises(OSError, match="closed"):
            await asyncio.to_thread(sink.append, [a_row(1)])
        await asyncio.to_thread(sink.append, [a_row(1)])
        sink.close()
    found = [row["correlation_id"] for row in rows_of(postgres.url())]
    assert found == ["c0", "c1"]


def test_a_table_that_was_moved_away_is_made_again(url: str, table: Tables) -> None:
    sink = table(url)
    sink.append([a_row(0)])
    run(url, "ALTER TABLE audit RENAME TO audit_2026")
    with pytest.raises(OSError, match="audit"):
        sink.append([])
    sink.append([a_row(1)])
    assert [(row["seq"], row["correlation_id"]) for row in rows_of(url)] == [(1, "c1")]
    assert verify(url).problems == ()


def test_without_a_chain_the_database_counts(url: str) -> None:
    written(url, a_row(0), a_row(1), hash_chain=False)
    rows = rows_of(url)
    assert [row["correlation_id"] for row in rows] == ["c0", "c1"]
    assert [row["seq"] for row in rows] == [1, 2]
    assert verify(url).problems == ("row 1: has no hash", "row 2: has no hash")


# --- a request, and a database that goes away ----------------------------------


async def test_each_end_makes_one_row_without_a_text(url: str) -> None:
    cell = CELLS[0]
    for end in ENDS:
        agent, later = Agent(), Refuses()
        policy = Policy(deadline_s=0.1) if end == "deadline" else None
        hooks = chain(DatabaseAudit(url=url, sink_timeout_s=30), later=later)
        setup = Setup(script=agent, hooks=hooks, pin=cell.pin, policy=policy)
        async with served(setup) as it:
            await end_by(it, agent, later, end, cell)
    found = rows_of(url)
    told = {
        end: (row["kind"], row["error_code"])
        for end, row in zip(ENDS, found, strict=True)
    }
    assert told == ENDS
    assert WORD not in str(found)
    assert verify(url).problems == ()


async def test_many_at_once_make_as_many_rows_in_one_chain(url: str) -> None:
    audit = DatabaseAudit(url=url, sink_timeout_s=60)
    async with served(Setup(script=Agent(), hooks=chain(audit))) as it:
        replies = await asyncio.gather(*(it.send(hello()) for _ in range(100)))
    assert {reply.state for reply in replies} == {"completed"}
    verdict = verify(url)
    assert (verdict.rows, verdict.problems) == (100, ())


@pytest.fixture
def never_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sink be asked for each message, and again soon."""
    monkeypatch.setattr(audit_writer, "_FRESH_SECONDS", 0.0)
    monkeypatch.setattr(audit_writer, "_RETRY_SECONDS", 0.05)


@pytest.mark.postgres
@pytest.mark.usefixtures("never_fresh")
@pytest.mark.parametrize("problem", ["down", "slow"])
@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_database_that_goes_away_and_comes_back(
    problem: Literal["down", "slow"],
    door: Literal["closed", "open"],
    postgres: Database,
    caplog: pytest.LogCaptureFixture,
) -> None:
    agent = Agent()
    async with proxied(POSTGRES_PORT) as proxy:
        url = postgres.url("postgres:s3cret", proxy.port)
        audit = DatabaseAudit(url=url, on_sink_error=door, sink_timeout_s=1, queue=3)
        async with served(Setup(script=agent, hooks=chain(audit))) as it:
            await begin(it, agent)
            await proxy.be(problem)
            agent.does = "answer"
            async with asyncio.timeout(10):
                meanwhile = [await it.send(hello()) for _ in range(2)]
                agent.go_on.set()
                await until(lambda: agent.done > 0)
                meanwhile += [await it.send(hello()) for _ in range(2)]
            ran = agent.runs
            await proxy.be("up")
            await until(lambda: "dropped" in kinds(postgres.url()))
            back = await it.send(hello())
        rows = rows_of(postgres.url())
        assert postgres.connections() == 0
    assert back.state == "completed"
    if door == "open":
        assert {reply.state for reply in meanwhile} == {"completed"}
        assert ran == 5
    else:
        reasons = [reply.error_data["reason"] for reply in meanwhile]
        assert reasons == ["audit_unavailable"] * 4
        assert ran == 1
    # Six requests: the queue held three of them, and the others are counted.
    assert [row["dropped"] for row in rows] == [None, None, None, 2, None]
    assert rows[-1]["kind"] == "completed"
    assert verify(postgres.url()).problems == ()
    assert "s3cret" not in caplog.text
