"""Keeps some out and stamps what leaves."""

from a2a.utils.errors import InvalidRequestError

from talk.service.contracts import door as contract


class Door(contract.Hooks):
    """Keeps some out and stamps what leaves."""

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Refuse the message `refuse`."""
        if context.get_user_input() == "refuse":
            raise InvalidRequestError("not through this door")
        return context

    async def after_agent(
        self,
        context: contract.ExecutorContext,
        final_event: contract.TaskStatusUpdateEvent,
    ) -> contract.TaskStatusUpdateEvent:
        """Stamp the final status."""
        final_event.metadata["door"] = "passed"
        return final_event
