"""Scopes that a message needs for the skill that it names.

A2A has no field for it: a message says what it wants in words. So a caller
names the skill in metadata. Who names none, or one without an entry, needs the
scopes of all entries: nobody gets further by naming none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from a2a.server.agent_execution import RequestContext
from a2a.types import AgentCard
from starlette.authentication import AuthCredentials

from ...seams.rejection import Rejected
from .identity import requirement

__all__ = ["SKILL_KEY", "SkillScopes"]

SKILL_KEY = "skill_id"
"""Where the metadata of a request or of its message names a skill of the card."""


@dataclass(frozen=True, slots=True)
class SkillScopes:
    """What each skill needs beside what every request needs.

    Attributes:
        always: What every request needs.
        by_skill: What a message for a skill needs besides, by skill id.
    """

    always: tuple[str, ...]
    by_skill: Mapping[str, tuple[str, ...]]

    def declare(self, card: AgentCard, label: str) -> None:
        """Say in the card what each skill needs.

        Args:
            card: Whose skills are meant.
            label: The scheme that grants the scopes.

        Raises:
            ValueError: If the card has no such skill.
        """
        known = [skill.id for skill in card.skills]
        for name in self.by_skill:
            if name not in known:
                there = ", ".join(known) or "none"
                raise ValueError(f"no skill has the id {name!r}; there are: {there}")
        for skill in card.skills if self.by_skill else ():
            scopes = [*self.always, *sorted(self._needed([skill.id]))]
            skill.security_requirements.append(requirement(label, scopes))

    def check(self, context: RequestContext) -> None:
        """Let a message pass whose caller has the scopes for it.

        Raises:
            Rejected: If one is missing.
        """
        auth: object = context.call_context.state.get("auth")
        granted = auth.scopes if isinstance(auth, AuthCredentials) else []
        if not self._needed(_named(context)).issubset(granted):
            raise Rejected("insufficient_scope")

    def _needed(self, named: list[str]) -> set[str]:
        if not named or any(name not in self.by_skill for name in named):
            named = list(self.by_skill)
        return {scope for name in named for scope in self.by_skill[name]}


def _named(context: RequestContext) -> list[str]:
    found: list[object] = [context.metadata.get(SKILL_KEY)]
    message = context.message
    # Not `get`: protobuf's Struct has none.
    if message is not None and SKILL_KEY in message.metadata:
        found.append(message.metadata[SKILL_KEY])
    return [str(name) for name in found if name is not None]
