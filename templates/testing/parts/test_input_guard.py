"""What a message may hold is said, and what may not is refused before a task."""

from collections.abc import Mapping, Sequence

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Part, Role, SendMessageRequest
from a2a.utils.errors import ContentTypeNotSupportedError, InvalidRequestError
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct, Value

from runtime.recipes.inbound.input_guard import InputGuard
from runtime.seams.rejection import Rejected

pytestmark = pytest.mark.anyio

RAW = Part(raw=b"1234", media_type="image/png")
URL = Part(url="https://files.example/a", media_type="text/plain")
DATA: Part = ParseDict({"data": {"key": ["inside", 1]}}, Part())
NAN = Value(number_value=float("nan"))
NOT_JSON = (Part(data=NAN), Part(text="a", metadata=Struct(fields={"a": NAN})))


def sent(
    *parts: Part,
    request: Mapping[str, str] | None = None,
    message: Mapping[str, str] | None = None,
) -> RequestContext:
    """Make a message of parts, with metadata of its own and of its request."""
    made = SendMessageRequest(
        message=Message(message_id="m", role=Role.ROLE_USER, parts=parts)
    )
    made.metadata.update(request or {})
    made.message.metadata.update(message or {})
    return RequestContext(ServerCallContext(), made)


async def refusal(guard: InputGuard, context: RequestContext) -> Rejected | None:
    """Give how a message is refused, if it is."""
    try:
        assert await guard.before_agent(context) is context
    except Rejected as refused:
        return refused
    return None


async def told(guard: InputGuard, *parts: Part) -> tuple[str, str] | None:
    """Give why a message is refused, for programs and for people."""
    refused = await refusal(guard, sent(*parts))
    return None if refused is None else (refused.reason, str(refused))


async def test_an_ordinary_message_is_let_in() -> None:
    """So is a context without a message, and a file that is sent along."""
    bare = RequestContext(ServerCallContext(), task_id="t", context_id="c")

    assert await refusal(InputGuard(), bare) is None
    assert await told(InputGuard(), Part(text="hello"), DATA, RAW) is None


@pytest.mark.parametrize(
    ("guard", "parts", "why"),
    [
        (InputGuard(), 100, None),
        (InputGuard(), 101, ("too_many_parts", "at most 100 parts")),
        (InputGuard(max_parts=1), 1, None),
        (InputGuard(max_parts=1), 2, ("too_many_parts", "at most 1 parts")),
    ],
    ids=range(4),
)
async def test_parts_are_counted(
    guard: InputGuard, parts: int, why: tuple[str, str] | None
) -> None:
    """As many as may are let in."""
    assert await told(guard, *[Part(text="a")] * parts) == why


