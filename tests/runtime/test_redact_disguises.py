"""No way to write a secret, to cut it or to nest it lets it out."""

import json
from collections.abc import Sequence
from copy import deepcopy

import pytest
from a2a.types import Part, TaskArtifactUpdateEvent
from google.protobuf.json_format import MessageToDict
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.runtime.disguises import (
    CLEAN_JSON,
    SIZES,
    chunks,
    disguised,
    nested,
    plainly,
)
from tests.runtime.redacting import COMPLETED, artifact, data_part, sent, struct, texts
from tests.runtime.secret_texts import ALL, SCANNER, redacted

from runtime.recipes.redaction.entities import ENTITIES
from runtime.recipes.redaction.file_texts import file_rewriter
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.quick_look import QuickLook
from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.text_stream import TextStream
from runtime.recipes.redaction.walking import Walker
from runtime.recipes.redaction.whole_text import WholeText
from runtime.seams.protocols import Outgoing

REDACT = Redact(entities=ALL)
QUICK = QuickLook([form.pattern for forms in ENTITIES.values() for form in forms])
WHOLE = WholeText(SCANNER, Mask())
WALKER = Walker(WHOLE.redact, file_rewriter(WHOLE.redact, "drop"))
AROUND = st.text("abc é\n", max_size=200)


def told(left: Sequence[Outgoing]) -> str:
    """Give all that leaves, as it is read."""
    said = [MessageToDict(each) for each in left]
    return plainly(json.dumps(said, ensure_ascii=False))


def is_masked(given: str, before: str, after: str) -> bool:
    """Tell whether one mask stands between the two, and no more."""
    mask = given.removeprefix(before).removesuffix(after)
    return given == before + mask + after and mask.strip("[]").isidentifier()


@settings(deadline=None, max_examples=100)
@given(secret=disguised(), before=AROUND, after=AROUND)
def test_in_a_text(secret: str, before: str, after: str) -> None:
    before, after = before + " ", ". " + after
    assert is_masked(redacted(before + secret + after), before, after)


@settings(deadline=None, max_examples=100)
@given(secret=disguised(), before=AROUND, after=AROUND, sizes=SIZES)
def test_in_chunks(secret: str, before: str, after: str, sizes: list[int]) -> None:
    before, after = before + " ", ". " + after
    stream = TextStream(SCANNER, Mask())
    parts = [stream.take(chunk) for chunk in chunks(before + secret + after, sizes)]
    parts.append(stream.take("", is_last=True))
    assert is_masked("".join(parts), before, after)


@settings(deadline=None, max_examples=100)
@given(secret=disguised(), sizes=SIZES, is_whole=st.booleans())
def test_in_parts_and_updates(secret: str, sizes: list[int], *, is_whole: bool) -> None:
    """As one artifact in parts, or as one that goes on in updates."""
    pieces = chunks(f"a {secret}. b", sizes)
    updates = [artifact(*pieces)]
    if not is_whole:
        updates = [
            artifact(piece, append=bool(index), last=False)
            for index, piece in enumerate(pieces)
        ]
    left = sent(*updates, COMPLETED, redact=REDACT)
    assert is_masked("".join(text for e in left for text in texts(e)), "a ", ". b")


@settings(deadline=None, max_examples=100)
@given(data=st.data(), secret=disguised())
def test_in_nested_data(data: st.DataObject, secret: str) -> None:
    """In data, in metadata, in a file that is JSON, one of them or all."""
    node = data.draw(nested(secret))
    file = json.dumps(node, ensure_ascii=data.draw(st.booleans())).encode()
    part = Part(text="a", metadata=struct(x=node))
    event = artifact(
        *data.draw(st.lists(st.sampled_from([data_part(node), part, _json(file)]))),
        last=data.draw(st.booleans()),
    )
    if data.draw(st.booleans()):
        event.artifact.metadata.CopyFrom(struct(x=node))
    left = sent(event, COMPLETED, redact=REDACT)
    raw = [
        part.raw.decode()
        for each in left
        if isinstance(each, TaskArtifactUpdateEvent)
        for part in each.artifact.parts
    ]
    for given_ in (told(left), *map(plainly, raw), *map(_decoded, raw)):
        assert json.dumps(plainly(secret), ensure_ascii=False)[1:-1] not in given_


def _json(content: bytes) -> Part:
    return Part(raw=content, media_type="application/json")


def _decoded(text: str) -> str:
    return plainly(json.dumps(json.loads(text), ensure_ascii=False)) if text else ""


# Many that need a second look, and some that hold a secret.
PARTS = st.one_of(
    st.text("abc12 -\u2013\u2026\u200d\uff11é😀", max_size=20),
    disguised(),
    st.text(),
).map(lambda text: text.encode(errors="ignore").decode())
NUMBERS = st.sampled_from([4111111111111111, 36574261809, 12.5, -1, 2**53, 1e300])


@settings(deadline=None, max_examples=150)
@given(
    pieces=st.lists(PARTS | CLEAN_JSON | NUMBERS, max_size=4),
    metadata=PARTS | CLEAN_JSON | NUMBERS,
)
@example(pieces=["4111 1111", " 1111 1111"], metadata=None)
@example(pieces=["4111\u20131111\u20131111\u20131111"], metadata=None)
@example(pieces=[[4111111111111111]], metadata=None)
@example(pieces=[], metadata={"n": 4111111111111111})
@example(pieces=["4111\u200d\u200d\u200d11111111\u200d1111"], metadata=None)
def test_the_quick_look_clears_no_secret(
    pieces: list[object], metadata: object
) -> None:
    parts = [Part(text=p) if isinstance(p, str) else data_part(p) for p in pieces]
    event = artifact(*parts)
    event.artifact.metadata.CopyFrom(struct(x=metadata))
    if QUICK.clears(event):
        changed = deepcopy(event)
        WALKER.walk(changed, WHOLE.redact_parts)
        assert changed == event


@pytest.mark.parametrize(
    "text", ["plain", "a \u2013 b … c", "été 😀 • x", "12 of 345", "two\u200d"]
)
def test_the_quick_look_clears_what_is_common(text: str) -> None:
    """It wouldn't be worth having if it didn't."""
    event = artifact(text, data_part({"n": 12.5, "m": [3]}), "and more")
    event.artifact.metadata.update({"tokens": 1234})
    assert QUICK.clears(event)
    (left,) = sent(event, redact=REDACT)
    assert left is event


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("a[^b]", "a\u200d\u200d\u200d\u200db"),  # more than a few are a break
        ("a\u3099b", "a\uff9eb \u3099"),  # what one is folded to is itself folded
    ],
)
def test_the_quick_look_folds_as_the_others_do(pattern: str, text: str) -> None:
    assert not QuickLook([pattern]).clears(artifact(text))
