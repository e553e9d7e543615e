"""What the spec accepts of an identity, the service starts with, and the reverse."""

from itertools import product
from typing import get_args

import pytest
from pydantic import ValidationError

from interceptgen.recipes import RECIPES
from interceptgen.recipes.access_token import BearerJwt as Settings
from interceptgen.recipes.sample_keys import sample_key
from interceptgen.spec.problem import Finding
from interceptgen.spec.recipe_checks import check_recipes
from interceptgen.spec.tree import read_tree
from runtime.recipes.authentication.bearer_jwt import BearerJwt
from runtime.recipes.authentication.jwks import JwksKeys
from runtime.recipes.authentication.verifying_keys import ASYMMETRIC, SYMMETRIC

(ITEM, _) = get_args(Settings.model_fields["algorithms"].annotation)
ALGORITHMS: tuple[str, ...] = get_args(ITEM)


def found(settings: str) -> list[Finding]:
    data = f"interceptors: [{{name: who, use: bearer_jwt, with: {settings}}}]\n"
    return list(check_recipes(read_tree(data.encode()), RECIPES))


def starts(key: str | None, urls: tuple[str, ...], *algorithms: str) -> bool:
    """Tell whether a service with this identity starts."""
    try:
        BearerJwt(
            issuers=("a",),
            audiences=("b",),
            key=key,
            jwks_urls=urls,
            algorithms=algorithms,
        )
    except ValueError:
        return False
    return True


def test_the_spec_knows_the_algorithms_of_the_service() -> None:
    assert set(ALGORITHMS) == ASYMMETRIC | SYMMETRIC


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_key_for_tests_fits_its_algorithm(algorithm: str) -> None:
    assert starts(sample_key(algorithm), (), algorithm)


@pytest.mark.parametrize(("one", "other"), list(product(ALGORITHMS, repeat=2)))
def test_one_key_is_for_the_same_algorithms_in_both(one: str, other: str) -> None:
    settings = "{issuers: [a], audiences: [b], key: {env: KEY}, algorithms: [%s, %s]}"
    accepted = not found(settings % (one, other))
    assert accepted == starts(sample_key(one), (), one, other)


@pytest.mark.parametrize(("one", "other"), list(product(ALGORITHMS, repeat=2)))
def test_key_sets_are_for_the_same_algorithms_in_both(one: str, other: str) -> None:
    url = "https://a.b"
    settings = "{issuers: [a], audiences: [b], jwks_urls: [%r], algorithms: [%s, %s]}"
    accepted = not found(settings % (url, one, other))
    assert accepted == starts(None, (url,), one, other)


@pytest.mark.parametrize(
    "url",
    [
        *("https://a.b/keys", "https://a.b:8443", "http://localhost:1/k"),
        *("http://127.0.0.1/k", "http://[::1]/k", "HTTPS://A.B/k"),
        *("http://a.b/keys", "http://127.0.0.2/k", "ftp://a.b", "a.b/keys", ""),
        *("https://", "https:///keys", "https://me@a.b", "https://me:pw@a.b/k"),
        *("http://localhost.a.b/k", "file:///etc/keys", "https://a.b/k\n"),
    ],
)
def test_key_sets_are_at_the_same_addresses_in_both(url: str) -> None:
    try:
        JwksKeys(url, ("RS256",), ttl_s=1, cooldown_s=1)
        safe = True
    except ValueError:
        safe = False
    given = {"issuers": ("a",), "audiences": ("b",), "jwks_urls": (url,)}
    try:
        Settings.model_validate(given)
    except ValidationError:
        assert not safe
    else:
        assert safe


@pytest.mark.parametrize("url", ["https://a.b:99999", "https://a b/k"])
def test_an_address_that_nobody_could_reach_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="is no URL"):
        Settings.model_validate({"issuers": (), "audiences": (), "jwks_urls": (url,)})
