"""Settings that don't fit together stop the service at its start."""

from typing import TypedDict

import pytest

from runtime.recipes.authentication.bearer_jwt import BearerJwt

URL = "https://one.example/keys"
SECRET = "s" * 64


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    issuers: tuple[str, ...]
    audiences: tuple[str, ...]
    jwks_urls: tuple[str, ...]
    key: str
    algorithms: tuple[str, ...]
    leeway_s: float
    jwks_ttl_s: float
    jwks_cooldown_s: float
    subject_claim: str


def built(given: Given) -> BearerJwt:
    """Build the recipe with these in place of settings that fit."""
    by_url: Given = {"issuers": ("one",), "audiences": ("me",), "jwks_urls": (URL,)}
    whole: Given = {**by_url, **given}
    return BearerJwt(**whole)


@pytest.mark.parametrize(
    "given",
    [
        Given(),
        Given(issuers=("one", "two"), jwks_urls=(URL, URL)),
        Given(issuers=("o|ne",)),
        Given(jwks_urls=(), key=SECRET, algorithms=("HS256", "HS512")),
        Given(leeway_s=0, jwks_ttl_s=0, jwks_cooldown_s=0),
        Given(algorithms=("ES256", "EdDSA")),
    ],
    ids=range(6),
)
def test_settings_that_fit_are_taken(given: Given) -> None:
    """By key sets, or by one key of one issuer."""
    scheme = built(given).scheme().http_auth_security_scheme

    assert (scheme.scheme, scheme.bearer_format) == ("bearer", "JWT")
    assert " or ".join(given.get("issuers", ("one",))) in scheme.description
    assert "audience me." in scheme.description
    assert "skill" not in scheme.description


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(issuers=(), jwks_urls=()), "name an issuer"),
        (Given(issuers=("one", "one"), jwks_urls=(URL, URL)), "none twice"),
        (Given(issuers=("o|ne", "two"), jwks_urls=(URL, URL)), "none may have it"),
        (Given(audiences=()), "name an audience"),
        (Given(audiences=("me", "")), "name an audience"),
        (Given(jwks_urls=()), "give jwks_urls or key"),
        (Given(key=SECRET, algorithms=("HS256",)), "give jwks_urls or key"),
        (Given(issuers=("one", "two")), "a key set for each issuer"),
        (
            Given(
                issuers=("one", "two"), jwks_urls=(), key=SECRET, algorithms=("HS256",)
            ),
            "one key for one issuer",
        ),
        (Given(algorithms=()), "algorithms are asymmetric"),
        (Given(algorithms=("HS256",)), "algorithms are asymmetric"),
        (Given(algorithms=("none",)), "algorithms are asymmetric"),
        (
            Given(jwks_urls=(), key=SECRET, algorithms=("HS256", "RS256")),
            "algorithms are asymmetric",
        ),
        (Given(subject_claim=""), "claim of the subject"),
        (Given(leeway_s=-1), "no time is below zero"),
        (Given(jwks_ttl_s=-1), "no time is below zero"),
        (Given(jwks_cooldown_s=-1), "no time is below zero"),
    ],
    ids=range(17),
)
def test_others_are_refused_by_what_they_break(given: Given, rule: str) -> None:
    """And by nothing of a key."""
    with pytest.raises(ValueError, match=rule) as refused:
        built(given)
    assert str(refused.value).startswith("bearer_jwt: ")
    assert SECRET not in str(refused.value)
