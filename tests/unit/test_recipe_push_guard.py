"""The spec and the service judge networks and hosts alike."""

from ipaddress import ip_address, ip_network

import pytest
from pydantic import ValidationError

from interceptgen.recipes.push_guard import METADATA, PUSH_GUARD
from runtime.recipes.push.public_address import is_allowed
from runtime.recipes.push.webhook_url import WebhookRefused, WebhookRules, read_webhook


@pytest.mark.parametrize("address", METADATA)
def test_what_tells_secrets_is_closed_in_both(address: str) -> None:
    found = ip_address(address)
    network = ip_network(f"{address}/{found.max_prefixlen - 8}", strict=False)
    assert not is_allowed(found, (network,))
    # Its neighbour is open then.
    assert address.startswith("169.254.") or is_allowed(found + 1, (network,))
    with pytest.raises(ValidationError):
        PUSH_GUARD.settings.model_validate({"networks": (address,)})


@pytest.mark.parametrize(
    "host",
    [
        "hooks.example.com",
        "HOOKS.Example.com",
        "a_b.example-1.com",
        "localhost",
        "xn--bcher-kva.example",
        "1.2.3.example",
        "0x7f.example",
        "*",
        "10.0.0.1",
        "127.1",
        "0x7f.0x1",
        "2130706433",
        "example.com.",
        "-a.example.com",
        "a..b",
        "a" * 64,
        "",
    ],
)
def test_a_host_that_the_spec_takes_can_be_called(host: str) -> None:
    rules = WebhookRules(schemes=("https",), hosts=(host,), ports=None, networks=())
    try:
        PUSH_GUARD.settings.model_validate({"hosts": (host,)})
    except ValidationError:
        with pytest.raises(WebhookRefused):
            read_webhook(f"https://{host}/", rules)
    else:
        assert read_webhook(f"https://{host}/", rules).host == host.lower()
