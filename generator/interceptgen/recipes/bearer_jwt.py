"""The recipe `bearer_jwt`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from interceptgen.recipes.access_token import BearerJwt
from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.identity import only_one_identity
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.sample_keys import family_of, sample_key
from interceptgen.recipes.settings import Settings, bad_value
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["BEARER_JWT"]

_NAME: Final = "bearer_jwt"
_SHARED: Final = "a shared secret"


def _something_named(chain: Chain) -> Iterator[Finding]:
    """Report an empty list where nobody could get in."""
    for use, settings in _uses(chain):
        for key in ("issuers", "audiences", "algorithms"):
            if not getattr(settings, key):
                problem = bad_value(f"{key!r} is empty", "name at least one")
                yield Finding(loc=use.setting(key), problem=problem)


def _issuers_apart(chain: Chain) -> Iterator[Finding]:
    """Report issuers that can't be told apart in the names of callers."""
    for use, settings in _uses(chain):
        for at, issuer in enumerate(settings.issuers):
            if issuer in settings.issuers[:at]:
                problem = bad_value(f"{shown(issuer)} stands twice", "keep one")
                yield Finding(loc=use.setting("issuers", at), problem=problem)
            elif "|" in issuer and len(settings.issuers) > 1:
                message = f"{shown(issuer)} holds |, which parts issuer and caller"
                problem = bad_value(message, "give it a service of its own")
                yield Finding(loc=use.setting("issuers", at), problem=problem)


def _keys_for_each(chain: Chain) -> Iterator[Finding]:
    """Report issuers without keys, or with two kinds of them."""
    for use, settings in _uses(chain):
        issuers, urls = len(settings.issuers), len(settings.jwks_urls)
        if settings.key is None and not urls:
            message = f"{shown(use.name)} has no keys to verify tokens with"
            problem = bad_value(message, "add jwks_urls:, or key: {env: NAME}")
            yield Finding(loc=use.setting(), problem=problem, at_key=True)
        elif settings.key is not None and urls:
            message = "'key' and 'jwks_urls' stand in one recipe"
            problem = bad_value(message, "keep one of the two")
            yield Finding(loc=use.setting("key"), problem=problem, at_key=True)
        elif settings.key is not None and issuers > 1:
            message = f"'key' is one issuer's, and there are {issuers}"
            problem = bad_value(message, "write jwks_urls:, one for each issuer")
            yield Finding(loc=use.setting("key"), problem=problem, at_key=True)
        elif urls and issuers and urls != issuers:
            message = f"there are {issuers} issuers, and {urls} key sets"
            problem = bad_value(message, "one for each issuer, in the same order")
            yield Finding(loc=use.setting("jwks_urls"), problem=problem)


def _algorithms_fit(chain: Chain) -> Iterator[Finding]:
    """Report algorithms that one kind of key can't be for."""
    for use, settings in _uses(chain):
        found = _misfit(settings, settings.algorithms)
        if found is not None:
            at, problem = found
            yield Finding(loc=use.setting("algorithms", at), problem=problem)


def _misfit(
    settings: BearerJwt, algorithms: Sequence[str]
) -> tuple[int, Problem] | None:
    for at, name in enumerate(algorithms):
        wanted, first = family_of(name), family_of(algorithms[0])
        if wanted == _SHARED and settings.key is None:
            message = f"{shown(name)} needs {_SHARED}, and a key set has none"
            return at, bad_value(message, "write key: {env: NAME}, or leave it out")
        # A key set has keys of several kinds. But a public key must never serve
        # as the secret of an HS algorithm.
        if wanted != first and settings.key is not None:
            message = (
                f"{shown(name)} needs {wanted}, and {shown(algorithms[0])} {first}"
            )
            return at, bad_value(message, "one key is of one kind: keep one of them")
    return None


def _uses(chain: Chain) -> Iterator[tuple[Use, BearerJwt]]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, BearerJwt):
            yield use, use.settings


def _environment(settings: Settings) -> Mapping[str, str]:
    if not isinstance(settings, BearerJwt):
        return {}
    return {"key": sample_key(settings.algorithms[0])}


def _start(name: str) -> Mapping[str, object]:
    return {
        "issuers": ("https://login.example.com/",),
        "audiences": (name,),
        "jwks_urls": ("https://login.example.com/.well-known/jwks.json",),
    }


BEARER_JWT: Final = Recipe(
    name=_NAME,
    description="Lets in who has a token of a known issuer for this service.",
    seams=("perimeter", "before_agent"),
    settings=BearerJwt,
    class_name="BearerJwt",
    module="recipes.authentication.bearer_jwt",
    requires=("pyjwt[crypto]>=2.15", "httpx>=0.28"),
    relations=(
        only_one_identity(_NAME),
        _something_named,
        _issuers_apart,
        _keys_for_each,
        _algorithms_fit,
    ),
    environment=_environment,
    start=_start,
)
