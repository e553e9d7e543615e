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
        """Let the message in by returning its context, or raise to refuse it.

        Runs before a task is made: a refusal stores nothing, leaves a paused
        task paused, and an error of `a2a.utils.errors` keeps its code. Doesn't
        run when tasks are read, listed, subscribed to or canceled.
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
}

_PACKAGE = '"""The hooks of the interceptors: yours to write."""\n'


def render_hooks(service: Service) -> list[SourceFile]:
    """Emit one module for each interceptor, and their package."""
    folder = f"src/{service.package}/hooks"
    package = SourceFile(
        path=f"{folder}/__init__.py", text=_PACKAGE, owner=Owner.SEEDED, item="service"
    )
    return [package, *(_module(service, each) for each in service.interceptors)]


def _module(service: Service, interceptor: Interceptor) -> SourceFile:
    pattern = f"src/{service.package}/hooks/{{}}.py"
    stubs = tuple(Stub(name=hook, text=_STUBS[hook]) for hook in interceptor.hooks)
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
