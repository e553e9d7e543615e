"""A webhook's address is read in one way, or it is refused."""

from ipaddress import ip_network

import pytest

from runtime.recipes.push.webhook_url import (
    Webhook,
    WebhookRefused,
    WebhookRules,
    read_webhook,
)


def rules(
    *,
    schemes: tuple[str, ...] = ("https",),
    hosts: tuple[str, ...] | None = None,
    ports: tuple[int, ...] | None = None,
    networks: tuple[str, ...] = (),
) -> WebhookRules:
    """Make the rules."""
    return WebhookRules(
        schemes=schemes,
        hosts=hosts,
        ports=ports,
        networks=tuple(map(ip_network, networks)),
    )


def refusal(url: str, given: WebhookRules) -> str | None:
    """Give why a webhook is refused, if it is."""
    try:
        read_webhook(url, given)
    except WebhookRefused as refused:
        return str(refused)
    return None


BOTH = rules(schemes=("http", "https"), ports=(80, 443, 8443))
UNREADABLE = "a webhook is an absolute URL without user name and fragment"
NO_HOST = "the webhook's host can't be read"
NO_ADDRESS = "the webhook's address isn't allowed"
NO_PORT = "the webhook's port isn't allowed"


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://a.example", ("https", "a.example", 443, "/", "a.example")),
        ("HTTPS://A.Example/P?q=1", ("https", "a.example", 443, "/P?q=1", "a.example")),
        ("https://a.example?q", ("https", "a.example", 443, "/?q", "a.example")),
        ("https://a.example:443/", ("https", "a.example", 443, "/", "a.example")),
        (
            "https://a.example:8443/",
            ("https", "a.example", 8443, "/", "a.example:8443"),
        ),
        ("http://a.example/", ("http", "a.example", 80, "/", "a.example")),
        ("http://a.example:443/", ("http", "a.example", 443, "/", "a.example:443")),
        ("https://8.8.8.8/", ("https", "8.8.8.8", 443, "/", "8.8.8.8")),
        (
            "https://[2606:4700:0:0::1111]:8443/",
            ("https", "2606:4700::1111", 8443, "/", "[2606:4700:0:0::1111]:8443"),
        ),
    ],
    ids=range(9),
)
def test_an_address_has_its_parts(
    url: str, parts: tuple[str, str, int, str, str]
) -> None:
    """As it is called by them."""
    scheme, host, port, target, authority = parts

    assert read_webhook(url, BOTH) == Webhook(
        scheme=scheme, host=host, port=port, target=target, authority=authority
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.example",
        "//a.example/",
        "https:/a.example/",
        "https://",
        "https://a@a.example/",
        "https://a.example/#f",
        "https://a.example\\@b.example/",
        "https://a.example/ b",
        "https://a.example/\n",
        "https://ä.example/",
        "https://a%2eexample/",
        "https://a.example:/",
        "https://a.example:123456/",
        "1https://a.example/",
        "https://a.example/" + "a" * 2031,
    ],
    ids=range(16),
)
def test_what_can_be_read_in_two_ways_is_refused(url: str) -> None:
    """The refusal doesn't repeat it."""
    assert refusal(url, BOTH) == UNREADABLE


def test_the_longest_address_is_taken() -> None:
    """And not one more character."""
    assert refusal("https://a.example/" + "a" * 2030, BOTH) is None


@pytest.mark.parametrize(
    ("schemes", "said"),
    [
        (("https",), "a webhook's scheme is https"),
        (("https", "http"), "a webhook's scheme is https or http"),
    ],
)
def test_a_scheme_is_one_of_those_that_are_named(
    schemes: tuple[str, ...], said: str
) -> None:
    """Whatever else there is."""
    assert refusal("ftp://a.example/", rules(schemes=schemes)) == said
    assert (refusal("http://a.example/", rules(schemes=schemes)) is None) == (
        "http" in schemes
    )


@pytest.mark.parametrize(
    ("port", "ports", "said"),
    [
        (443, None, None),
        (80, None, NO_PORT),
        (8443, (8443,), None),
        (443, (8443,), NO_PORT),
        (65535, (65535,), None),
        (65536, (65536,), NO_PORT),
        (1, (1,), None),
        (0, (0,), NO_PORT),
    ],
)
def test_a_port_is_the_own_one_or_named(
    port: int, ports: tuple[int, ...] | None, said: str | None
) -> None:
    """And there is such a port."""
    assert refusal(f"https://a.example:{port}/", rules(ports=ports)) == said


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("a", None),
        ("a_b-c.example", None),
        ("_a.example", None),
        ("a" * 63 + ".example", None),
        (".".join(["a" * 63] * 3 + ["b" * 61]), None),
        (".".join(["a" * 63] * 3 + ["b" * 62]), NO_HOST),
        ("a" * 64 + ".example", NO_HOST),
        ("-a.example", NO_HOST),
        ("a-.example", NO_HOST),
        ("a..example", NO_HOST),
        (".example", NO_HOST),
        ("a.example.", NO_HOST),
        ("2130706433", NO_HOST),
        ("0x7f000001", NO_HOST),
        ("0X7F.1", NO_HOST),
        ("127.1", NO_HOST),
        ("a.0x", NO_HOST),
        ("a.1", NO_HOST),
        ("08.8.8.8", NO_HOST),
        ("1.example", None),
        ("[::1::2]", NO_HOST),
        ("127.0.0.1", NO_ADDRESS),
        ("10.0.0.1", NO_ADDRESS),
        ("[::1]", NO_ADDRESS),
        ("[::ffff:8.8.8.8]", None),
    ],
)
def test_a_host_is_a_name_or_an_allowed_address(host: str, said: str | None) -> None:
    """In the usual spelling."""
    assert refusal(f"https://{host}/", rules()) == said


def test_an_address_in_a_network_that_is_named_is_allowed() -> None:
    """Only there."""
    given = rules(networks=("10.1.0.0/16",))

    assert refusal("https://10.1.0.1/", given) is None
    assert refusal("https://10.2.0.1/", given) == NO_ADDRESS


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("a.example", True),
        ("A.EXAMPLE", True),
        ("b.a.example", False),
        ("x.sub.example", True),
        ("y.x.sub.example", True),
        ("sub.example", False),
        ("xsub.example", False),
        ("8.8.8.8", True),
        ("8.8.4.4", False),
    ],
)
def test_a_host_is_one_of_those_that_are_named(host: str, *, allowed: bool) -> None:
    """Whatever the case of the names."""
    given = rules(hosts=("A.example", "*.Sub.example", "8.8.8.8"))

    said = None if allowed else "the webhook's host isn't allowed"
    assert refusal(f"https://{host}/", given) == said
    assert (
        refusal(f"https://{host}/", rules(hosts=()))
        == "the webhook's host isn't allowed"
    )
