"""What `redact` costs: against a plain `re.sub`, and for an event without a hit.

python .ci/dev bench redact
"""

import re
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time
from uuid import UUID

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
TASK_ID = "0b9f5b0e-2f6e-4c11-9c1f-5a0c1d2e3f4a"


def seconds(
    work: Callable[[], object], rounds: int, times: int = 1
) -> tuple[float, float]:
    """Give the least and the median time of one call, of this process alone."""
    found: list[float] = []
    for _ in range(rounds):
        start = process_time()
        for _ in range(times):
            work()
        found.append((process_time() - start) / times)
    return min(found), median(found)


def rate(text: str, work: Callable[[str], object]) -> float:
    """Give megabytes a second."""
    return len(text.encode()) / 1e6 / seconds(lambda: work(text), 5)[1]


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


def artifact(*parts: Part, is_chunk: bool = False) -> TaskArtifactUpdateEvent:
    """Make an update as the new implementation sends it."""
    return TaskArtifactUpdateEvent(
        task_id=TASK_ID,
        context_id=TASK_ID,
        append=is_chunk,
        last_chunk=not is_chunk,
        artifact=Artifact(artifact_id="a" * 36, parts=parts),
    )


def status(part: Part) -> TaskStatusUpdateEvent:
    """Make an update as the legacy implementation sends it."""
    message = Message(message_id="m" * 36, role=Role.ROLE_AGENT, parts=[part])
    return TaskStatusUpdateEvent(
        task_id=TASK_ID,
        context_id=TASK_ID,
        status=TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message),
    )


def events() -> dict[str, TaskArtifactUpdateEvent | TaskStatusUpdateEvent]:
    """Make updates of 1 kB in all."""
    part = Part(text=NONE[:560])
    made: dict[str, TaskArtifactUpdateEvent | TaskStatusUpdateEvent] = {
        "new": artifact(part),
        "legacy": status(part),
        "new, in chunks": artifact(part, is_chunk=True),
        "new, two parts": artifact(Part(text=NONE[:280]), Part(text=NONE[:280])),
        "new, with a dash": artifact(Part(text=NONE[:550] + " \u2013 etc.")),
        "new, with a number": artifact(part),
    }
    for event in made.values():
        event.metadata.update(metadata())
    made["new, with a number"].metadata.update({"tokens": 1234})
    return made


def with_random_ids(dice: Random) -> TaskArtifactUpdateEvent:
    """Make an update with ids as they come: some look like an IBAN's beginning."""
    made = artifact(Part(text=NONE[:560]))
    made.task_id, made.context_id = _id(dice), _id(dice)
    made.artifact.artifact_id = _id(dice)
    told = metadata() | {"adk_session_id": made.context_id, "adk_event_id": _id(dice)}
    made.metadata.update(told | {"adk_user_id": f"A2A_USER_{made.context_id}"})
    return made


def _id(dice: Random) -> str:
    return str(UUID(int=dice.getrandbits(128), version=4))


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
            least, usual = seconds(partial(redact.on_send, event), 25, 1000)
            size = len(event.SerializeToString())
            print(
                f"{pin}, event of {size} bytes, no hit: median {usual * 1e6:.1f} us,"
                f" least {least * 1e6:.1f} us (bar {BAR_US})"
            )
        dice = Random(1)  # noqa: S311 - ids, no secrets
        made = [with_random_ids(dice) for _ in range(200)]
        took = [seconds(partial(redact.on_send, each), 3, 20)[1] for each in made]
        print(f"new, with random ids, no hit: median {median(took) * 1e6:.1f} us")


if __name__ == "__main__":
    main()
