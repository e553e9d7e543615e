"""Which keys verify, and each only by the algorithm that it is for."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from runtime.recipes.authentication.verifying_keys import (
    ASYMMETRIC,
    SYMMETRIC,
    StaticKey,
    published_keys,
)

pytestmark = pytest.mark.anyio

PRIVATE = rsa.generate_private_key(65537, 2048)
PEM = (
    PRIVATE.public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    .decode()
)
RSA: dict[str, object] = {
    **json.loads(RSAAlgorithm.to_jwk(PRIVATE.public_key())),
    "kid": "one",
}
CURVE = ec.generate_private_key(ec.SECP384R1()).public_key()
EC: dict[str, object] = {**json.loads(ECAlgorithm.to_jwk(CURVE)), "kid": "two"}
NAMES = ("RS256", "ES256", "ES384")
LEAKED = json.loads(RSAAlgorithm.to_jwk(PRIVATE)) | {
    "kid": "one",
    "key_ops": ["verify"],
}


def usable(*keys: object) -> list[tuple[str, str]]:
    """Name the keys that a document holds for use."""
    document = json.dumps({"keys": keys}).encode()
    return sorted(published_keys(document, NAMES))


def without(key: dict[str, object], name: str) -> dict[str, object]:
    """Give a key without an entry."""
    return {each: value for each, value in key.items() if each != name}


def test_each_key_is_for_the_algorithms_that_it_fits() -> None:
    """An elliptic curve fits one of them."""
    assert usable(RSA, EC) == [("one", "RS256"), ("two", "ES384")]
    assert usable({**EC, "alg": "ES384"}) == [("two", "ES384")]


@pytest.mark.parametrize(
    "more",
    [
        {"use": "sig"},
        {"alg": "RS256"},
        {"key_ops": ["verify"]},
        {"key_ops": ["sign", "verify"], "use": "sig"},
    ],
)
def test_a_key_may_say_what_it_is_for(more: dict[str, object]) -> None:
    """As long as that is to verify."""
    assert usable({**RSA, **more}) == [("one", "RS256")]


@pytest.mark.parametrize(
    "key",
    [
        {**RSA, "use": "enc"},
        {**RSA, "alg": "RS512"},
        {**RSA, "key_ops": ["sign"]},
        {**RSA, "key_ops": "verify"},
        LEAKED,
        {**RSA, "kid": 1},
        {**RSA, "n": "AQ"},
        {**RSA, "kty": "none"},
        without(RSA, "kid"),
        without(RSA, "n"),
    ],
)
def test_a_key_that_cannot_verify_is_passed_over(key: dict[str, object]) -> None:
    """The others are still good."""
    assert usable(key) == []
    assert usable(key, RSA) == [("one", "RS256")]


@pytest.mark.parametrize("document", [b"", b"[]", b'{"keys": 1}', b'{"keys": [1]}'])
def test_another_document_holds_none(document: bytes) -> None:
    """It isn't an error of the caller's."""
    assert published_keys(document, NAMES) == {}


@pytest.mark.parametrize(
    "pem", [PEM, PEM.replace("\n", "\\n")], ids=["in lines", "in one line"]
)
async def test_one_key_needs_no_name(pem: str) -> None:
    """It is found whatever a token calls it, for its algorithms only."""
    key = StaticKey(pem, ("RS256",))

    found = await key.find("any", "RS256")

    assert found is key.only is not None
    assert await key.find(None, "RS256") is key.only
    assert await key.find("any", "HS256") is None
    assert await key.find("any", ["RS256"]) is None
    assert StaticKey(pem, ("RS256", "RS512")).only is None
    sizes, families = ("256", "384", "512"), ("RS", "PS", "ES")
    assert {f + size for f in families for size in sizes} | {"EdDSA"} == ASYMMETRIC
    larger = StaticKey(pem, ("RS512",)).only
    assert larger
    assert larger.algorithm_name == "RS512"


async def test_a_secret_is_long_enough_for_its_algorithm() -> None:
    """It is taken as it is written; none of them signs nothing."""
    assert {"HS256", "HS384", "HS512"} == SYMMETRIC
    key = StaticKey("s" * 30 + "\\n", ("HS256",))

    assert key.only is not None
    assert await key.find("any", "HS256") is key.only
    with pytest.raises(ValueError, match="too short"):
        StaticKey("s" * 31, ("HS256",))


@pytest.mark.parametrize(
    "key",
    ["", "no key", PEM[:100], PEM[: len(PEM) // 2]],
    ids=["empty", "words", "begun", "half"],
)
def test_what_is_no_key_is_refused_and_not_shown(key: str) -> None:
    """When the service starts."""
    with pytest.raises(ValueError, match="no RS256 key") as refused:
        StaticKey(key, ("RS256",))
    assert refused.value.__context__ is None


def test_a_private_key_is_refused() -> None:
    """It doesn't belong here."""
    private = PRIVATE.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    ).decode()

    said = "^the key is a private one; give the issuer's public key$"
    with pytest.raises(ValueError, match=said):
        StaticKey(private, ("RS256",))
    with pytest.raises(ValueError, match="no ES256 key"):
        StaticKey(PEM, ("ES256",))
