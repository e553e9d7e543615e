"""Make sure that an edited file says what the edit meant."""

from collections.abc import Iterable, Sequence

from interceptgen.merge.locate import ClassBody, Member, locate
from interceptgen.merge.outcome import Unseen
from interceptgen.merge.source import joined, stays_valid

__all__ = ["reread"]


def reread(
    data: bytes, class_name: str, meant: Sequence[Member], before: ClassBody
) -> ClassBody | Unseen:
    """Parse an edited file anew: the same statements on the same lines, and valid.

    Args:
        data: The file after the edit.
        class_name: The class's name after the edit.
        meant: The statements of the class, where they should stand.
        before: The class as it was.

    Returns:
        The class as it is now, or that the edit can't be relied on.
    """
    found = locate(data, class_name)
    if (
        isinstance(found, Unseen)
        or _places(found.members) != _places(meant)
        or not stays_valid(joined(before.tree.source.lines), data)
    ):
        return Unseen(reason="the edit would not read back", line=before.line + 1)
    return found


def _places(members: Iterable[Member]) -> list[tuple[str, int, int]]:
    return [(part.name, part.span.start, part.span.end) for part in members]
