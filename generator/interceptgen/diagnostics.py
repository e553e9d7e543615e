"""Problems of the input as values: code, place, message, way out.

Every stage reports through these; the codes are data, so that the
documentation can be tested against them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from interceptgen.errors import UserError

__all__ = ["CODES", "Diagnostic", "SpecError"]

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "E001": "not YAML",
        "E002": "unknown key",
        "E003": "unknown hook",
        "E004": "missing key",
        "E005": "wrong type",
        "E006": "unknown value",
        "E007": "number out of range",
        "E010": "file is not UTF-8",
        "E011": "file over 1 MiB",
        "E012": "file is empty",
        "E013": "top level is not a mapping",
        "E014": "anchor or alias",
        "E015": "key given twice",
        "E016": "more than one document",
        "E017": "YAML tag",
        "E018": "nested too deep",
        "E019": "key that is not plain text",
        "E020": "version missing",
        "E021": "version too old",
        "E022": "version too new",
        "E030": "name is not snake_case",
        "E031": "name is a keyword",
        "E032": "name hides a standard module",
        "E033": "name is reserved",
        "E034": "name starts with an underscore",
        "E035": "name too long",
        "E036": "name given twice",
        "E037": "two names, one class",
        "E038": "old name is still in use",
        "E039": "old name given twice",
        "E040": "hook given twice",
        "E041": "no hook",
        "E042": "neither recipe nor hooks",
        "E043": "recipe and hooks together",
        "E044": "unknown recipe",
        "E045": "'with' without a recipe",
        "E046": "recipe used twice",
        "E047": "two recipes that settle who calls",
        "E048": "promise that can't be kept here",
        "E049": "state key set twice",
        "E050": "default does not fit its type",
        "E051": "number is not finite",
        "E052": "bad environment name",
        "E053": "environment name with two types",
        "E054": "environment name of the service itself",
        "E055": "state that is not a value",
        "E056": "value that a recipe can't use",
        "E060": "both implementations pinned",
        "E061": "converter that is never called",
        "E062": "text that is never sent",
        "E070": "bad reference",
        "E071": "reference is a file path",
        "E080": "bad host",
        "E081": "bad path",
        "E082": "bad public address",
        "E090": "character that is not allowed",
        "E091": "text is empty",
        "E092": "text too long",
    },
)
"""Every code with its short title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem of an input file.

    Attributes:
        path: The file's label as the user knows it.
        line: Line, from 1.
        column: Column in characters, from 1.
        code: A key of `CODES`.
        message: What is wrong, in one line.
        hint: The way out, or nothing.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """Give the line that a person or an editor reads."""
        told = f"{self.message}; {self.hint}" if self.hint else self.message
        return f"{self.path}:{self.line}:{self.column}: {self.code} {told}"


class SpecError(UserError):
    """The input can't be used; carries every problem found in it."""

    diagnostics: tuple[Diagnostic, ...]
    """Sorted by place and code, each once."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take the problems in any order, repeated or not."""
        self.diagnostics = tuple(sorted(set(diagnostics), key=_order))
        super().__init__("\n".join(map(str, self.diagnostics)))


def _order(found: Diagnostic) -> tuple[str, int, int, str, str, str]:
    return (
        found.path,
        found.line,
        found.column,
        found.code,
        found.message,
        found.hint,
    )
