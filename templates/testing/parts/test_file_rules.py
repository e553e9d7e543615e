"""Which media types and addresses are on a list."""

import pytest

from runtime.recipes.inbound.file_rules import media_type_allowed, uri_allowed

HOSTS = ("files.example.com", "*.Example.org")


@pytest.mark.parametrize(
    ("declared", "allowed"),
    [
        ("image/png", True),
        ("IMAGE/PNG; q=1", True),
        (" image/gif ", True),
        ("text/plain; charset=utf-8", True),
        ("text/html", False),
        ("image", False),
        ("", False),
        ("images/png", False),
        ("application/image/png", False),
    ],
)
def test_a_media_type_is_on_the_list_or_not(declared: str, *, allowed: bool) -> None:
    """By itself or by its kind, whatever its parameters."""
    assert media_type_allowed(declared, ["image/*", "Text/Plain"]) is allowed
    assert media_type_allowed(declared, ["*/*"]) is ("/" in declared)
    assert not media_type_allowed(declared, [])


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://files.example.com/a?b=c#d", True),
        ("HTTPS://FILES.example.com:443/a", True),
        ("https://a.b.example.org/", True),
        ("https://example.org/", False),
        ("https://badexample.org/", False),
        ("https://example.com/", False),
        ("https://x.files.example.com/", False),
        ("http://files.example.com/", False),
        ("ftp://files.example.com/", False),
        ("files.example.com/a", False),
        ("https:///a", False),
        ("https://user@files.example.com/", False),
        ("https://files.example.com@evil.example/", False),
        ("https://files.example.com\\@evil.example/", False),
        ("https://files.example.com/a b", False),
        ("https://files.example.com/\n", False),
        ("https://[files.example.com/", False),
        ("", False),
    ],
)
def test_an_address_is_on_the_lists_or_not(address: str, *, allowed: bool) -> None:
    """By its scheme and its host, and without a login."""
    assert uri_allowed(address, ["Https", "gs"], HOSTS) is allowed


def test_any_host_is_written_as_a_star() -> None:
    """The scheme still counts, and so does what an address may hold."""
    assert uri_allowed("gs://bucket/a", ["gs"], ["*"])
    assert not uri_allowed("gs://bucket/a", ["https"], ["*"])
    assert not uri_allowed("gs://user@bucket/a", ["gs"], ["*"])
    assert not uri_allowed("gs://bucket/a", ["gs"], [])
