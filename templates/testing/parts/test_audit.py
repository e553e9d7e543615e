"""The audit goes to the file that is named, in the form that is named."""

from pathlib import Path
from typing import Literal

import pytest

from runtime.recipes.auditing.audit import Audit, verify
from runtime.recipes.auditing.sinks import read_rows
from runtime.seams.exchange import exchange_of
from runtime.seams.request import Outcome

from .scripted import request_context

pytestmark = pytest.mark.anyio


async def written(audit: Audit) -> list[object]:
    """Write the row of one request; give what the file holds of hashes."""
    context = request_context()
    exchange = exchange_of(context)
    await audit.before_agent(context)
    with exchange.entered():
        await audit.on_exit(Outcome(kind="completed", request=exchange.facts))
    await audit.close()
    return [row and row["hash"] for row in read_rows(Path(audit.path))]


async def test_it_is_a_chain_of_lines_if_nothing_else_is_said(tmp_path: Path) -> None:
    """And closed while it can't be written."""
    audit = Audit(path=str(tmp_path / "audit"))

    (found,) = await written(audit)

    assert verify(tmp_path / "audit").last == found
    assert (tmp_path / "audit").read_bytes().startswith(b'{"seq": 1, ')
    assert audit.on_sink_error == "closed"
    assert (audit.sink_timeout_s, audit.queue) == (2, 10_000)


@pytest.mark.parametrize(("sink", "begins"), [("jsonl", b"{"), ("sqlite", b"SQLite")])
@pytest.mark.parametrize("hash_chain", [True, False])
async def test_it_is_what_it_is_said_to_be(
    tmp_path: Path,
    sink: Literal["jsonl", "sqlite"],
    begins: bytes,
    *,
    hash_chain: bool,
) -> None:
    """With hashes or without."""
    path = tmp_path / "audit"

    (found,) = await written(Audit(path=str(path), sink=sink, hash_chain=hash_chain))

    assert (found is not None) is hash_chain
    assert path.read_bytes().startswith(begins)


def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    """The file may be named before its folder is there."""
    Audit(path=str(tmp_path / "later" / "audit"))

    assert not (tmp_path / "later").exists()
