"""Formats emitted modules with ruff, all in one run."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ruff import find_ruff_bin  # pyright: ignore[reportMissingTypeStubs]

from interceptgen.files import SourceFile

__all__ = ["formatted"]


def formatted(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Lay the modules out as ruff does by default.

    Neither the project's own ruff settings nor the user's are read, so the
    same spec gives the same bytes everywhere.
    """
    with TemporaryDirectory(prefix="interceptgen-") as folder:
        # Numbered, for the paths of the service need no folders then.
        paths = [Path(folder, f"{number}.py") for number in range(len(files))]
        for path, file in zip(paths, files, strict=True):
            path.write_text(file.text, encoding="utf-8", newline="\n")
        subprocess.run(  # noqa: S603 - our own arguments
            [find_ruff_bin(), "format", "--isolated", "--no-cache", "--quiet", folder],
            check=True,
        )
        texts = [path.read_text(encoding="utf-8") for path in paths]
    return [replace(file, text=text) for file, text in zip(files, texts, strict=True)]
