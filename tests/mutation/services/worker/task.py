"""A fault to try, and what is answered."""

import json
import os
from typing import NamedTuple

__all__ = ["KILLED", "LIVED", "SAME", "UNREACHED", "Task", "answer"]

LIVED, KILLED, UNREACHED, SAME = "lived", "killed", "unreached", "same"
"""`SAME` is no fault at all: Python makes the same of both texts."""
_ANSWERS = os.dup(1)
"""Where answers go, whatever the tests print."""


class Task(NamedTuple):
    """A fault to try.

    Attributes:
        number: What the answer names it by.
        path: The module's file.
        lines: The first line of the statement with the fault, and the one after it.
        text: The whole module with the fault.
    """

    number: int
    path: str
    lines: tuple[int, int]
    text: str


def answer(number: int, verdict: str) -> None:
    """Tell what became of a fault."""
    os.write(_ANSWERS, (json.dumps([number, verdict]) + "\n").encode())
