"""Ways to break hooks, and the chain and the gate that call them."""

from tests.service.mutant import Mutant, in_service

__all__ = ["HOOK_MUTANTS"]


def _in_hooks() -> list[Mutant]:
    returned = {
        "before_agent": "context",
        "after_event": "event",
        "after_agent": "final_event",
    }
    mutants: list[Mutant] = []
    for interceptor in ("audit", "house_style"):
        for hook, name in returned.items():
            file = f"src/orders/hooks/{interceptor}.py"
            # Dropping every event is an after_event hook's good right: only
            # the test that goes with the hook's code knows better.
            empty = (
                f"test_{interceptor}.py"
                if hook == "after_event"
                else f"generated/test_{hook}.py"
            )
            mutants += [
                Mutant(
                    name=f"{interceptor}.{hook} is empty",
                    service="new",
                    file=file,
                    old=f"        return {name}\n",
                    new="",
                    tests=(empty,),
                ),
                Mutant(
                    name=f"{interceptor}.{hook} is empty, as its own test sees it",
                    service="new",
                    file=file,
                    old=f"        return {name}\n",
                    new="",
                    tests=(f"test_{interceptor}.py",),
                ),
                Mutant(
                    name=f"{interceptor}.{hook} is sync",
                    service="new",
                    file=file,
                    old=f"    async def {hook}(",
                    new=f"    def {hook}(",
                    tests=(f"generated/test_{hook}.py",),
                ),
            ]
    return mutants


_WIRING = "        request_context_builder=Gate(interceptors, tasks, executor),\n"

_GATE = [
    in_service("no gate", "serving/application", _WIRING, "", "chain"),
    in_service(
        "before_agent behind the task",
        "serving/application",
        "without_before_agent(interceptors))",
        "interceptors)",
        "chain",
    ),
    in_service(
        "before_agent in the executor only",
        "serving/application",
        _WIRING,
        "        request_context_builder=Gate([], tasks, executor),\n",
        "before_agent",
    ),
    in_service(
        "gate upside down",
        "serving/gate",
        "list(interceptors)",
        "list(reversed(interceptors))",
        "chain",
    ),
    in_service(
        "hooks don't know the task",
        "serving/gate",
        "stored)\n        exchange",
        "None)\n        exchange",
        "before_agent",
    ),
]

_CHAIN = [
    in_service(
        "before_agent unguarded",
        "seams/chain",
        "isinstance(result, RequestContext)",
        "True",
        "before_agent",
    ),
    in_service(
        "after_event unguarded",
        "seams/chain",
        "if result is None or isinstance(result, _UPDATES):",
        "if True:",
        "after_event",
    ),
    in_service(
        "after_event may return a tuple",
        "seams/chain",
        "isinstance(result, list) and",
        "isinstance(result, list | tuple) and",
        "after_event",
    ),
    in_service(
        "after_event's list unguarded",
        "seams/chain",
        "all(isinstance(e, _UPDATES) for e in result)",
        "len(result) > 0",
        "after_event",
    ),
    in_service(
        "after_event may not drop",
        "seams/chain",
        "if result is None or isinstance(result, _UPDATES):",
        "if isinstance(result, _UPDATES):",
        "after_event",
    ),
    in_service(
        "after_event may not return a list",
        "seams/chain",
        "if isinstance(result, list) and",
        "if result == () and",
        "after_event",
    ),
    in_service(
        "after_agent unguarded",
        "seams/chain",
        "isinstance(result, TaskStatusUpdateEvent)",
        "True",
        "after_agent",
    ),
    *(
        in_service(
            f"sync hook passes {hook}",
            "chain",
            "        return _NotAsync()\n",
            "        return given\n",
            hook,
        )
        for hook in ("before_agent", "after_event", "after_agent")
    ),
    *(
        in_service(f"file not named, {hook}", "chain", " in {file}", " in ?", hook)
        for hook in ("before_agent", "after_event", "after_agent")
    ),
    *(
        in_service(
            f"{hook} not taken",
            "chain",
            f"isinstance(hooks, {cls})",
            f"isinstance(hooks, {cls}) and False",
            "chain",
        )
        for hook, cls in (
            ("before_agent", "BeforeAgent"),
            ("after_event", "AfterEvent"),
            ("after_agent", "AfterAgent"),
        )
    ),
]

HOOK_MUTANTS = (*_in_hooks(), *_GATE, *_CHAIN)
