"""What stands in the place of a secret."""

import hashlib
import hmac
from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Covered", "Mask", "MaskKind"]

MaskKind: TypeAlias = Literal["fixed", "keep_last", "hash"]

_SHORTEST_KEY = 16


@dataclass(frozen=True, kw_only=True)
class Mask:
    """How secrets are masked.

    Attributes:
        kind: With a fixed text, with what it ends in, or with a keyed hash by
            which one secret can be told from another.
        text: The fixed text; `{entity}` in it is the entity's name.
        keep: How many characters of its end are kept.
        key: The key of the hash.

    Raises:
        ValueError: If a hash has no key, or a short one, or nothing is kept.
    """

    kind: MaskKind = "fixed"
    text: str = "[{entity}]"
    keep: int = 4
    key: str = ""

    def __post_init__(self) -> None:
        if self.kind == "hash" and len(self.key) < _SHORTEST_KEY:
            raise ValueError(f"a key for hashes has {_SHORTEST_KEY} characters or more")
        if self.kind == "keep_last" and self.keep < 1:
            raise ValueError("keep is above zero")

    def cover(self, name: str) -> "Covered":
        """Begin to mask an entity."""
        return Covered(self, name)


class Covered:
    """A secret while it is read; of its text it keeps what the mask needs."""

    def __init__(self, mask: Mask, name: str) -> None:
        """Begin without text."""
        self._mask, self._name = mask, name
        self._length = 0
        self._last: deque[str] = deque(maxlen=mask.keep)
        self._hash = hmac.new(mask.key.encode(), name.encode(), hashlib.sha256)

    def take(self, text: str) -> None:
        """Take more of its text."""
        if self._mask.kind == "hash":
            self._hash.update(text.encode())
        elif self._mask.kind == "keep_last":
            self._length += len(text)
            self._last.extend(text)

    def masked(self) -> str:
        """Give what stands in its place.

        Of a secret that isn't three times as long as what is kept, nothing is.
        """
        name = f"{self._name}:{self._hash.hexdigest()[:10]}"
        match self._mask.kind:
            case "hash":
                return f"[{name}]"
            case "keep_last" if self._length >= 3 * self._mask.keep:
                return f"****{''.join(self._last)}"
            case "keep_last":
                return "****"
            case _:
                return self._mask.text.replace("{entity}", self._name)
