"""What the generator produces: whole files, each with one owner.

Values only; nothing here reads or writes a disk.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["GrownModule", "Owner", "SourceFile", "Stub"]


class Owner(StrEnum):
    """Who may write a file after its first run."""

    TOOL = "tool"
    """The tool: rewritten at each run, never edited by hand."""
    GROWN = "grown"
    """The user: created once, then only gains what the spec adds."""
    SEEDED = "seeded"
    """The user: created once, never touched again."""
    FORKED = "forked"
    """The user: a tool's file that was handed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """One emitted method of a grown class.

    Attributes:
        name: The method's name, one of ADK's hooks.
        text: The whole method as it stands in the class: indented by four
            spaces, LF line ends, a final newline.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownModule:
    """The class of a grown file and its methods in the spec's order."""

    class_name: str
    stubs: tuple[Stub, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file of the service.

    Attributes:
        path: POSIX path relative to the project root.
        text: The whole text, LF line ends.
        owner: Who may write it after the first run.
        item: The spec item it comes from, such as `interceptors.house_style`.
        grown: The class and its methods, for `Owner.GROWN` only.
    """

    path: str
    text: str
    owner: Owner
    item: str
    grown: GrownModule | None = None
