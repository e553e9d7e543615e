"""`interceptgen.lock`: what was generated, from what, and in which state it was left.

Read and written as text; knows nothing of a disk.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from interceptgen.errors import UserError
from interceptgen.files import Owner

__all__ = [
    "LOCK_NAME",
    "STAGE_PREFIX",
    "FileRecord",
    "Lock",
    "LockError",
    "content_hash",
    "format_lock",
    "parse_lock",
]

LOCK_NAME = "interceptgen.lock"
STAGE_PREFIX = ".interceptgen-stage-"
"""Names the folder in which a run keeps the lock that it is about to leave."""
_VERSION = 1
# A lock that names them would have them deleted.
_OUT_OF_BOUNDS = frozenset({LOCK_NAME, "interceptors.yaml"})
# No part of a plain path inside the project; the empty one is a doubled, leading
# or final slash.
_NO_PART = frozenset({"", ".", "..", ".git"})
_OWNERS = {owner.value: owner for owner in Owner}

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | float | bool | None"


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
        requires: What the project has to depend on for its recipes.
    """

    inputs: str
    files: Mapping[str, FileRecord]
    requires: tuple[str, ...] = ()


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
    content = {
        "version": _VERSION,
        "inputs": lock.inputs,
        **({"requires": list(lock.requires)} if lock.requires else {}),
        "files": files,
        "paths": _paths_digest(files),
    }
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def parse_lock(text: str) -> Lock:
    """Read a lock. It is checked in by people, so nothing of it is trusted.

    Raises:
        LockError: If it isn't a lock of this version, or names a path that
            the tool has no business with, such as one outside the project.
    """
    if "<<<<<<<" in text:
        raise _unreadable("it has merge conflict markers")
    try:
        content: _Json = json.loads(text)
    except (ValueError, RecursionError):
        raise _unreadable("it is not JSON") from None
    if not isinstance(content, dict):
        raise _unreadable("it is not a mapping")
    version = content.get("version")
    if version != _VERSION:
        raise _unreadable(
            f"it has version {version!r}, this tool writes version {_VERSION}"
        )
    inputs, files = content.get("inputs"), content.get("files")
    if not isinstance(inputs, str) or not isinstance(files, dict):
        raise _unreadable("it lacks its inputs or files")
    # An entry taken out by hand is to be looked at, whatever the hashes say.
    whole = content.get("paths") == _paths_digest(files)
    return Lock(
        inputs=inputs if whole else "",
        files={path: _record(path, fields) for path, fields in files.items()},
        requires=_requires(content.get("requires", [])),
    )


def _paths_digest(paths: Iterable[str]) -> str:
    return content_hash("\n".join(sorted(paths)).encode())


def _requires(value: _Json) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [None]
    texts = tuple(each for each in listed if isinstance(each, str))
    if len(texts) != len(listed):
        raise _unreadable("what it says of requirements makes no sense")
    return texts


def _record(path: str, fields: _Json) -> FileRecord:
    if not _may_be_written(path):
        raise _unreadable(f"it names {path!r}, which no run writes")
    if not isinstance(fields, dict):
        raise _unreadable(f"its record of {path!r} is no mapping")
    owner = _OWNERS.get(_text(path, fields, "owner"))
    stubs = fields.get("stubs", {})
    if owner is None or not isinstance(stubs, dict):
        raise _unreadable(f"its record of {path!r} makes no sense")
    return FileRecord(
        owner=owner,
        item=_text(path, fields, "item"),
        sha256=_text(path, fields, "sha256"),
        pristine=not fields.get("edited", False),
        stubs={name: _text(path, stubs, name) for name in stubs},
    )


def _text(path: str, fields: "dict[str, _Json]", key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise _unreadable(f"its record of {path!r} has no {key}")
    return value


def _may_be_written(path: str) -> bool:
    """Tell whether a path is a plain one inside the project, and not out of bounds."""
    if "\\" in path or ":" in path or "\0" in path or path in _OUT_OF_BOUNDS:
        return False
    return not any(
        part in _NO_PART or part.startswith(STAGE_PREFIX) for part in path.split("/")
    )


def _unreadable(reason: str) -> LockError:
    return LockError(
        f"{LOCK_NAME} can't be read: {reason}; take it from version control, or "
        "delete it and run 'interceptgen generate', which then adopts the files "
        "that are as it would write them"
    )
