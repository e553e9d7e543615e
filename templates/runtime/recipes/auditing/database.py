"""The recipe `audit`, written to a database."""

from dataclasses import dataclass, field
from typing import Literal

from .database_verify import verify
from .table import DatabaseTable, engine_of
from .trail import AuditTrail
from .writer import Sink

__all__ = ["DatabaseAudit", "verify"]


@dataclass(kw_only=True, eq=False)
class DatabaseAudit(AuditTrail):
    """Writes down in a table how each request ended.

    Attributes:
        url: The database, as SQLAlchemy names it.
        hash_chain: Whether each row holds the hash of the one before it.
        on_sink_error: Whether messages get in while the database is down.
        sink_timeout_s: For how many seconds a database that isn't known to be
            up is waited for.
        queue: How many rows may wait to be written.

    Raises:
        ValueError: If the values can't be used.
    """

    url: str = field(repr=False)
    hash_chain: bool = True
    on_sink_error: Literal["closed", "open"] = "closed"
    sink_timeout_s: float = 2
    queue: int = 10_000

    def __post_init__(self) -> None:
        """Check the values; nothing is opened yet."""
        super().__post_init__()
        engine_of(self.url)

    def _sink(self) -> Sink:
        return DatabaseTable(engine_of(self.url), hash_chain=self.hash_chain)
