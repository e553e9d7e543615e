"""Digest of everything that output depends on: the spec and the generator itself."""

import hashlib
from pathlib import Path

from interceptgen.resources import template_root

__all__ = ["inputs_digest"]

_PACKAGE = Path(__file__).parent


def inputs_digest(spec: bytes) -> str:
    """Hash the spec with the generator's own sources and what it copies.

    An equal digest means equal output, so nothing has to be rendered to know
    that a project is current.
    """
    digest = hashlib.sha256(spec.replace(b"\r\n", b"\n"))
    templates = template_root() / "templates"
    for folder, pattern in (
        (_PACKAGE, "*.py"),
        (_PACKAGE / "render", "*.py"),
        (_PACKAGE / "merge", "*.py"),
        (_PACKAGE / "plan", "*.py"),
        (_PACKAGE / "recipes", "*.py"),
        (_PACKAGE / "spec", "*.*"),
        (templates / "runtime", "**/*.py"),
        (templates / "testing", "**/*.py"),
    ):
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
