"""The recipe `audit`, written to a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .sinks import JsonLines, Sqlite
from .trail import AuditTrail
from .verify import verify
from .writer import Sink

__all__ = ["Audit", "verify"]


@dataclass(kw_only=True, eq=False)
class Audit(AuditTrail):
    """Writes down in a file how each request ended.

    Attributes:
        path: The file.
        sink: What it is.
        hash_chain: Whether each row holds the hash of the one before it.
        on_sink_error: Whether messages get in while the file can't be written.
        sink_timeout_s: For how many seconds a file that isn't known to be up is
            waited for.
        queue: How many rows may wait to be written.

    Raises:
        ValueError: If the values can't be used.
    """

    path: str
    sink: Literal["jsonl", "sqlite"] = "jsonl"
    hash_chain: bool = True
    on_sink_error: Literal["closed", "open"] = "closed"
    sink_timeout_s: float = 2
    queue: int = 10_000

    def _sink(self) -> Sink:
        make = Sqlite if self.sink == "sqlite" else JsonLines
        return make(Path(self.path), hash_chain=self.hash_chain)
