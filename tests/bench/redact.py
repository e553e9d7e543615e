"""What `redact` costs: against a plain `re.sub`, and for an event without a hit.

python -m tests.bench.redact
"""

import re
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from a2a.types import (
    Artifact,
    Message,
    Part,
    Role,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from tests.runtime.messages import message_context

from runtime.recipes.redaction.entities import ENTITIES, EntityName
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.text_stream import TextStream
from runtime.recipes.redaction.whole_text import WholeText
from runtime.seams.exchange import exchange_of

WORDS = "The order of {who} is late: 12 days, and 345.60 to pay; ask again on Monday. "
FEW = (WORDS.format(who="the lady") * 50 + WORDS.format(who="ann@example.com")) * 280
NONE = WORDS.format(who="the lady") * 14_000
GERMAN = WORDS.format(who="für Größe \u2013 „schön“") * 12_000
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
DEFAULT: tuple[EntityName, ...] = ("email", "card", "iban", "phone", "secret")
BAR_US = 20.0


def seconds(work: Callable[[], object], rounds: int, times: int = 1) -> float:
    """Give the median time of one call."""
    found: list[float] = []
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(times):
            work()
        found.append((perf_counter() - start) / times)
    return median(found)


def rate(text: str, work: Callable[[str], object]) -> float:
    """Give megabytes a second."""
    return len(text.encode()) / 1e6 / seconds(lambda: work(text), 5)


def metadata() -> dict[str, str]:
    """Give what ADK sends along with an update."""
    return {
        "adk_app_name": "orders",
        "adk_user_id": "A2A_USER_5e1c2c9e-8a52-4b1d-9d3c-6a55b3f0d1aa",
        "adk_session_id": "5e1c2c9e-8a52-4b1d-9d3c-6a55b3f0d1aa",
        "adk_invocation_id": "e-c9b1d8f2-5a1e-4a0c-8f0e-0d0e4b8f7a11",
        "adk_author": "orders",
        "adk_event_id": "f0a6b9c4-77cf-4f1b-8a63-2d6d8f2b9c3d",
    }


def events() -> dict[str, TaskArtifactUpdateEvent | TaskStatusUpdateEvent]:
    """Make updates of 1 kB in all, as the two implementations send them."""
    task_id = "0b9f5b0e-2f6e-4c11-9c1f-5a0c1d2e3f4a"
    part = Part(text=NONE[:560])
    new = TaskArtifactUpdateEvent(
        task_id=task_id,
        context_id=task_id,
        last_chunk=True,
        artifact=Artifact(artifact_id="a" * 36, parts=[part]),
    )
    message = Message(message_id="m" * 36, role=Role.ROLE_AGENT, parts=[part])
    legacy = TaskStatusUpdateEvent(
        task_id=task_id,
        context_id=task_id,
        status=TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message),
    )
    for event in (new, legacy):
        event.metadata.update(metadata())
    return {"new": new, "legacy": legacy}


def main() -> None:
    """Measure, and print."""
    mask = Mask()
    scanner = Scanner([(n, form) for n in DEFAULT for form in ENTITIES[n]])
    whole = WholeText(scanner, mask)

    def stream(text: str) -> None:
        chunks = TextStream(scanner, mask)
        for start in range(0, len(text), 1000):
            chunks.take(text[start : start + 1000])
        chunks.take("", is_last=True)

    texts = {"no hit": NONE, "a hit each 4 kB": FEW, "not ASCII": GERMAN}
    for name, text in texts.items():
        print(
            f"{name}, {len(text) / 1e6:.1f} M characters, MB/s:"
            f" re.sub (email) {rate(text, lambda text: EMAIL.sub('x', text)):.0f},"
            f" whole {rate(text, whole.redact):.0f},"
            f" in chunks of 1000 {rate(text, stream):.0f}"
        )
    redact = Redact()
    with exchange_of(message_context(Part(text="hi"))).entered():
        for pin, event in events().items():
            assert redact.on_send(event) == [event]
            took = seconds(partial(redact.on_send, event), 9, 2000) * 1e6
            size = len(event.SerializeToString())
            print(f"{pin}, event of {size} bytes, no hit: {took:.1f} us (bar {BAR_US})")


if __name__ == "__main__":
    main()
