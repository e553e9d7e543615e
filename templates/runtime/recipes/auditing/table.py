"""The table `audit` of a database, which SQLAlchemy writes to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Engine,
    Identity,
    Integer,
    MetaData,
    Table,
    Unicode,
    create_engine,
    false,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError

from ...boundary.masking import masked
from .row import COLUMNS, AuditRow, Link, chained

__all__ = ["DatabaseTable", "engine_of", "problem_of", "read_table"]

_NUMBERS = ("request_bytes", "events", "event_bytes", "dropped")
_LONGEST = 255
_MOST_TRIES = 100
_READ_AT_ONCE = 1000


class _OtherRowsError(ValueError):
    """The table holds rows that the next one can't follow."""


class DatabaseTable:
    """The table `audit`, which several processes may write to.

    The key of the table keeps a chain of all their rows in one line: of two rows
    that would follow the same one the database takes one, and the other is made
    anew behind it.
    """

    def __init__(self, engine: Engine, *, hash_chain: bool) -> None:
        """Write to the table, which is made if need be."""
        self._engine, self._hash_chain = engine, hash_chain
        self._is_there = self._is_in_doubt = False

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Write the rows in one transaction.

        Raises:
            OSError: If the database doesn't do it, whatever the cause.
            ValueError: If the table has rows of another kind.
        """
        try:
            self._append([_storable(row) for row in rows])
        except _OtherRowsError:
            raise
        except Exception as error:
            # Whatever a driver raises: nobody knows them all.
            problem = problem_of(error, self._engine)
        else:
            return
        self._is_there = False
        raise ConnectionError(problem)

    def close(self) -> None:
        """Close the connection."""
        self._engine.dispose()

    def _append(self, rows: Sequence[AuditRow]) -> None:
        if not self._is_there:
            _make_table(self._engine)
            self._is_there = True
        tries = 0
        while True:
            try:
                with self._engine.begin() as connection:
                    self._write(connection, rows)
            except IntegrityError:
                # Another process was first; it may be so again, but not for ever.
                tries += 1
                if tries == _MOST_TRIES:
                    raise
            else:
                self._is_in_doubt = False
                return

    def _write(self, connection: Connection, rows: Sequence[AuditRow]) -> None:
        before = self._before(connection)
        if not rows:
            connection.execute(_PROBE)
            return
        # An end that nobody heard of, since the connection broke, is an end too.
        if self._is_in_doubt and _has(connection, rows[0]):
            return
        self._is_in_doubt = True
        written = [dict(values) for values in chained(rows, before)]
        if before is None:
            for values in written:
                # The database counts.
                del values["seq"]
        connection.execute(insert(_TABLE), written)

    def _before(self, connection: Connection) -> Link | None:
        """Give what the next row follows; None without a chain."""
        last = connection.execute(_LAST).one_or_none()
        if last is not None and (last.hash is not None) != self._hash_chain:
            raise _OtherRowsError("its rows were written with another hash_chain")
        if not self._hash_chain:
            return None
        return Link() if last is None else Link(last.seq, last.hash)


def engine_of(url: str) -> Engine:
    """Make what connects to a database; nothing is opened yet.

    Raises:
        ValueError: If it can't be made. The URL isn't shown: it may hold a
            password.
    """
    try:
        # The ping finds a connection that the database has closed meanwhile.
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)
    except NoSuchModuleError:
        problem = "SQLAlchemy knows no database of the kind that the URL begins with"
    except ImportError as error:
        problem = f"the driver of the database isn't installed: {error.name}"
    except Exception:
        problem = "the URL of the database can't be read"
    else:
        if not engine.dialect.is_async:
            return engine
        problem = "the URL names an asynchronous driver; name one that isn't"
    raise ValueError(problem)


def problem_of(error: Exception, engine: Engine) -> str:
    """Say what a database or its driver raised, in one line without a secret."""
    cause = getattr(error, "orig", None) or error
    text = f"{type(cause).__name__}: {cause}".partition("\n")[0]
    password = engine.url.password
    return masked(text.replace(password, "***") if password else text)


def read_table(engine: Engine) -> Iterator[Mapping[str, object]]:
    """Read all rows, in order."""
    with engine.connect() as connection:
        streaming = connection.execution_options(yield_per=_READ_AT_ONCE)
        for row in streaming.execute(select(_TABLE).order_by(_TABLE.c.seq)):
            yield dict(zip(COLUMNS, row, strict=True))


def _column(name: str) -> Column[int] | Column[float] | Column[str]:
    if name in _NUMBERS:
        return Column(name, BigInteger())
    if name == "duration_ms":
        return Column(name, Double())
    # A request has one row, even if the database does what it didn't confirm.
    return Column(name, Unicode(_LONGEST), unique=name == "correlation_id" or None)


_NUMBER = BigInteger().with_variant(Integer(), "sqlite")
_TABLE = Table(
    "audit",
    MetaData(),
    # No two rows can follow the same one.
    Column(COLUMNS[0], _NUMBER, Identity(), primary_key=True),
    *map(_column, COLUMNS[1:]),
)
_LAST = select(_TABLE.c.seq, _TABLE.c.hash).order_by(_TABLE.c.seq.desc()).limit(1)
# Writes nothing, and fails where nothing may be written.
_PROBE = insert(_TABLE).from_select(COLUMNS, select(_TABLE).where(false()))


def _make_table(engine: Engine) -> None:
    # Asked first: who may write to a table need not be one who may make it.
    if inspect(engine).has_table(_TABLE.name):
        return
    try:
        _TABLE.create(engine)
    except DBAPIError:
        # Another process may have made it at the same moment.
        if not inspect(engine).has_table(_TABLE.name):
            raise


def _has(connection: Connection, row: AuditRow) -> bool:
    same = _TABLE.c.correlation_id == row.correlation_id
    return connection.execute(select(_TABLE.c.seq).where(same)).first() is not None


def _storable(row: AuditRow) -> AuditRow:
    """Put a hash in the place of each text that a database may not hold.

    Ids are as clients choose them, and one such row would stop all others.
    """
    return replace(
        row,
        error_code=_short(row.error_code),
        task_id=_short(row.task_id),
        context_id=_short(row.context_id),
        caller=_short(row.caller),
    )


def _short(text: str | None) -> str | None:
    if text is None or (len(text) <= _LONGEST and "\0" not in text):
        return text
    return f"sha256:{sha256(text.encode()).hexdigest()}"