@pytest.mark.parametrize("size", [1_000_000, 17])
async def test_bytes_are_counted(size: int) -> None:
    """Those of all parts together; the limit has its default."""
    guard = InputGuard() if size == 1_000_000 else InputGuard(max_bytes=size)
    half = Part(text="a" * (size // 2))
    rest = Part(raw=b"a" * (size - size // 2))

    assert await told(guard, half, rest) is None
    why = ("too_large", f"at most {size} bytes")
    assert await told(guard, half, rest, Part(text="a")) == why


@pytest.mark.parametrize("where", ["request", "message"])
async def test_metadata_are_counted_too(where: str) -> None:
    """As the JSON that they are written in."""
    metadata = {"request": {}, "message": {}, where: {"a": "b"}}
    context = sent(
        Part(text="1"), request=metadata["request"], message=metadata["message"]
    )

    assert await refusal(InputGuard(max_bytes=10), context) is None
    refused = await refusal(InputGuard(max_bytes=9), context)
    assert refused
    assert refused.reason == "too_large"


@pytest.mark.parametrize("part", [Part(), *NOT_JSON], ids=range(3))
async def test_a_part_that_cannot_be_read_is_refused(part: Part) -> None:
    """Rather than let through unseen."""
    assert await told(InputGuard(), part) == (
        "unsupported_part",
        "a part can't be read",
    )


@pytest.mark.parametrize(
    ("request_has", "message_has", "missing"),
    [
        ({"a": "1", "b": "1"}, {}, None),
        ({}, {"a": "1", "b": "1"}, None),
        ({"a": "1"}, {"b": "1"}, None),
        ({"a": "1"}, {"c": "1"}, "b"),
        ({}, {"b": "1"}, "a"),
    ],
    ids=range(5),
)
async def test_metadata_that_must_be_there(
    request_has: Mapping[str, str], message_has: Mapping[str, str], missing: str | None
) -> None:
    """Of the request or of the message."""
    guard = InputGuard(required_metadata=("a", "b"))

    refused = await refusal(guard, sent(request=request_has, message=message_has))

    if missing is None:
        assert refused is None
        return
    assert refused
    assert refused.reason == "missing_metadata"
    assert str(refused) == f"no {missing!r} in metadata"


@pytest.mark.parametrize(
    ("types", "part", "said"),
    [
        (None, RAW, None),
        (("image/*", "text/plain"), RAW, None),
        (("text/plain",), Part(text="a", media_type="image/png"), None),
        (("text/plain",), DATA, None),
        (("text/plain", "a/b"), RAW, "a file may be: text/plain, a/b"),
        ((), RAW, "a file may be: none"),
        (("image/*",), URL, "a file may be: image/*"),
        (("image/*",), Part(url="ftp://other"), "a file may be: image/*"),
    ],
    ids=range(8),
)
async def test_a_file_is_of_a_type_on_the_list(
    types: Sequence[str] | None, part: Part, said: str | None
) -> None:
    """Whether it comes along or by its address; the error is the one for it."""
    guard = InputGuard(
        media_types=None if types is None else tuple(types),
        uri_schemes=("https",),
        uri_hosts=("files.example",),
    )

    refused = await refusal(guard, sent(Part(text="a"), part))

    if said is None:
        assert refused is None
        return
    assert refused
    assert (refused.reason, str(refused)) == ("media_type_not_allowed", said)
    assert refused.error is ContentTypeNotSupportedError


@pytest.mark.parametrize(
    ("schemes", "hosts", "allowed"),
    [
        (("https",), ("files.example",), True),
        (("http", "https"), ("*",), True),
        (("https",), (), False),
        ((), ("*",), False),
        (("http",), ("*",), False),
        (("https",), ("other.example",), False),
    ],
    ids=range(6),
)
async def test_a_file_comes_by_an_address_on_the_lists(
    schemes: tuple[str, ...], hosts: tuple[str, ...], *, allowed: bool
) -> None:
    """By default by none."""
    guard = InputGuard(uri_schemes=schemes, uri_hosts=hosts)
    why = ("uri_not_allowed", "the file's address isn't allowed")

    assert await told(guard, Part(text="a"), URL) == (None if allowed else why)
    assert await told(InputGuard(uri_schemes=("https",)), URL) == why
    refused = await refusal(InputGuard(), sent(URL))
    assert refused
    assert refused.error is InvalidRequestError


@pytest.mark.parametrize(
    ("part", "denied"),
    [
        (Part(text="an inside job"), True),
        (Part(text="b"), True),
        (Part(text="a"), False),
        (DATA, True),
        (Part(raw=b"inside"), False),
        (Part(raw=b"", filename="inside"), True),
    ],
    ids=range(6),
)
async def test_a_text_holds_no_denied_pattern(part: Part, *, denied: bool) -> None:
    """Wherever the text stands; it isn't repeated."""
    guard = InputGuard(deny=("inside", "^b$"))

    why = ("denied_content", "refused: denied content")
    assert await told(guard, Part(text="ok"), part) == (why if denied else None)
    assert await told(InputGuard(), part) is None


@pytest.mark.parametrize(
    ("guard", "most"),
    [(InputGuard(deny=("x",)), 20_000), (InputGuard(deny=("x",), deny_max_chars=6), 6)],
)
async def test_what_is_searched_has_a_limit(guard: InputGuard, most: int) -> None:
    """Where something is searched for."""
    half = Part(text="ä" * (most // 2))

    assert await told(guard, half, half) is None
    why = ("too_large", f"at most {most} characters")
    assert await told(guard, half, half, Part(text="a")) == why
    assert await told(InputGuard(deny_max_chars=1), half) is None


@pytest.mark.parametrize("sizes", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_limits_are_above_zero(sizes: tuple[int, int, int]) -> None:
    """Each of them."""
    size, parts, chars = sizes

    assert InputGuard(max_bytes=1, max_parts=1, deny_max_chars=1)
    with pytest.raises(ValueError, match=r"^a limit of input_guard is above zero$"):
        InputGuard(max_bytes=size, max_parts=parts, deny_max_chars=chars)


@pytest.mark.parametrize("pattern", ["(a+)+", "(a"])
def test_a_pattern_that_cannot_be_used_stops_the_start(pattern: str) -> None:
    """With the others."""
    with pytest.raises(ValueError, match=r"pattern|quantifiers"):
        InputGuard(deny=("a", pattern))
