"""The undo of an update: what stood at each path before the update touched it.

It lies in git's own folder, written before the project is. So an update that
was killed can be undone as well.
"""

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from interceptgen.errors import UserError

__all__ = ["Journal", "JournalError", "put", "remove"]

_STATE = "state.json"


class JournalError(UserError):
    """The journal can't be used; the message tells why."""


class _State(TypedDict):
    """The journal's list of contents.

    `saved` names the copy of each path, None where nothing stood; `folders`
    are those that didn't exist; `conflicts` maps each file with markers to its
    own number of dividers, and is None until everything is merged.
    """

    saved: dict[str, str | None]
    folders: list[str]
    conflicts: dict[str, int] | None


class Journal:
    """What an update under way can be undone with."""

    def __init__(self, folder: Path, root: Path) -> None:
        """Take the place of a journal, which needn't exist.

        Args:
            folder: Where it lies.
            root: The project's folder.
        """
        self._folder = folder
        self._root = root

    @property
    def exists(self) -> bool:
        """Whether an update is under way."""
        return self._folder.exists()

    @property
    def conflicts(self) -> Mapping[str, int]:
        """The files that were left with markers, and their own dividers.

        Raises:
            JournalError: If no update is under way, or one that was stopped
                before everything was merged.
        """
        conflicts = self._read()["conflicts"]
        if conflicts is None:
            raise JournalError("the update was stopped half way; undo it with --abort")
        return conflicts

    def open(self) -> None:
        """Begin a journal, whole or not at all.

        Raises:
            OSError: If an update is under way.
        """
        begun = self._folder.with_suffix(".begun")
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir(parents=True)
        _write(begun, {"saved": {}, "folders": [], "conflicts": None})
        begun.rename(self._folder)

    def save(self, paths: Iterable[str]) -> None:
        """Keep what stands at paths that are about to be touched."""
        state = self._read()
        for path in paths:
            if path not in state["saved"]:
                state["saved"][path] = self._copy(path, f"{len(state['saved'])}.saved")
                state["folders"] += self._missing_folders(path, state["folders"])
        _write(self._folder, state)

    def mark(self, conflicts: Mapping[str, int]) -> None:
        """Note the files that are left with markers."""
        _write(self._folder, {**self._read(), "conflicts": dict(conflicts)})

    def restore(self) -> None:
        """Put back each saved path, byte for byte, and end the journal."""
        state = self._read()
        for path, name in state["saved"].items():
            _staged(self._root / path).unlink(missing_ok=True)
            if name is None:
                (self._root / path).unlink(missing_ok=True)
            else:
                put(self._root / path, (self._folder / name).read_bytes())
                shutil.copymode(self._folder / name, self._root / path)
        for folder in sorted(state["folders"], key=len, reverse=True):
            _drop_if_empty(self._root / folder)
        self.close()

    def close(self) -> None:
        """End the journal; from now on git has the undo."""
        # In one step: half a journal couldn't undo.
        ended = self._folder.with_suffix(".ended")
        shutil.rmtree(ended, ignore_errors=True)
        self._folder.rename(ended)
        shutil.rmtree(ended, ignore_errors=True)

    def _copy(self, path: str, name: str) -> str | None:
        source = self._root / path
        if not source.exists():
            return None
        shutil.copyfile(source, self._folder / name)
        shutil.copymode(source, self._folder / name)
        return name

    def _missing_folders(self, path: str, known: Iterable[str]) -> list[str]:
        parents = [folder.as_posix() for folder in Path(path).parents][:-1]
        return [
            folder
            for folder in parents
            if folder not in known and not (self._root / folder).exists()
        ]

    def _read(self) -> _State:
        try:
            text = (self._folder / _STATE).read_text(encoding="utf-8")
            state: _State = json.loads(text)
        except FileNotFoundError as error:
            raise JournalError("no update is under way") from error
        except ValueError as error:
            raise JournalError(f"{self._folder} is unreadable; delete it") from error
        return state


def put(path: Path, data: bytes) -> None:
    """Write a file in one step, keeping its permissions; a link is followed."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    real = path.resolve()
    staged = _staged(path)
    staged.write_bytes(data)
    if real.exists():
        shutil.copymode(real, staged)
    staged.replace(real)


def remove(root: Path, path: str) -> None:
    """Delete a file, and the folders that it leaves empty."""
    (root / path).unlink()
    for folder in Path(path).parents:
        if folder == Path() or any((root / folder).iterdir()):
            break
        (root / folder).rmdir()


def _staged(path: Path) -> Path:
    real = path.resolve()
    return real.with_name(f".{real.name}.interceptgen")


def _write(folder: Path, state: _State) -> None:
    put(folder / _STATE, json.dumps(state, indent=1).encode())


def _drop_if_empty(folder: Path) -> None:
    if folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {
        "__pycache__"
    }:
        shutil.rmtree(folder)
