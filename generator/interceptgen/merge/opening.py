"""Open a class body that stands on the line of its class.

`class Tone(contract.Hooks): pass` has no place for a method. The body goes to
a line of its own by an insertion alone, behind the colon: the blanks that
were there become the end of the indentation.
"""

from interceptgen.merge.locate import ClassBody
from interceptgen.merge.source import Line, Source, joined

__all__ = ["opened"]


def opened(source: Source, body: ClassBody) -> bytes | None:
    """Give the file with the class's body on a line of its own.

    Args:
        source: The file.
        body: Its class.

    Returns:
        The new file; None if the body is not on the class's line, or if its
        blanks can't become part of an indentation.
    """
    place = body.one_line
    if place is None or not body.indent.endswith(place.space):
        return None
    line = source.lines[place.line]
    tail = source.bytes_of(place.tail)
    if not line.content.endswith(tail):
        return None
    head = line.content.removesuffix(tail)
    indent = body.indent.removesuffix(place.space).encode()
    return joined(
        [
            *source.lines[: place.line],
            Line(content=head, end=line.end or source.newline),
            Line(content=indent + tail, end=line.end),
            *source.lines[place.line + 1 :],
        ]
    )
