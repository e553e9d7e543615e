from collections.abc import AsyncGenerator

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import Message, Part, SendMessageRequest
from a2a.utils.errors import ContentTypeNotSupportedError, InvalidRequestError
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.protobuf.json_format import ParseDict
from tests.runtime.messages import PINS, call_context, message_context, reason, send
from tests.runtime.serving import Setup, served

from runtime.recipes.inbound.input_guard import InputGuard
from runtime.recipes.linear_pattern import linear
from runtime.seams.rejection import Rejected
from testing.harness import values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]


async def _refusal(guard: InputGuard, *parts: Part) -> str | None:
    try:
        await guard.before_agent(message_context(*parts))
    except Rejected as rejected:
        return rejected.reason
    return None


@pytest.mark.parametrize("pin", PINS)
async def test_refused_before_the_runner_is_built(pin: str) -> None:
    built: list[Runner] = []

    async def never(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield adk_event("ran")

    def factory() -> Runner:
        raise AssertionError(built)

    setup = Setup(
        script=never,
        hooks={"guard": InputGuard(max_bytes=5)},
        pin=pin,
        factory=factory,
    )
    async with served(setup) as caller:
        refused = await send(caller, {"text": "sixsix"})
        tasks = await caller.call("ListTasks", {})

    assert reason(refused) == "too_large"
    assert not list(values(tasks.answers, "contextId"))


@pytest.mark.parametrize(
    "part",
    [
        # Text in UTF-8.
        Part(text="äää"),
        # A file as it is, not in base64.
        Part(raw=b"123456"),
        Part(url="abcdef"),
        # Data without white space, and in UTF-8: {"a":1} would be seven.
        ParseDict({"data": ["ää"]}, Part()),
        Part(text="1", filename="23456"),
        Part(raw=b"123", media_type="456"),
    ],
    ids=["text", "raw", "url", "data", "file-name", "media-type"],
)
async def test_bytes_are_counted_decoded(part: Part) -> None:
    size = 8 if part.WhichOneof("content") == "data" else 6
    short, enough = (
        InputGuard(max_bytes=most, uri_schemes=("",), uri_hosts=("*",))
        for most in (size - 1, size)
    )
    assert await _refusal(short, part) == "too_large"
    assert await _refusal(enough, part) is None


async def test_bytes_of_all_parts_and_metadata_are_added() -> None:
    parts = [Part(text="1"), Part(text="2")]
    parts[0].metadata.update({"a": "b"})
    context = message_context(*parts, metadata={"a": "b"}, request_metadata={"a": "c"})
    # Thrice {"a":"b"}: a key that is there twice counts twice.
    assert await InputGuard(max_bytes=29).before_agent(context) is context
    with pytest.raises(Rejected, match="28 bytes"):
        await InputGuard(max_bytes=28).before_agent(context)


async def test_parts_are_counted() -> None:
    parts = [Part(text="a")] * 3
    assert await _refusal(InputGuard(max_parts=3), *parts) is None
    assert await _refusal(InputGuard(max_parts=2), *parts) == "too_many_parts"


@pytest.mark.parametrize(
    ("declared", "allowed", "why"),
    [
        ("image/png", ("image/*",), None),
        ("IMAGE/PNG", ("image/png",), None),
        ("image/png; q=1", ("Image/Png",), None),
        ("image/png", ("*/*",), None),
        ("image/png", ("text/plain", "image/png"), None),
        ("image/png", ("image/jpeg",), "media_type_not_allowed"),
        ("imagex/png", ("image/*",), "media_type_not_allowed"),
        ("image/png", (), "media_type_not_allowed"),
        ("", ("*/*",), "media_type_not_allowed"),
        ("png", ("*/*",), "media_type_not_allowed"),
    ],
)
async def test_media_types(
    declared: str, allowed: tuple[str, ...], why: str | None
) -> None:
    guard = InputGuard(media_types=allowed)
    assert await _refusal(guard, Part(raw=b"1", media_type=declared)) == why
    # Text and data are no files.
    assert await _refusal(guard, Part(text="1", media_type="")) is None


async def test_a_media_type_is_refused_with_the_error_for_it() -> None:
    context = message_context(Part(raw=b"1", media_type="a/b"))
    with pytest.raises(Rejected) as refused:
        await InputGuard(media_types=("image/*",)).before_agent(context)
    assert refused.value.error is ContentTypeNotSupportedError
    with pytest.raises(Rejected) as refused:
        await InputGuard(max_bytes=1).before_agent(context)
    assert refused.value.error is InvalidRequestError


async def test_the_media_type_of_a_url_is_checked_too() -> None:
    guard = InputGuard(
        media_types=("image/*",), uri_schemes=("https",), uri_hosts=("*",)
    )
    url = "https://example.com/a"
    refused = await _refusal(guard, Part(url=url, media_type="text/html"))
    assert refused == "media_type_not_allowed"
    assert await _refusal(guard, Part(url=url, media_type="image/png")) is None


HOSTS = ("files.example.com", "*.example.org")


@pytest.mark.parametrize(
    "url",
    [
        "https://files.example.com/a?b=c#d",
        "HTTPS://FILES.example.com/a",
        "https://files.example.com:8443/a",
        "https://a.example.org",
        "https://a.b.example.org/",
    ],
)
async def test_addresses_on_the_list(url: str) -> None:
    guard = InputGuard(uri_schemes=("https",), uri_hosts=HOSTS)
    assert await _refusal(guard, Part(url=url)) is None
    assert await _refusal(InputGuard(), Part(url=url)) == "uri_not_allowed"


@pytest.mark.parametrize(
    "url",
    [
        "http://files.example.com/a",
        "file:///etc/passwd",
        "https://example.com/",
        "https://example.org/",
        "https://evilexample.org/",
        "https://files.example.com.evil.net/",
        "https://files.example.com@evil.net/",
        "https://evil.net@files.example.com/",
        "https://evil.net\\@files.example.com/",
        "https://evil.net/\\files.example.com",
        "https://files.example.com\n.evil.net/",
        " https://files.example.com/",
        "https:///files.example.com",
        "https:files.example.com",
        "https://[::1/",
        "https://filés.example.com/",
        "//files.example.com/",
        "",
    ],
)
async def test_addresses_that_are_not_on_the_list(url: str) -> None:
    guard = InputGuard(uri_schemes=("https",), uri_hosts=HOSTS)
    assert await _refusal(guard, Part(url=url)) == "uri_not_allowed"


async def test_the_case_of_lists_does_not_matter() -> None:
    guard = InputGuard(uri_schemes=("HTTPS",), uri_hosts=("Files.Example.com",))
    assert await _refusal(guard, Part(url="https://files.example.com/a")) is None


async def test_a_scheme_without_hosts_lets_nothing_in() -> None:
    part = Part(url="https://files.example.com/a")
    assert await _refusal(InputGuard(uri_schemes=("https",)), part)
    assert await _refusal(InputGuard(uri_hosts=("*",)), part)


async def test_metadata_that_must_be_there() -> None:
    guard = InputGuard(required_metadata=("order_id", "region"))
    in_both = message_context(
        Part(text="a"),
        metadata={"order_id": "1"},
        request_metadata={"region": "eu", "order_id": None},
    )
    assert await guard.before_agent(in_both) is in_both
    with pytest.raises(Rejected, match="region") as refused:
        await guard.before_agent(
            message_context(
                Part(text="a"),
                metadata={"region": None},
                request_metadata={"order_id": "1"},
            )
        )
    assert refused.value.reason == "missing_metadata"


@pytest.mark.parametrize(
    "part",
    [
        Part(text="say Secret now"),
        Part(url="https://example.com/secret"),
        Part(raw=b"1", filename="secret.txt"),
        ParseDict({"data": {"a": ["b", {"c": "my secret"}]}}, Part()),
        ParseDict({"data": {"secret": 1}}, Part()),
    ],
    ids=["text", "url", "file-name", "data", "data-key"],
)
async def test_patterns_are_searched_in_all_texts(part: Part) -> None:
    guard = InputGuard(
        deny=("x+y", "(?i)secret"), uri_schemes=("https",), uri_hosts=("*",)
    )
    assert await _refusal(guard, Part(text="fine"), part) == "denied_content"
    assert await _refusal(guard, Part(text="fine")) is None


async def test_a_denied_text_is_not_repeated() -> None:
    with pytest.raises(Rejected) as refused:
        await InputGuard(deny=("sec",)).before_agent(message_context(Part(text="sec")))
    assert "sec" not in str(refused.value)


async def test_what_patterns_are_searched_in_has_a_limit() -> None:
    """A text that isn't searched isn't let in either."""
    parts = [Part(text="aaa"), Part(text="aaa")]
    short, enough = (InputGuard(deny=("x",), deny_max_chars=chars) for chars in (5, 6))
    assert await _refusal(short, *parts) == "too_large"
    assert await _refusal(enough, *parts) is None
    assert await _refusal(InputGuard(deny_max_chars=5), *parts) is None


async def test_a_part_of_no_known_kind_is_refused() -> None:
    assert await _refusal(InputGuard(), Part()) == "unsupported_part"


async def test_data_that_json_has_no_form_for_are_refused() -> None:
    part, around = Part(), Part(text="a")
    part.data.number_value = float("nan")
    around.metadata.update({"a": float("inf")})
    assert await _refusal(InputGuard(), part) == "unsupported_part"
    assert await _refusal(InputGuard(), around) == "unsupported_part"
    request = SendMessageRequest(message=Message(parts=[Part(text="a")]))
    request.metadata.update({"a": float("nan")})
    with pytest.raises(Rejected, match="read"):
        await InputGuard().before_agent(RequestContext(call_context(), request))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a*)*b",
        "(?:a+)*",
        "((ab+))*",
        "(a{2,})+",
        "(x(y+z)w){2,}",
        "(?P<n>a+)+",
        r"(\(a+)+",
    ],
)
def test_nested_quantifiers_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="nested quantifiers"):
        InputGuard(deny=(pattern,))


@pytest.mark.parametrize(
    "pattern",
    [
        r"a+b*",
        r"(ab)+",
        r"(\d{1,3}\.){3}\d{1,3}",
        r"([+*]x)+",
        r"(a\+)+",
        r"(a+)?",
        r"(?i)\bsecret\b",
        r"[^]+]+(x)",
    ],
)
def test_other_patterns_can_be_used(pattern: str) -> None:
    assert linear(pattern).pattern == pattern


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="no pattern"):
        InputGuard(deny=("(",))


@pytest.mark.parametrize(
    "numbers", [(0, 1, 1), (1, 0, 1), (1, 1, 0)], ids=["bytes", "parts", "chars"]
)
def test_limits_are_above_zero(numbers: tuple[int, int, int]) -> None:
    size, parts, chars = numbers
    with pytest.raises(ValueError, match="above zero"):
        InputGuard(max_bytes=size, max_parts=parts, deny_max_chars=chars)
