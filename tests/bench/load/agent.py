"""The agent of both services: three answers as a model gives them, without one."""

from collections.abc import AsyncGenerator

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai.types import Content, GenerateContentResponseUsageMetadata, Part

__all__ = ["root_agent"]

# One of them holds what has to be redacted.
ANSWERS = (
    (
        "Your order 8812 left our warehouse on Monday, in two parcels. The first "
        "one holds the lamp and its shade, the second one the two chairs, which come "
        "from another place and so take a day longer. Both need somebody who signs."
    ),
    (
        "The first parcel will be with you on Wednesday between 9 and 12, the second "
        "one on Thursday. Ask ann@example.com of our carrier if you want them on "
        "another day; she needs the number of your order, and nothing else."
    ),
    (
        "You paid 345.60 for all of it, of which 12.80 are for sending. If the second "
        "parcel isn't there by Friday, tell me, and I will ask the carrier where it "
        "is. You may send back what you don't like within 30 days."
    ),
)


class Clerk(BaseAgent):
    """Says the same to everybody."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        for answer in ANSWERS:
            yield Event(
                invocation_id=ctx.invocation_id,
                author=self.name,
                content=Content(role="model", parts=[Part(text=answer)]),
                model_version="gemini-2.5-flash",
                usage_metadata=GenerateContentResponseUsageMetadata(
                    prompt_token_count=120,
                    candidates_token_count=60,
                    total_token_count=180,
                ),
            )


root_agent = Clerk(name="clerk", description="Knows where orders are.")
