"""Only public addresses are allowed, and those in networks that are named."""

from ipaddress import ip_address, ip_network

import pytest

from runtime.recipes.push.public_address import is_allowed


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "192.88.98.1",
        "192.88.100.1",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
    ],
)
def test_a_public_address_is_allowed(address: str) -> None:
    """Also one that IPv6 only carries."""
    assert is_allowed(ip_address(address), ())


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.1",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fc00::1",
        "2001::1",
        "2001:1ff::1",
        "2001:db8::1",
        "2002:808:808::1",
        "3fff::1",
        "4000::1",
        "::ffff:10.0.0.1",
        "64:ff9b::10.0.0.1",
    ],
)
def test_another_one_is_not(address: str) -> None:
    """Unless a network is named that it is in."""
    found = ip_address(address)
    carried = "10.0.0.1" if address.endswith("10.0.0.1") else address

    assert not is_allowed(found, ())
    assert not is_allowed(found, (ip_network("10.1.0.0/16"),))
    assert is_allowed(found, (ip_network("10.1.0.0/16"), ip_network(carried)))


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd20:ce::254",
        "169.254.0.1",
        "fe80::1",
        "224.0.0.1",
        "ff02::1",
        "::ffff:169.254.169.254",
        "64:ff9b::169.254.169.254",
        "::ffff:168.63.129.16",
    ],
)
def test_where_secrets_are_told_is_never_allowed(address: str) -> None:
    """Nor is what isn't one machine's, whatever network is named."""
    everything = (ip_network("0.0.0.0/0"), ip_network("::/0"))

    assert not is_allowed(ip_address(address), everything)
    assert is_allowed(ip_address("10.0.0.1"), everything)
    assert is_allowed(ip_address("fd00::1"), everything)
