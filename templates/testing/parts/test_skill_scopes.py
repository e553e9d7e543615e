"""What a message needs for the skill that it names."""

from collections.abc import Sequence

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import AgentCard, AgentSkill, Message, Role, SendMessageRequest
from starlette.authentication import AuthCredentials

from runtime.recipes.authentication.skill_scopes import SkillScopes
from runtime.seams.rejection import Rejected

SCOPES = SkillScopes(always=("read",), by_skill={"pay": ("b", "a"), "ask": ("ask",)})


def asked(
    scopes: Sequence[str] | None, request: str | None = None, message: str | None = None
) -> RequestContext:
    """Make a message of a caller with these scopes, that names skills."""
    call = ServerCallContext()
    if scopes is not None:
        call.state["auth"] = AuthCredentials(scopes)
    sent = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    if request is not None:
        sent.metadata["skill_id"] = request
    if message is not None:
        sent.message.metadata["skill_id"] = message
    return RequestContext(call, sent)


@pytest.mark.parametrize(
    "context",
    [
        asked(["a", "b"], "pay"),
        asked(["a", "b"], None, "pay"),
        asked(["ask"], "ask", "ask"),
        asked(["a", "b", "ask"], "ask", "pay"),
        asked(["a", "b", "ask"]),
        asked(["a", "b", "ask"], "other"),
    ],
    ids=range(6),
)
def test_who_has_the_scopes_gets_in(context: RequestContext) -> None:
    """Wherever the skill is named."""
    SCOPES.check(context)


@pytest.mark.parametrize(
    "context",
    [
        asked(["a"], "pay"),
        asked(["a", "b"], "ask"),
        asked(["a", "b"], "pay", "ask"),
        asked(["ask"], "ask", "pay"),
        asked(["a", "b"], "pay", "other"),
        asked(["ask"]),
        asked(None, "ask"),
    ],
    ids=range(7),
)
def test_who_lacks_one_is_refused(context: RequestContext) -> None:
    """Nobody gets further by naming another skill, or none."""
    with pytest.raises(Rejected) as refused:
        SCOPES.check(context)
    assert refused.value.reason == "insufficient_scope"


def test_the_card_says_what_each_skill_needs() -> None:
    """A skill without an entry needs those of all."""
    skills = [AgentSkill(id=name) for name in ("pay", "ask", "other")]
    card, free = AgentCard(skills=skills), AgentCard(skills=skills)

    SCOPES.declare(card, "login")
    SkillScopes(always=("read",), by_skill={}).declare(free, "login")

    found = [
        [list(need.schemes["login"].list) for need in skill.security_requirements]
        for skill in card.skills
    ]
    assert found == [
        [["read", "a", "b"]],
        [["read", "ask"]],
        [["read", "a", "ask", "b"]],
    ]
    assert not any(skill.security_requirements for skill in free.skills)


@pytest.mark.parametrize("known", [["ask", "other"], []])
def test_a_skill_that_is_not_there_is_named(known: list[str]) -> None:
    """With those that are."""
    card = AgentCard(skills=[AgentSkill(id=name) for name in known])

    with pytest.raises(ValueError, match="no skill has the id 'pay'") as refused:
        SCOPES.declare(card, "login")
    assert str(refused.value).endswith(f"there are: {', '.join(known) or 'none'}")
