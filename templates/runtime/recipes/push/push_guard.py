"""The recipe `push_guard`: pushes updates to webhooks, but not to any."""

import re
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Final

from a2a.server.agent_execution import RequestContext
from a2a.server.tasks import PushNotificationConfigStore, PushNotificationSender
from a2a.types import TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError

from ...seams.interceptor import BeforeAgent
from ...seams.protocols import Closing, Pushing
from ...seams.rejection import Rejected
from .configs import ScreenedConfigs
from .delivery import PushDelivery, headers_of
from .webhook_client import WebhookClient
from .webhook_url import WebhookRefused, WebhookRules

__all__ = ["PushGuard"]

# What a header's value may hold for any server: RFC 9110, section 5.5.
_HEADER: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_LONGEST_HEADER: Final = 4096


@dataclass(kw_only=True, eq=False)
class PushGuard(BeforeAgent, Pushing, Closing):
    """Makes the service push, to webhooks that a caller may have it call.

    A webhook is screened when it is set, by a call of its own or inside a
    message, and again whenever something is sent to it.

    Attributes:
        schemes: The schemes that it may have.
        hosts: The only hosts, `*.example.com` for all below one; None for any.
        ports: The only ports; None for the scheme's own.
        networks: Networks besides the public ones that its address may be in,
            such as `10.1.0.0/16`.
        timeout_s: The most seconds of one call.

    Raises:
        ValueError: If a value can't be used.
    """

    schemes: tuple[str, ...] = ("https",)
    hosts: tuple[str, ...] | None = None
    ports: tuple[int, ...] | None = None
    networks: tuple[str, ...] = ()
    timeout_s: float = 10
    _client: WebhookClient = field(init=False, repr=False)
    _delivery: PushDelivery | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        if not self.schemes or not set(self.schemes) <= {"http", "https"}:
            raise ValueError("push_guard: schemes are https, or http")
        if self.timeout_s <= 0:
            raise ValueError("push_guard: timeout_s is above zero")
        rules = WebhookRules(
            schemes=self.schemes,
            hosts=self.hosts,
            ports=self.ports,
            networks=tuple(map(ip_network, self.networks)),
        )
        self._client = WebhookClient(rules, timeout_s=self.timeout_s)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse a message with a webhook that may not be called.

        Raises:
            Rejected: With `push_url_refused` or `push_token_refused`.
        """
        asked = context.configuration
        if asked is not None and asked.HasField("task_push_notification_config"):
            await self._screen(asked.task_push_notification_config)
        return context

    def push(
        self, name: str
    ) -> tuple[PushNotificationConfigStore, PushNotificationSender]:
        """Give where webhooks are kept, and what calls them."""
        configs = ScreenedConfigs(self._screen, name)
        self._delivery = PushDelivery(configs, self._client)
        return configs, self._delivery

    async def close(self) -> None:
        """Send what waits, for a while."""
        if self._delivery is not None:
            await self._delivery.close()

    async def _screen(self, config: TaskPushNotificationConfig) -> None:
        for value in headers_of(config).values():
            if len(value) > _LONGEST_HEADER or not _HEADER.fullmatch(value):
                raise Rejected(
                    "push_token_refused",
                    message="a webhook's token and credentials are printable ASCII",
                    error=InvalidParamsError,
                )
        try:
            await self._client.check(config.url)
        except WebhookRefused as refused:
            raise Rejected(
                "push_url_refused", message=str(refused), error=InvalidParamsError
            ) from None
