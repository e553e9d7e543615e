"""The recipe `paused_task_guard`."""

from collections.abc import Iterator
from typing import Final

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings
from interceptgen.spec.problem import Finding, Problem

__all__ = ["PAUSED_TASK_GUARD"]

_NAME: Final = "paused_task_guard"


class PausedTaskGuard(Settings):
    """The parameters of `paused_task_guard`."""

    accept_text: bool = Field(
        default=False,
        description="Whether plain text may answer, and not only the asked function's"
        " response.",
    )
    expires_after_s: float | None = Field(
        default=None,
        gt=0,
        description="Seconds after which a paused task takes no answer any more.",
    )
    remembered: int = Field(
        default=10_000,
        ge=1,
        description="How many paused tasks are remembered; the oldest go first.",
    )


def _text_means_one_thing(chain: Chain) -> Iterator[Finding]:
    """Report text as an answer where the caller chooses the implementation.

    The legacy one runs the agent with the text, the new one asks again: whoever
    answers would decide whether a text answers.
    """
    for use in chain.uses(_NAME):
        settings = use.settings
        if not isinstance(settings, PausedTaskGuard) or not settings.accept_text:
            continue
        if chain.implementation == "client":
            message = "with implementation: client, what a text does is up to callers"
            hint = "write accept_text: false, or implementation: new or legacy"
            problem = Problem(code="E048", message=message, hint=hint)
            yield Finding(loc=use.setting("accept_text"), problem=problem)


PAUSED_TASK_GUARD: Final = Recipe(
    name=_NAME,
    description="Lets a paused task be answered once: by its caller, in time, in form.",
    seams=("before_agent", "on_exit"),
    settings=PausedTaskGuard,
    class_name="PausedTaskGuard",
    module="recipes.inbound.paused_task_guard",
    relations=(_text_means_one_thing,),
)
