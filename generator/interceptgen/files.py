"""What the generator produces: whole files, each with one owner.

Values only; nothing here reads or writes a disk.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Former", "GrownModule", "Owner", "SourceFile", "Stub"]


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
class Former:
    """Where a file of the user's stood when its interceptor had another name.

    Attributes:
        path: POSIX path relative to the project root.
        package: The service's package.
        old_module: The interceptor's old name.
        new_module: Its name now.
        old_class: The old class.
        new_class: The class now.
    """

    path: str
    package: str
    old_module: str
    new_module: str
    old_class: str
    new_class: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file of the service.

    Attributes:
        path: POSIX path relative to the project root.
        text: The whole text, LF line ends.
        owner: Who may write it after the first run.
        item: The spec item it comes from, such as `interceptors.house_style`.
        grown: The class and its methods, for `Owner.GROWN` only.
        former: Where it may stand under an earlier name, the latest last.
    """

    path: str
    text: str
    owner: Owner
    item: str
    grown: GrownModule | None = None
    former: tuple[Former, ...] = ()
