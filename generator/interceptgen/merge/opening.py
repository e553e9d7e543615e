"""Open a class body that stands on the line of its class.

`class Tone(contract.Hooks): pass` has no place for a method. The body goes to
a line of its own by an insertion alone, behind the colon: the blanks that
were there become the end of the indentation.
"""

from interceptgen.merge.locate import ClassBody, locate
from interceptgen.merge.outcome import Unseen
from interceptgen.merge.source import Line, joined

__all__ = ["opened"]


def opened(body: ClassBody, class_name: str) -> ClassBody:
    """Give a class with its body on a line of its own.

    Args:
        body: The class.
        class_name: Its name.

    Returns:
        The class in the new file; as it was, if its body is not on its line or
        can't be moved by an insertion alone.
    """
    source, place = body.tree.source, body.one_line
    if place is None or not body.indent.endswith(place.space):
        return body
    line = source.lines[place.line]
    tail = source.bytes_of(place.tail)
    # Where the bytes are not the text's own, this is no Python any more.
    head = line.content.removesuffix(tail)
    indent = body.indent.removesuffix(place.space).encode()
    data = joined(
        [
            *source.lines[: place.line],
            Line(content=head, end=line.end or source.newline),
            Line(content=indent + tail, end=line.end),
            *source.lines[place.line + 1 :],
        ]
    )
    found = locate(data, class_name)
    return body if isinstance(found, Unseen) else found
