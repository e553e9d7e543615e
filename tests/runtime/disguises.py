"""Other ways to write a secret, and nested data to hide it in."""

from collections.abc import Sequence

from hypothesis import strategies as st
from tests.runtime.secret_texts import FOUND

from runtime.recipes.redaction.folding import MOST_UNSEEN, fold

__all__ = ["CLEAN_JSON", "SIZES", "chunks", "disguised", "nested", "plainly"]

_SECRETS: tuple[str, ...] = tuple(text for texts in FOUND.values() for text in texts)

# What NFKC makes a letter, a digit or a sign of ASCII of; a block begins with 0, A, a.
_DIGITS = (0xFF10, 0x0660, 0x06F0, 0x0966, 0x1D7CE, 0x1D7D8, 0x1FBF0)
_CAPITALS = (0xFF21, 0x1D400, 0x1D5A0, 0x1D670)
_SMALL = (0xFF41, 0x1D41A, 0x1D5BA, 0x1D68A)
_SIGNS = {
    "@": "\uff20\ufe6b",
    ".": "\uff0e\ufe52",
    ":": "\uff1a\ufe55",
    "/": "\uff0f",
    "+": "\uff0b\ufe62",
    "_": "\uff3f\ufe4d",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\uff0d\ufe58\u058a\u301c",
    " ": "\u00a0\u2002\u2009\u202f\u205f\u3000",
}
# Joiners, marks of direction, soft hyphens, combining marks, fillers, selectors.
_UNSEEN = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202e\u2066\u180e"
    "\u0301\u0327\u0338\u034f\u0489\u20dd\u0591\u3099\u115f\u3164\uffa0\ufe0f\U000e0061"
)


def _ways(character: str) -> Sequence[str]:
    """Give all ways to write a character, itself first."""
    ways = character + _SIGNS.get(character, "")
    for first, blocks in (("0", _DIGITS), ("A", _CAPITALS), ("a", _SMALL)):
        offset = ord(character) - ord(first)
        if character.isascii() and 0 <= offset < (10 if first == "0" else 26):
            ways += "".join(chr(block + offset) for block in blocks)
    return ways


@st.composite
def disguised(draw: st.DrawFn) -> str:
    """Write some secret another way, with what doesn't show in between."""
    secret = draw(st.sampled_from(_SECRETS))
    unseen = st.text(_UNSEEN, max_size=MOST_UNSEEN if draw(st.booleans()) else 0)
    first, *others = (draw(st.sampled_from(_ways(each))) for each in secret)
    return first + "".join(draw(unseen) + each for each in others)


_NAMES = st.text("ab \u0301\uff42", max_size=3)
_LEAVES = st.none() | st.booleans() | st.integers(0, 999) | st.text("abß", max_size=5)
CLEAN_JSON: st.SearchStrategy[object] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner),
)


@st.composite
def nested(draw: st.DrawFn, text: str) -> object:
    """Put a text somewhere into data, as a value or as a key."""
    node: object = draw(st.sampled_from([text, {text: 1}, [text]]))
    for _ in range(draw(st.integers(0, 12))):
        beside, name = draw(CLEAN_JSON), draw(_NAMES)
        node = draw(
            st.sampled_from(
                [{name: node, "l": beside}, [beside, node], {"k": [node]}, [[node]]]
            )
        )
    return node


def chunks(text: str, sizes: Sequence[int]) -> list[str]:
    """Cut a text in chunks of these sizes, again and again."""
    given: list[str] = []
    while text:
        for size in sizes:
            given.append(text[:size])
            text = text[size:]
        given.append(text[:1])
        text = text[1:]
    return given


SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=6)


def plainly(text: str) -> str:
    """Write a text as it is read: another way to write it is the same."""
    return fold(text).data.decode()
