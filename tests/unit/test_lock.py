"""The lock as text: what is read is what was written, and nothing else is read."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from interceptgen.files import Owner
from interceptgen.lock import (
    FileRecord,
    Lock,
    LockError,
    content_hash,
    format_lock,
    parse_lock,
)

PLAIN = FileRecord(owner=Owner.TOOL, item="service", sha256="aa")
FULL = FileRecord(
    owner=Owner.GROWN,
    item="interceptors.style",
    sha256="bb",
    pristine=False,
    stubs={"after_event": "cc", "before_agent": "dd"},
)
LOCK = Lock(inputs="ee", files={"src/b.py": FULL, "a.py": PLAIN})
TEXT = """\
{
 "files": {
  "a.py": {
   "item": "service",
   "owner": "tool",
   "sha256": "aa"
  },
  "src/b.py": {
   "edited": true,
   "item": "interceptors.style",
   "owner": "grown",
   "sha256": "bb",
   "stubs": {
    "after_event": "cc",
    "before_agent": "dd"
   }
  }
 },
 "inputs": "ee",
 "paths": "db42ffef109e051031b8fd3e65a17040d84b5100864578e995b9eaa56249a1cf",
 "version": 1
}
"""
WAY_OUT = (
    "; take it from version control, or delete it and run 'interceptgen generate', "
    "which then adopts the files that are as it would write them"
)


def refused(text: str) -> str:
    with pytest.raises(LockError) as caught:
        parse_lock(text)
    said = str(caught.value)
    assert said.startswith("interceptgen.lock can't be read: ")
    assert said.endswith(WAY_OUT)
    return said.removeprefix("interceptgen.lock can't be read: ").removesuffix(WAY_OUT)


def changed(change: Callable[[dict[str, object]], object]) -> str:
    """Give the lock's text after a change of its content."""
    content: dict[str, object] = json.loads(TEXT)
    change(content)
    return json.dumps(content)


def record(**fields: object) -> str:
    """Give a lock of one file."""
    full = {"owner": "tool", "item": "service", "sha256": "aa", **fields}
    kept = {key: value for key, value in full.items() if value is not None}
    return changed(lambda content: content.update(files={"a.py": kept}))


def at(path: str) -> str:
    """Give a lock of one file at a path."""
    fields = {"owner": "tool", "item": "service", "sha256": "aa"}
    return changed(lambda content: content.update(files={path: fields}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is not JSON"),
        (TEXT[:-3], "it is not JSON"),
        ("\ufeff" + TEXT, "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not a mapping"),
        ("1", "it is not a mapping"),
        ("null", "it is not a mapping"),
        (f"<<<<<<< ours\n{TEXT}=======\n{TEXT}>>>>>>> theirs\n",
         "it has merge conflict markers"),
        ("{}", "it has version None, this tool writes version 1"),
        (changed(lambda lock: lock.update(version=2)),
         "it has version 2, this tool writes version 1"),
        (changed(lambda lock: lock.update(version="1")),
         "it has version '1', this tool writes version 1"),
        (changed(lambda lock: lock.pop("inputs")), "it lacks its inputs or files"),
        (changed(lambda lock: lock.update(inputs=1)), "it lacks its inputs or files"),
        (changed(lambda lock: lock.pop("files")), "it lacks its inputs or files"),
        (changed(lambda lock: lock.update(files=[])), "it lacks its inputs or files"),
        (changed(lambda lock: lock.update(files={"a.py": "aa"})),
         "its record of 'a.py' is no mapping"),
        (record(owner=None), "its record of 'a.py' has no owner"),
        (record(owner=1), "its record of 'a.py' has no owner"),
        (record(owner="nobody"), "its record of 'a.py' makes no sense"),
        (record(item=None), "its record of 'a.py' has no item"),
        (record(sha256=None), "its record of 'a.py' has no sha256"),
        (record(stubs=[]), "its record of 'a.py' makes no sense"),
        (record(stubs={"after_event": 1}), "its record of 'a.py' has no after_event"),
    ],
)  # fmt: skip
def test_what_is_no_lock_is_refused(text: str, reason: str) -> None:
    assert refused(text) == reason


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "/etc/passwd",
        "..",
        "../a.py",
        "src/../../a.py",
        "src/..",
        "src\\a.py",
        "C:/a.py",
        "a.py:stream",
        "a\0.py",
        # The same file under a second name.
        "./a.py",
        "src//a.py",
        "src/./a.py",
        "a.py/",
        # What no run writes, and none is to delete.
        "interceptors.yaml",
        "interceptgen.lock",
        ".git/hooks/post-commit",
        "src/.git/config",
        ".interceptgen-stage-1/files/a.py",
    ],
)
def test_a_path_that_is_no_business_of_the_tool_is_refused(path: str) -> None:
    assert refused(at(path)) == f"it names {path!r}, which no run writes"


@pytest.mark.parametrize("path", ["a.py", "src/a.py", "..a/b..py", "src/.env", "a b"])
def test_any_other_path_is_read(path: str) -> None:
    assert list(parse_lock(at(path)).files) == [path]


def test_the_text_is_sorted_and_has_a_line_for_each_fact() -> None:
    assert format_lock(LOCK) == TEXT


def test_what_is_read_is_what_was_written() -> None:
    assert parse_lock(TEXT) == LOCK
    assert parse_lock(format_lock(LOCK)) == LOCK


def test_a_lock_whose_entries_were_edited_ends_no_check() -> None:
    """What its hashes say holds for the entries that were written."""
    edited = TEXT.replace("db42", "0000")
    assert parse_lock(edited) == replace(LOCK, inputs="")


def test_a_checkout_with_other_line_ends_reads_the_same() -> None:
    assert parse_lock(TEXT.replace("\n", "\r\n")) == LOCK


@pytest.mark.parametrize("owner", Owner)
def test_each_owner_is_recorded(owner: Owner) -> None:
    each = FileRecord(owner=owner, item="i", sha256="s")
    lock = Lock(inputs="", files={"a.py": each})
    assert parse_lock(format_lock(lock)) == lock


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (b"a\nb\n", b"a\r\nb\r\n", True),
        (b"a\nb\n", b"a\r\nb\n", True),
        (b"a\nb\n", b"a\rb\r", False),
        (b"a\n", b"a", False),
        (b"a\n", b"a\n\n", False),
        (b"a ", b"a", False),
    ],
)
def test_line_ends_are_no_edit_and_all_else_is(
    left: bytes, right: bytes, *, same: bool
) -> None:
    assert (content_hash(left) == content_hash(right)) is same
