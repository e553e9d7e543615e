"""The hooks as they are first given to a person, and the module they stand in."""

from interceptgen.files import GrownModule, Owner, SourceFile, Stub
from interceptgen.render.former import former_places
from interceptgen.render.syntax import docstring, expression, fill
from interceptgen.service import Interceptor, Service

__all__ = ["render_hooks"]

_MODULE = """\
{doc}

from {package}.service.contracts import {name} as contract


class {cls}(contract.Hooks):
    {class_doc}
"""

_STUBS = {
    "before_agent": '''\
    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context
''',
    "after_event": '''\
    async def after_event(
        self,
        context: contract.ExecutorContext,
        event: contract.A2AEvent,
        adk_event: contract.AdkEvent,
    ) -> contract.EventResult:
        """Return the event, a list to send in its place, or None to drop it.

        Runs for each update made of an ADK event. Doesn't run for the first
        submitted and working updates, the final status, a failure or a cancel.
        """
        return event
''',
    "after_agent": '''\
    async def after_agent(
        self,
        context: contract.ExecutorContext,
        final_event: contract.TaskStatusUpdateEvent,
    ) -> contract.TaskStatusUpdateEvent:
        """Return the final status of the run, changed or not.

        Runs once a run, also when it pauses for input. Doesn't run when the
        run failed or was canceled.
        """
        return final_event
''',
    "on_exit": '''\
    async def on_exit(self, outcome: contract.Outcome) -> None:
        """Release what the request holds, count it, write it down.

        Runs exactly once for each request that reached the chain, however it
        ended, and before the caller hears of the end. What it raises is logged.
        """
''',
}

# The last parameter of each, and the same with the state behind it.
_WITH_STATE = {
    "before_agent": (
        "context: contract.RequestContext\n",
        "context: contract.RequestContext, state: contract.State\n",
    ),
    "after_event": (
        "        adk_event: contract.AdkEvent,\n",
        "        adk_event: contract.AdkEvent,\n        state: contract.State,\n",
    ),
    "after_agent": (
        "        final_event: contract.TaskStatusUpdateEvent,\n",
        (
            "        final_event: contract.TaskStatusUpdateEvent,\n"
            "        state: contract.State,\n"
        ),
    ),
    "on_exit": (
        "outcome: contract.Outcome)",
        "outcome: contract.Outcome, state: contract.State)",
    ),
}

_PACKAGE = '"""The hooks of the interceptors: yours to write."""\n'


def render_hooks(service: Service) -> list[SourceFile]:
    """Emit one module for each interceptor, and their package."""
    folder = f"src/{service.package}/hooks"
    package = SourceFile(
        path=f"{folder}/__init__.py", text=_PACKAGE, owner=Owner.SEEDED, item="service"
    )
    return [package, *(_module(service, each) for each in service.interceptors)]


def _stub(interceptor: Interceptor, hook: str) -> Stub:
    text = _STUBS[hook]
    if interceptor.state is not None:
        text = text.replace(*_WITH_STATE[hook])
    return Stub(name=hook, text=text)


def _module(service: Service, interceptor: Interceptor) -> SourceFile:
    pattern = f"src/{service.package}/hooks/{{}}.py"
    stubs = tuple(_stub(interceptor, hook) for hook in interceptor.hooks)
    summary = f"The hooks of {interceptor.name}."
    head = fill(
        _MODULE,
        doc=docstring(interceptor.description, summary=summary),
        class_doc=docstring(interceptor.description, summary=summary, indent=4),
        package=expression(service.package),
        name=expression(interceptor.name),
        cls=expression(interceptor.class_name),
    )
    return SourceFile(
        path=pattern.format(interceptor.name),
        text="\n".join([head, *(stub.text for stub in stubs)]),
        owner=Owner.GROWN,
        item=f"interceptors.{interceptor.name}",
        grown=GrownModule(class_name=interceptor.class_name, stubs=stubs),
        former=former_places(service, interceptor, pattern),
    )
