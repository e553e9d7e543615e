"""Clients that others wrote, against a generated project as it is served."""

import pytest
from tests.interop.asking import Ask
from tests.interop.environments import Client

pytestmark = pytest.mark.interop

TEXT = "héllo ✓"
HEARD = f"heard: {TEXT}"
REFUSED = "not through this door"

SDKS = [
    Client(script="sdk_1.py"),
    Client(script="sdk_0.py", old_sdk=True),
    Client(script="sdk_1.mjs"),
    Client(script="sdk_0.mjs"),
]
REMOTE_AGENTS = [Client(script="adk.py"), Client(script="adk.py", old_sdk=True)]

# The legacy implementation sends what it hears twice: the first time as the
# message of a `working` update.
STREAMS = {
    "new": ["submitted", "working", HEARD, "completed"],
    "legacy": ["submitted", "working", "working", HEARD, "completed"],
}
HEARD_IN_STREAM = {"new": [HEARD], "legacy": [HEARD, HEARD]}


@pytest.mark.parametrize("client", SDKS, ids=str)
def test_clients_of_the_sdks(client: Client, implementation: str, ask: Ask) -> None:
    seen = ask(client, TEXT)

    assert seen["card"] == "talker"
    assert seen["unary"] == ["completed", HEARD, "passed"]
    assert seen["stream"] == STREAMS[implementation]
    assert seen["task"] == seen["unary"]
    assert seen["cancel"] == ["canceled", "canceled"]
    assert [REFUSED in text for text in seen["refusals"]] == [True, True]


@pytest.mark.parametrize("client", REMOTE_AGENTS, ids=str)
def test_remote_agents_of_adk(client: Client, implementation: str, ask: Ask) -> None:
    seen = ask(client, TEXT)

    assert seen["unary"] == [HEARD]
    assert seen["stream"] == HEARD_IN_STREAM[implementation]
    assert seen["cancel"] == "canceled"
    assert [REFUSED in text for [text] in seen["refusals"]] == [True, True]
