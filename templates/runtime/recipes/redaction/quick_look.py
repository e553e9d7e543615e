"""Tells by one search of an event's bytes that no secret can be in it."""

import re
import struct
from collections.abc import Mapping, Sequence

from a2a.types import Part

from .bounded_pattern import compiled, relaxed, without_boundaries
from .folding import MOST_UNSEEN, form_of
from .held_texts import Update, holder_of
from .walking import number_text

__all__ = ["PLAIN", "QuickLook"]

# Characters that are folded to themselves, so that a text of them needs no folding.
PLAIN = (
    r"\x00-\x7f\x{a1}-\x{a7}\x{bf}-\x{131}\x{391}-\x{3a1}\x{3a3}-\x{3c9}"
    r"\x{400}-\x{481}\x{2018}-\x{201f}\x{20ac}\x{3041}-\x{3096}\x{4e00}-\x{9fff}"
)
_ASCII = bytes(range(0x80))
# How a number in data begins, in protobuf's form, and the eight bytes after that.
_PACKED = b"\x09\x11"
_NUMBER = r"\x09\x11"
_NUMBERS = re.compile(rb"\x09\x11(?=(.{8}))", re.DOTALL)


class QuickLook:
    """Looks for whatever might be a secret, in all of an event at once.

    The bytes around a text say nothing about it, so boundaries and check digits are
    left out: it finds too much, and never too little.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        """Look for these, in the syntax of RE2."""
        loose = [relaxed(without_boundaries(each)) for each in patterns]
        forms = "|".join(f"(?:{each})" for each in loose)
        self._forms = compiled(forms)
        self._forms_or_more = compiled(f"{forms}|{_NUMBER}|[^{PLAIN}]")

    def clears(self, event: Update) -> bool:
        """Tell that nothing can be in it; of a file that can't be told."""
        parts = holder_of(event).parts
        if any(map(_is_file, parts)):
            return False
        data = event.SerializeToString()
        if len(parts) > 1:
            # Readers join texts; the zero ends what the event's last bytes begin.
            data += b"\0" + "".join(part.text for part in parts).encode()
        found = self._forms_or_more.search(data)
        if found is None:
            return True
        begun = data[found.start() : found.end()]
        if begun.isascii() and begun != _PACKED:
            # It has a form as it stands: ids often do, where one looks for an IBAN.
            return False
        return self._clears_folded(data) and self._clears_numbers(data)

    def _clears_folded(self, data: bytes) -> bool:
        folded = _folded(data)
        return folded is not None and self._forms.search(folded) is None

    def _clears_numbers(self, data: bytes) -> bool:
        texts = map(_number_text, _NUMBERS.findall(data))
        return self._forms.search("\0".join(texts).encode()) is None


def _is_file(part: Part) -> bool:
    return part.WhichOneof("content") not in ("text", "data")


def _folded(data: bytes) -> bytes | None:
    """Fold texts as `fold` does; None where that depends on the order of things."""
    forms: dict[str, str] = {}
    unseen = 0
    # Bytes that are no text are ignored; none of them can join what begins a text.
    for each in set(data.translate(None, _ASCII).decode(errors="ignore")):
        form = form_of(each)
        if form != each:
            forms[each] = form
            unseen += 0 if form else data.count(each.encode())
    if unseen > MOST_UNSEEN or _repeats(forms):
        return None
    for each, form in forms.items():
        data = data.replace(each.encode(), form.encode())
    return data


def _repeats(forms: Mapping[str, str]) -> bool:
    """Tell whether something is folded to what is folded itself."""
    return any(each in forms for form in forms.values() for each in form)


def _number_text(packed: bytes) -> str:
    number: float
    (number,) = struct.unpack("<d", packed)
    return number_text(number)
