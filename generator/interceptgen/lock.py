"""`interceptgen.lock`: what was generated, from what, and in which state it was left.

Read and written as text; knows nothing of a disk.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NoReturn

from interceptgen.errors import UserError
from interceptgen.files import Owner

__all__ = [
    "LOCK_NAME",
    "FileRecord",
    "Lock",
    "LockError",
    "content_hash",
    "format_lock",
    "parse_lock",
]

LOCK_NAME = "interceptgen.lock"
_VERSION = 1


class LockError(UserError):
    """The lock can't be used; the message tells why and the way out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What the tool last left at a path.

    Attributes:
        owner: Who may write the file.
        item: The spec item that it comes from.
        sha256: Hash of the content that was left.
        pristine: Whether all of that content was the tool's.
        stubs: Hash of each method that the tool emitted into it.
    """

    owner: Owner
    item: str
    sha256: str
    pristine: bool = True
    stubs: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The recorded base of the next run.

    Attributes:
        inputs: Digest of the spec and the generator.
        files: Records by path, relative to the project root.
    """

    inputs: str
    files: Mapping[str, FileRecord]


def content_hash(data: bytes) -> str:
    """Hash a text file; a checkout with other line ends hashes the same."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def format_lock(lock: Lock) -> str:
    """Print the lock: sorted, a line for each fact, so that merges stay small."""
    files = {
        path: {
            "item": record.item,
            "owner": record.owner.value,
            "sha256": record.sha256,
            **({} if record.pristine else {"edited": True}),
            **({"stubs": dict(record.stubs)} if record.stubs else {}),
        }
        for path, record in lock.files.items()
    }
    content = {"version": _VERSION, "inputs": lock.inputs, "files": files}
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def parse_lock(text: str) -> Lock:
    """Read a lock. It is checked in by people, so nothing of it is trusted.

    Raises:
        LockError: If it isn't a lock of this version, or names a path outside
            the project.
    """
    if "<<<<<<<" in text:
        _fail("it has merge conflict markers")
    try:
        content: object = json.loads(text)
    except ValueError:
        _fail("it is not JSON")
    if not isinstance(content, dict):
        _fail("it is not a mapping")
    version = content.get("version")
    if version != _VERSION:
        _fail(f"it has version {version!r}, this tool writes version {_VERSION}")
    inputs, files = content.get("inputs"), content.get("files")
    if not isinstance(inputs, str) or not isinstance(files, dict):
        _fail("it lacks its inputs or files")
    return Lock(inputs=inputs, files=dict(map(_record, files.items())))


def _record(entry: tuple[object, object]) -> tuple[str, FileRecord]:
    path, fields = entry
    match path, fields:
        case str(), {"item": str(item), "owner": str(owner), "sha256": str(sha256)}:
            pass
        case _:
            _fail(f"its record of {path!r} is incomplete")
    if not _is_inside(path):
        _fail(f"it names {path!r}, which is outside the project")
    if owner not in set(Owner):
        _fail(f"it names the owner {owner!r}")
    stubs = fields.get("stubs", {})
    if not isinstance(stubs, dict):
        _fail(f"its record of {path!r} is incomplete")
    return path, FileRecord(
        owner=Owner(owner),
        item=item,
        sha256=sha256,
        pristine=not fields.get("edited", False),
        stubs={str(name): str(value) for name, value in stubs.items()},
    )


def _is_inside(path: str) -> bool:
    pure = PurePosixPath(path)
    unsafe = "\\" in path or ":" in path or "\0" in path
    return not (pure.is_absolute() or ".." in pure.parts or unsafe or not pure.parts)


def _fail(reason: str) -> NoReturn:
    message = (
        f"{LOCK_NAME} can't be read: {reason}; take it from version control, or "
        "delete it and run 'interceptgen generate', which then adopts the files "
        "that are as it would write them"
    )
    raise LockError(message)
