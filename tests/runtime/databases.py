"""A database of a test's own in the real PostgreSQL."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import LiteralString
from uuid import uuid4

import psycopg
import pytest
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Composed, Identifier
from tests.runtime.limited import HOST

__all__ = ["POSTGRES_PORT", "Database", "database"]

POSTGRES_PORT = 5432
_START = (
    f"docker run --rm -p {POSTGRES_PORT}:{POSTGRES_PORT}"
    " -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17"
)


class Database:
    """One database.

    Attributes:
        name: Its name.
        roles: The users that were made for it.
    """

    def __init__(self, name: str) -> None:
        """Name a database that is there."""
        self.name = name
        self.roles: list[str] = []

    def url(self, user: str = "postgres", port: int = POSTGRES_PORT) -> str:
        """Name it as SQLAlchemy does."""
        return f"postgresql+psycopg://{user}@{HOST}:{port}/{self.name}"

    def role(self, *rights: LiteralString) -> str:
        """Make a user who has these rights on the table `audit`, and no others."""
        user = f"{self.name}_{len(self.roles)}"
        self.run(SQL("CREATE ROLE {} LOGIN").format(Identifier(user)))
        self.roles.append(user)
        for right in rights:
            grant = SQL("GRANT {} ON audit TO {}")
            self.run(grant.format(SQL(right), Identifier(user)))
        return user

    def be_read_only(self) -> None:
        """Let nobody write, from the next connection on."""
        change = SQL("ALTER DATABASE {} SET default_transaction_read_only TO on")
        self.run(change.format(Identifier(self.name)))

    def connections(self) -> int:
        """Count who else is connected."""
        with _connected("postgres") as connection:
            query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
            (count,) = connection.execute(query, [self.name]).fetchall()[0]
        return int(count)

    def run(self, statement: Composed) -> None:
        """Run one statement as its owner."""
        with _connected(self.name) as connection:
            connection.execute(statement)


@contextmanager
def database() -> Generator[Database]:
    """Make a database, and drop it at the end."""
    found = Database(f"test_{uuid4().hex}")
    name = Identifier(found.name)
    try:
        connection = _connected("postgres")
    except psycopg.OperationalError:
        place = f"{HOST}:{POSTGRES_PORT}"
        pytest.skip(f"no PostgreSQL at {place}; start one with: {_START}")
    with connection:
        connection.execute(SQL("CREATE DATABASE {}").format(name))
        try:
            yield found
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(name))
            for role in found.roles:
                connection.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def _connected(name: str) -> psycopg.Connection[TupleRow]:
    return psycopg.connect(
        host=HOST,
        port=POSTGRES_PORT,
        user="postgres",
        dbname=name,
        autocommit=True,
        connect_timeout=3,
    )
