r"""The hooks of odd.

A text with a trailing backslash, "quotes", {braces}, ümläuts, and so many words that no
line of code could ever hold all of them at once \\.
"""

from orders.service.contracts import odd as contract


class Odd(contract.Hooks):
    r"""The hooks of odd.

    A text with a trailing backslash, "quotes", {braces}, ümläuts, and so many words
    that no line of code could ever hold all of them at once \\.
    """

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
