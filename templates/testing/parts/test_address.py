"""The address that the card names."""

import pytest

from runtime.serving.address import endpoint_url
from runtime.serving.environment import ServerSettings


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (ServerSettings(host="a.example", port=80), "http://a.example:80/svc"),
        (ServerSettings(host="::1", port=80), "http://[::1]:80/svc"),
        (ServerSettings(public_url="https://a.example/X/"), "https://a.example/X/svc"),
    ],
)
def test_it_is_the_one_that_clients_reach(
    settings: ServerSettings, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The public one, or else where the service listens."""
    assert endpoint_url(settings, "/svc") == url
    assert caplog.text == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_an_address_that_nobody_reaches_is_told(
    host: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The card would send callers nowhere."""
    endpoint_url(ServerSettings(host=host, port=80), "/")

    assert f"the agent card names {host}" in caplog.text
