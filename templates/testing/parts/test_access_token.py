"""A token is taken if its issuer's key has signed it, for this service, for now."""

import time

import jwt
import pytest
from jwt import PyJWK

from runtime.recipes.authentication.access_token import TokenVerifier
from runtime.recipes.authentication.verifying_keys import StaticKey

pytestmark = pytest.mark.anyio

MINE, OTHER = "m" * 64, "o" * 64
BY_ISSUER = {"one": MINE, "two": OTHER}


def verifier(
    *issuers: str, algorithms: tuple[str, ...] = ("HS256",), subject_claim: str = "sub"
) -> TokenVerifier:
    """Verify tokens of these issuers."""
    return TokenVerifier(
        keys={name: StaticKey(BY_ISSUER[name], algorithms) for name in issuers},
        audiences=("me", "us"),
        algorithms=algorithms,
        leeway_s=1000,
        subject_claim=subject_claim,
    )


ONE, BOTH = verifier("one"), verifier("one", "two")
MANY = verifier("one", algorithms=("HS256", "HS512"))


def token(key: str = MINE, algorithm: str = "HS256", **more: object) -> str:
    """Sign a token; what is None is left out of it."""
    claims = {"iss": "one", "aud": "me", "sub": "ann", "exp": time.time() + 600}
    said = {name: each for name, each in (claims | more).items() if each is not None}
    return jwt.encode(said, key, algorithm)


@pytest.mark.parametrize(
    ("it", "given", "caller"),
    [
        (ONE, token(), "ann"),
        (ONE, token(aud="us"), "ann"),
        (ONE, token(aud=["other", "us"]), "ann"),
        (ONE, token(exp=time.time() - 300), "ann"),
        (ONE, token(nbf=time.time() + 300), "ann"),
        (MANY, token(), "ann"),
        (MANY, token(algorithm="HS512"), "ann"),
        (BOTH, token(), "one|ann"),
        (BOTH, token(OTHER, iss="two"), "two|ann"),
        (verifier("one", subject_claim="name"), token(name="bob", sub=None), "bob"),
    ],
    ids=range(10),
)
async def test_a_good_token_names_its_caller(
    it: TokenVerifier, given: str, caller: str
) -> None:
    """Of several issuers, each for itself."""
    assert (await it.verify(given)).caller == caller


@pytest.mark.parametrize(
    ("it", "given", "error"),
    [
        (ONE, "no token", jwt.DecodeError),
        (BOTH, "no token", jwt.DecodeError),
        (ONE, token(OTHER), jwt.InvalidSignatureError),
        (ONE, token(algorithm="HS512"), jwt.InvalidAlgorithmError),
        (MANY, token(algorithm="HS384"), jwt.InvalidAlgorithmError),
        (ONE, token("", "none"), jwt.InvalidAlgorithmError),
        (MANY, token("", "none"), jwt.InvalidAlgorithmError),
        (ONE, token(iss="two"), jwt.InvalidIssuerError),
        (BOTH, token(iss="two"), jwt.InvalidSignatureError),
        (BOTH, token(OTHER), jwt.InvalidSignatureError),
        (BOTH, token(iss="three"), jwt.InvalidIssuerError),
        (BOTH, token(iss=None), jwt.InvalidIssuerError),
        (ONE, token(aud="other"), jwt.InvalidAudienceError),
        (ONE, token(exp=time.time() - 5000), jwt.ExpiredSignatureError),
        (ONE, token(nbf=time.time() + 5000), jwt.ImmatureSignatureError),
        (ONE, token(iss=None), jwt.MissingRequiredClaimError),
        (ONE, token(aud=None), jwt.MissingRequiredClaimError),
        (ONE, token(exp=None), jwt.MissingRequiredClaimError),
        (ONE, token(sub=None), jwt.MissingRequiredClaimError),
        (ONE, token(sub=" "), jwt.InvalidTokenError),
        (verifier("one", subject_claim="name"), token(), jwt.MissingRequiredClaimError),
        (verifier("one", subject_claim="name"), token(name=1), jwt.InvalidTokenError),
    ],
    ids=range(22),
)
async def test_another_token_is_refused_by_what_is_wrong(
    it: TokenVerifier, given: str, error: type[Exception]
) -> None:
    """And by nothing else."""
    with pytest.raises(error) as refused:
        await it.verify(given)
    assert type(refused.value) is error


class Named:
    """Keys that are found by what a token calls them."""

    only: PyJWK | None = None

    async def find(self, kid: object, algorithm: object) -> PyJWK | None:
        """Give the one."""
        found = StaticKey(MINE, ("HS256",)).only
        return found if (kid, algorithm) == ("mine", "HS256") else None


@pytest.mark.parametrize(("kid", "is_found"), [("mine", True), ("other", False)])
async def test_a_token_names_its_key(kid: str, *, is_found: bool) -> None:
    """Where its issuer has several."""
    it = TokenVerifier(
        keys={"one": Named()},
        audiences=("me",),
        algorithms=("HS256",),
        leeway_s=0,
        subject_claim="sub",
    )
    claims = {"iss": "one", "aud": "me", "sub": "ann", "exp": time.time() + 600}
    given = jwt.encode(claims, MINE, "HS256", headers={"kid": kid})

    if is_found:
        assert (await it.verify(given)).caller == "ann"
        return
    with pytest.raises(jwt.InvalidAlgorithmError):
        await it.verify(given)


@pytest.mark.parametrize(
    ("scope", "scp", "granted"),
    [
        (None, None, ""),
        ("a b", None, "a b"),
        (None, "a", "a"),
        (None, ["a", "b c"], "a b c"),
        ("a", ["b"], "a b"),
        (1, "b", "b"),
        (None, ["a", 1], ""),
    ],
    ids=range(7),
)
async def test_scopes_are_a_text_or_a_list(
    scope: object, scp: object, granted: str
) -> None:
    """What is neither grants nothing."""
    found = await ONE.verify(token(scope=scope, scp=scp, scopes="other"))

    assert found.scopes == set(granted.split())
    assert (found.claims.get("scope"), found.claims.get("scp")) == (scope, scp)
    assert found.claims["scopes"] == "other"
