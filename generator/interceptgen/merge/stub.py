"""An emitted method's text: its hash, and how it looks in a host file.

A host may indent by tabs or by two spaces and end its lines in CRLF; the
same stub has the same hash in each.
"""

import re
from collections.abc import Iterator
from hashlib import sha256

__all__ = ["host_lines", "stub_hash"]

_LINE_END = re.compile(r"\r\n|\r|\n")


def stub_hash(text: str) -> str:
    """Hash a method's source, whatever its host's line ends and indentation.

    Args:
        text: The whole method as it stands in a class, its first line's
            indentation included.

    Returns:
        SHA-256 in hexadecimal. Two texts share it only if they differ in line
        ends, final newlines or the indentation unit.
    """
    told = "".join(f"{depth} {rest}\n" for depth, rest in _measured(text))
    return sha256(told.encode()).hexdigest()


def host_lines(text: str, unit: str) -> tuple[str, ...]:
    """Give a stub's lines in a host's indentation.

    Args:
        text: The stub as emitted.
        unit: The indentation of the host class's body.

    Returns:
        The lines without their ends; none has trailing blanks it was not
        emitted with.
    """
    return tuple(unit * depth + rest if rest else "" for depth, rest in _measured(text))


def _measured(text: str) -> Iterator[tuple[int, str]]:
    """Split each line into its depth in units and the rest."""
    lines = _LINE_END.split(text)
    while lines and not lines[-1]:
        lines.pop()
    unit = text[: len(text) - len(text.lstrip(" \t"))]
    for line in lines:
        depth = 0
        while unit and line.startswith(unit, depth * len(unit)):
            depth += 1
        yield depth, line[depth * len(unit) :]
