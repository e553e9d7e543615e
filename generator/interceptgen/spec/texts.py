"""Rules for texts of the spec: descriptions, references, environment names."""

import keyword
import re
import unicodedata
from typing import Final

from interceptgen.spec.problem import Problem, shown

__all__ = [
    "ENV_PATTERN",
    "LONGEST_DESCRIPTION",
    "REFERENCE_PATTERN",
    "description_problem",
    "empty_text_problem",
    "env_name_problem",
    "reference_problem",
]

ENV_PATTERN: Final = r"^[A-Z_][A-Z0-9_]*$"
"""What a shell and every container platform accept."""

REFERENCE_PATTERN: Final = (
    r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*:[A-Za-z_][A-Za-z0-9_]*$"
)
"""`module:attribute`, in ASCII: Python would fold other letters silently."""

LONGEST_DESCRIPTION: Final = 2000
_LONGEST_REFERENCE: Final = 200
_ENV: Final = re.compile(ENV_PATTERN.removesuffix("$") + r"\Z")
_REFERENCE: Final = re.compile(REFERENCE_PATTERN.removesuffix("$") + r"\Z")

_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Zl", "Zp"})
# Zero-width space, byte order mark and what turns the reading direction: a
# reader of the generated docstring would see another text than Python does.
_UNSEEN: Final = frozenset("\u200b\ufeff\u200e\u200f") | {
    chr(point)
    for first, last in ((0x202A, 0x202E), (0x2066, 0x2069))
    for point in range(first, last + 1)
}


def description_problem(text: str) -> Problem | None:
    """Judge a description: it becomes docstrings, comments and card text."""
    return _text_problem(text, "the description", "say in one sentence what it does")


def empty_text_problem(text: str) -> Problem | None:
    """Judge the text that stands in for an empty result."""
    return _text_problem(text, "'empty_text'", "say what the caller is to read")


def _text_problem(text: str, label: str, hint: str) -> Problem | None:
    if not text.strip():
        return Problem(code="E091", message=f"{label} is empty", hint=hint)
    if len(text) > LONGEST_DESCRIPTION:
        message = f"{label} has {len(text)} characters"
        return Problem(
            code="E092",
            message=message,
            hint=f"at most {LONGEST_DESCRIPTION}",
        )
    for character in text:
        if _is_unseen(character):
            message = f"{label} holds the character U+{ord(character):04X}"
            hint = "only visible characters, spaces and line breaks"
            return Problem(code="E090", message=message, hint=hint)
    return None


def env_name_problem(name: str) -> Problem | None:
    """Judge the name of an environment variable."""
    if _ENV.match(name):
        return None
    folded = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")
    return Problem(
        code="E052",
        message=f"{shown(name)} is no name of an environment variable"
        " (A-Z, 0-9 and _, no digit first)",
        hint=f"did you mean {folded!r}?" if _ENV.match(folded) else "",
    )


def reference_problem(text: str) -> Problem | None:
    """Judge a `module:attribute` reference."""
    if "/" in text or "\\" in text or ".." in text or text.startswith("."):
        message = f"{shown(text)} is a file path, and may leave the project"
        hint = "write module:attribute, such as orders.agent:root_agent"
        return Problem(code="E071", message=message, hint=hint)
    if len(text) > _LONGEST_REFERENCE or not _REFERENCE.match(text):
        message = f"{shown(text)} is not of the form module:attribute"
        return Problem(code="E070", message=message, hint=_reference_hint(text))
    for part in re.split(r"[.:]", text):
        if keyword.iskeyword(part):
            message = f"{shown(text)} holds the keyword {part!r}"
            return Problem(code="E070", message=message, hint="rename the module")
    return None


def _reference_hint(text: str) -> str:
    module, dot, attribute = text.rpartition(".")
    proposal = f"{module}:{attribute}"
    if ":" not in text and dot and _REFERENCE.match(proposal):
        return f"did you mean {proposal!r}?"
    return "such as orders.agent:root_agent"


def _is_unseen(character: str) -> bool:
    if character == "\n":
        return False
    category = unicodedata.category(character)
    return category in _UNSEEN_CATEGORIES or character in _UNSEEN
