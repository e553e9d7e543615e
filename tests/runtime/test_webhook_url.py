"""Which addresses of webhooks are read, and which IP addresses they may have."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import inet_aton

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.recipes.push.public_address import Network, is_allowed
from runtime.recipes.push.webhook_url import (
    Webhook,
    WebhookRefused,
    WebhookRules,
    read_webhook,
)

HTTPS = ("https",)
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def rules(
    schemes: tuple[str, ...] = HTTPS,
    *,
    hosts: tuple[str, ...] | None = None,
    ports: tuple[int, ...] | None = None,
    networks: tuple[Network, ...] = (),
) -> WebhookRules:
    return WebhookRules(schemes=schemes, hosts=hosts, ports=ports, networks=networks)


def refusal(url: str, given: WebhookRules | None = None) -> str | None:
    """Give why an address is refused."""
    try:
        read_webhook(url, given or rules())
    except WebhookRefused as refused:
        return str(refused)
    return None


def test_the_parts_of_an_address() -> None:
    assert read_webhook("HTTPS://Hooks.Example.com/A/b?c=%20d", rules()) == Webhook(
        scheme="https",
        host="hooks.example.com",
        port=443,
        target="/A/b?c=%20d",
        authority="hooks.example.com",
    )
    other = read_webhook(
        "http://[2606:4700::1111]:8080?q", rules(("http",), ports=(8080,))
    )
    assert other == Webhook(
        scheme="http",
        host="2606:4700::1111",
        port=8080,
        target="/?q",
        authority="[2606:4700::1111]:8080",
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/hook",
        "//example.com/hook",
        "https:example.com",
        "https:/example.com",
        "https:///hook",
        "https://",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://@example.com/",
        "https://example.com@10.0.0.1/",
        "https://example.com/#",
        "https://example.com/#hook",
        "https://10.0.0.1#example.com/",
        "https://example.com\\@10.0.0.1/",
        "https://example.com\\.internal/",
        " https://example.com/",
        "https://example.com/\n",
        "https://example.com/a b",
        "https://exa\tmple.com/",
        "https://example.com/\r\nHost:x",
        "https://example.com:80:443/",
        "https://example.com:-1/",
        "https://example.com:1e3/",
        "https://example.com:x/",
        "https://exämple.com/",
        "https://example.com/ü",
        "https://1\u20442.0.0.1/",
        "https://\uff11\uff12\uff17.0.0.1/",
        "https://\u2460\u2461\u2466.0.0.1/",
        "https://127\u30020.0.1/",
        "https://example%2ecom/",
        "https://%31%32%37.0.0.1/",
        "https://[::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[v1.x]/",
        "https://[::1/",
        "https://::1/",
        "https://" + "a" * 2050,
    ],
)
def test_what_is_no_plain_absolute_url_is_refused(url: str) -> None:
    assert refusal(url) == "a webhook is an absolute URL without user name and fragment"


@pytest.mark.parametrize(
    "host",
    [
        "example.com.",
        "localhost.",
        "metadata.google.internal.",
        ".example.com",
        "a..b",
        "-a.example.com",
        "a-.example.com",
        "a" * 64 + ".com",
        ".".join(["a" * 60] * 5),
        "_",
        "...",
    ],
)
def test_a_name_that_is_none_is_refused(host: str) -> None:
    # A label of one underline is a label.
    wanted = None if host == "_" else "the webhook's host can't be read"
    assert refusal(f"https://{host}/") == wanted


@pytest.mark.parametrize(
    ("url", "given"),
    [
        ("http://example.com/", rules()),
        ("ftp://example.com/", rules()),
        ("file://localhost/etc/passwd", rules()),
        ("gopher://example.com/", rules(("https", "http"))),
        ("https://example.com/", rules(("http",))),
    ],
)
def test_another_scheme_is_refused(url: str, given: WebhookRules) -> None:
    assert (refusal(url, given) or "").startswith("a webhook's scheme is http")


@pytest.mark.parametrize(
    ("url", "ports", "fits"),
    [
        ("https://example.com/", None, True),
        ("https://example.com:443/", None, True),
        ("https://example.com:8443/", None, False),
        ("https://example.com:80/", None, False),
        ("https://example.com:22/", None, False),
        ("https://example.com:0/", None, False),
        ("https://example.com:65536/", (65536,), False),
        ("https://example.com:00443/", None, True),
        ("https://example.com:8443/", (8443,), True),
        ("https://example.com/", (8443,), False),
    ],
)
def test_ports(url: str, ports: tuple[int, ...] | None, *, fits: bool) -> None:
    why = refusal(url, rules(ports=ports))
    assert why == (None if fits else "the webhook's port isn't allowed")


@pytest.mark.parametrize(
    ("host", "hosts", "fits"),
    [
        ("hooks.example.com", ("hooks.example.com",), True),
        ("HOOKS.example.COM", ("Hooks.Example.com",), True),
        ("a.hooks.example.com", ("hooks.example.com",), False),
        ("a.example.com", ("*.example.com",), True),
        ("a.b.example.com", ("*.example.com",), True),
        ("example.com", ("*.example.com",), False),
        ("badexample.com", ("*.example.com",), False),
        ("example.com.evil.net", ("*.example.com", "example.com"), False),
        ("8.8.8.8", ("hooks.example.com",), False),
        ("hooks.example.com", (), False),
    ],
)
def test_hosts(host: str, hosts: tuple[str, ...], *, fits: bool) -> None:
    why = refusal(f"https://{host}/", rules(hosts=hosts))
    assert why == (None if fits else "the webhook's host isn't allowed")


# --- addresses -----------------------------------------------------------------

NOT_PUBLIC = [
    "0.0.0.0",  # noqa: S104
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "::127.0.0.1",
    "::8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:3::1",
    "2001:4:112::1",
    "2001:20::1",
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "172.32.0.1",
    "192.0.1.1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2606:4700::1111",
    "2a00:1450:4001::1",
]


def url_of(address: str) -> str:
    return f"https://[{address}]/" if ":" in address else f"https://{address}/"


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not is_allowed(ip_address(address), ())
    assert refusal(url_of(address)) == "the webhook's address isn't allowed"


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_allowed(ip_address(address), ())
    assert refusal(url_of(address)) is None


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
)
def test_a_network_that_is_named_is_allowed(address: str) -> None:
    assert is_allowed(ip_address(address), LOOPBACK)
    assert refusal(url_of(address), rules(networks=LOOPBACK)) is None


@pytest.mark.parametrize(
    "address",
    ["10.0.0.1", "169.254.169.254", "168.63.129.16", "fd00:ec2::254", "224.0.0.1"],
)
def test_no_network_opens_what_tells_secrets(address: str) -> None:
    everything = (ip_network("0.0.0.0/0"), ip_network("::/0"))
    assert not is_allowed(ip_address(address), LOOPBACK)
    assert is_allowed(ip_address(address), everything) == (address == "10.0.0.1")


@given(st.ip_addresses(v=6))
def test_no_other_ipv6_address_carries_an_ipv4_address_past(
    address: IPv6Address,
) -> None:
    """Whatever is allowed is unicast, or carries a public IPv4 address."""
    if is_allowed(address, ()) and address not in ip_network("2000::/3"):
        inner = address.ipv4_mapped or IPv4Address(address.packed[-4:])
        assert is_allowed(inner, ())


carriers = st.sampled_from(["::ffff:", "64:ff9b::"])


@given(carriers, st.ip_addresses(v=4))
def test_a_carried_ipv4_address_is_judged_as_itself(
    carrier: str, inner: IPv4Address
) -> None:
    for networks in ((), LOOPBACK):
        carried = is_allowed(IPv6Address(f"{carrier}{inner}"), networks)
        assert carried == is_allowed(inner, networks)


# --- spellings -----------------------------------------------------------------

LOCAL = st.one_of(
    st.ip_addresses(network="127.0.0.0/8"),
    st.ip_addresses(network="10.0.0.0/8"),
    st.ip_addresses(network="169.254.0.0/16"),
).map(lambda address: IPv4Address(int(address)))


FORMS = ("{}", "0{:o}", "000{:o}", "0x{:x}", "0X{:X}", "0x00{:x}")


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Spell an IPv4 address as inet_aton reads it, in one to four numbers."""
    number = int(draw(LOCAL))
    count = draw(st.integers(1, 4))
    parts = [number >> (24 - 8 * at) & 0xFF for at in range(count - 1)]
    parts.append(number & (0xFFFFFFFF >> (8 * (count - 1))))
    forms = [draw(st.sampled_from(FORMS)) for _ in parts]
    return ".".join(map(str.format, forms, parts))


@given(spellings(), st.sampled_from(["", "."]))
def test_no_spelling_of_a_local_address_is_read(host: str, end: str) -> None:
    assert not is_allowed(IPv4Address(inet_aton(host)), ())
    assert refusal(f"https://{host}{end}/") is not None


@given(st.text("0123456789abcdefxXo.", min_size=1, max_size=20))
def test_whatever_a_library_takes_for_an_address_is_judged(host: str) -> None:
    try:
        address = IPv4Address(inet_aton(host))
    except OSError:
        return
    why = refusal(f"https://{host}/")
    assert why is not None or (is_allowed(address, ()) and host == str(address))


@given(st.text(max_size=40))
def test_whatever_is_read_has_a_plain_host(text: str) -> None:
    """What is connected to was judged: a name of labels, or an allowed address."""
    for url in (f"https://{text}/", f"https://example.com{text}", text):
        try:
            webhook = read_webhook(url, rules())
        except WebhookRefused:
            continue
        assert webhook.host.isascii()
        assert not set(webhook.host) & set("/?#@%[] \\")
        assert webhook.target.startswith("/")
        assert webhook.port == 443
