"""Calls webhooks: each time the host is looked up, checked, and connected to.

`httpx` looks a name up when it connects, so a check before could see another
answer than the connection does. Here the connection is made to the address that
was checked, and TLS verifies the name. And `httpx` logs whole URLs, which may
hold a secret; `httpcore` below it doesn't.
"""

import asyncio
import socket
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address
from ssl import SSLContext

import httpcore
from httpx import create_ssl_context

from .public_address import is_allowed
from .webhook_url import Webhook, WebhookRefused, WebhookRules, read_webhook

__all__ = ["WebhookClient", "look_up"]

# A name server that doesn't answer holds one of these, and none of the loop's own.
_THREADS = ThreadPoolExecutor(8, thread_name_prefix="webhook")


async def look_up(host: str, port: int) -> list[str]:
    """Give the addresses of a host.

    Raises:
        OSError: If it has none.
    """
    found = await asyncio.get_running_loop().run_in_executor(
        _THREADS, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    )
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class WebhookClient:
    """Calls those webhooks that the rules allow, one connection for each call.

    No proxy of the environment is used, since it would look the name up again.
    """

    def __init__(self, rules: WebhookRules, *, timeout_s: float) -> None:
        """Connect to nothing yet.

        Args:
            rules: Which webhooks may be called.
            timeout_s: The most seconds of a check or a call, all in all.
        """
        self._rules = rules
        self._timeout_s = timeout_s
        self._tls: SSLContext | None = None

    async def check(self, url: str) -> None:
        """See whether a webhook may be called.

        Raises:
            WebhookRefused: If not, as far as can be told now.
        """
        webhook = read_webhook(url, self._rules)
        try:
            async with asyncio.timeout(self._timeout_s):
                await _addresses(webhook.host, webhook.port, self._rules)
        except TimeoutError:
            raise _unreachable() from None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Call a webhook, and give the status that it answers with.

        Whatever else it answers isn't read, and a redirect isn't followed.

        Args:
            url: The webhook.
            headers: Further headers.
            body: The JSON text.

        Raises:
            WebhookRefused: If it may not be called.
            TimeoutError: If it takes too long.
            Exception: What httpcore raises if there is no answer.
        """
        webhook = read_webhook(url, self._rules)
        async with asyncio.timeout(self._timeout_s):
            *others, last = await _addresses(webhook.host, webhook.port, self._rules)
            for address in others:
                with suppress(httpcore.ConnectError):
                    return await self._post_to(address, webhook, headers, body)
            return await self._post_to(last, webhook, headers, body)

    async def _post_to(
        self, address: str, webhook: Webhook, headers: Mapping[str, str], body: bytes
    ) -> int:
        told = {
            "Host": webhook.authority,
            "Content-Type": "application/json",
            "Connection": "close",
            **headers,
        }
        url = httpcore.URL(
            scheme=webhook.scheme.encode(),
            host=address.encode(),
            port=webhook.port,
            target=webhook.target.encode(),
        )
        tls = await self._verifying() if webhook.scheme == "https" else None
        async with (
            httpcore.AsyncHTTPConnection(url.origin, tls) as connection,
            connection.stream(
                "POST",
                url,
                headers=[
                    (name.encode(), value.encode()) for name, value in told.items()
                ],
                content=body,
                # The name that the certificate has to be for.
                extensions={"sni_hostname": webhook.host},
            ) as response,
        ):
            return response.status

    async def _verifying(self) -> SSLContext:
        # Reading all the certificates takes too long for the loop.
        tls = self._tls
        if tls is None:
            loop = asyncio.get_running_loop()
            tls = await loop.run_in_executor(_THREADS, create_ssl_context)
            self._tls = tls
        return tls


async def _addresses(host: str, port: int, rules: WebhookRules) -> Sequence[str]:
    """Give the addresses of a host, all of which are allowed."""
    try:
        found = await look_up(host, port)
        allowed = [is_allowed(ip_address(each), rules.networks) for each in found]
    except (OSError, ValueError):
        raise _unreachable() from None
    # One that isn't allowed is enough: who writes such names means no good.
    if not found or not all(allowed):
        raise _unreachable()
    return found


def _unreachable() -> WebhookRefused:
    # The same for each cause: else it would tell which names are known in here.
    return WebhookRefused("the webhook's address isn't allowed")
