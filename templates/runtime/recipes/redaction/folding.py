"""Text as patterns see it: without the many ways to write one character.

Full-width digits are digits, a dash of any length is a hyphen, and what doesn't
show (joiners, combining marks) isn't there. Each byte knows where it came from.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property, lru_cache, partial

__all__ = ["MOST_UNSEEN", "Folded", "fold", "form_of"]

MOST_UNSEEN = 3
"""How many characters in a row that don't show are passed over; more are a break."""

_LATER_BYTE = 0b10
_BREAK = "\x00"
_UNSEEN = frozenset({"Mn", "Me", "Cf"})
# Letters by their category, but blank by their form.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")


class Folded:
    """A text, folded, in UTF-8, with the way back.

    Attributes:
        data: The folded text.
    """

    def __init__(
        self, text: str, data: bytes, origins: Callable[[], list[int]] | None
    ) -> None:
        """Keep the text, its folded form, and where each byte came from.

        Args:
            text: The text.
            data: Its folded form.
            origins: Gives for each byte the index of its character; None where one
                character is one byte.
        """
        self.data = data
        self._length = len(text)
        self._is_bytes = origins is None
        self._make = origins

    @cached_property
    def _origins(self) -> list[int]:
        return self._make() if self._make else []

    def origin(self, position: int) -> int:
        """Give the index in the text of the character that a byte came from."""
        if position >= len(self.data):
            return self._length
        return position if self._is_bytes else self._origins[position]

    def down(self, position: int) -> int:
        """Give the first byte of the character that this byte came from."""
        if self._is_bytes or position >= len(self.data):
            return position
        return bisect_left(self._origins, self._origins[position])

    def up(self, position: int) -> int:
        """Give the first byte of the next character, if this isn't a first byte."""
        if self.down(position) == position:
            return position
        return bisect_left(self._origins, self.origin(position) + 1)

    def before_last(self, characters: int) -> int:
        """Give the position that has that many folded characters after it."""
        position = len(self.data)
        if self._is_bytes:
            return max(0, position - characters)
        while characters and position:
            position -= 1
            characters -= not _continues(self.data[position])
        return position

    def unseen_before(self, position: int) -> int:
        """Give how many characters that don't show came right before this byte.

        A run of them ends before what shows, so only a break can follow some.
        """
        is_break = self.data[position : position + 1] == _BREAK.encode()
        return MOST_UNSEEN if is_break else 0


def fold(text: str, unseen: int = 0) -> Folded:
    """Fold a text.

    Args:
        text: The text.
        unseen: How many characters that don't show came right before it.
    """
    if text.isascii():
        return Folded(text, text.encode(), None)
    forms = {ord(each): form_of(each) for each in set(text)}
    if all(len(form) == 1 for form in forms.values()):
        folded = text.translate(forms)
        return Folded(text, folded.encode(), partial(_origins, folded))
    data = bytearray()
    origins: list[int] = []
    for index, character in enumerate(text):
        form = forms[ord(character)]
        unseen = 0 if form else unseen + 1
        encoded = (_BREAK if unseen > MOST_UNSEEN else form).encode()
        data += encoded
        origins += [index] * len(encoded)
    return Folded(text, bytes(data), lambda: origins)


def _origins(text: str) -> list[int]:
    return [index for index, each in enumerate(text) for _ in each.encode()]


def _continues(byte: int) -> bool:
    """Tell whether a byte is the second or a later one of a character."""
    return byte >> 6 == _LATER_BYTE


@lru_cache(maxsize=4096)
def form_of(character: str) -> str:
    """Give what a character is folded to; nothing for one that doesn't show."""
    category = unicodedata.category(character)
    if category in _UNSEEN or character in _FILLERS:
        return ""
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(character))
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1:
        return folded
    return "".join(each for each in folded if unicodedata.category(each) not in _UNSEEN)
