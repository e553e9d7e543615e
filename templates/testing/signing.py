"""Keys that tests sign tokens with."""

import json
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = ["PrivateKey", "as_pem", "key_set", "signing_key"]

PrivateKey: TypeAlias = (
    rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | str
)

_CURVES: dict[str, ec.EllipticCurve] = {
    "ES256": ec.SECP256R1(),
    "ES384": ec.SECP384R1(),
    "ES512": ec.SECP521R1(),
}


def signing_key(owner: str, algorithm: str) -> PrivateKey:
    """Give an owner's key for an algorithm, always the same."""
    is_rsa = algorithm[:2] in {"RS", "PS"}
    return _made(owner, "RSA" if is_rsa else algorithm)


@cache
def _made(owner: str, kind: str) -> PrivateKey:
    if kind in _CURVES:
        return ec.generate_private_key(_CURVES[kind])
    if kind == "EdDSA":
        return ed25519.Ed25519PrivateKey.generate()
    return rsa.generate_private_key(65537, 2048) if kind == "RSA" else owner * 64


def key_set(keys: Iterable[tuple[PrivateKey, str, str]]) -> bytes:
    """Publish keys, each with its algorithm and its name; a secret isn't in a set."""
    found: list[dict[str, object]] = []
    for key, name, kid in keys:
        if not isinstance(key, str):
            public = jwt.get_algorithm_by_name(name).to_jwk(key.public_key())
            found.append({**json.loads(public), "kid": kid, "alg": name})
    return json.dumps({"keys": found}).encode()


def as_pem(key: PrivateKey) -> str:
    """Give the public key as an operator writes it; a secret as it is."""
    if isinstance(key, str):
        return key
    form = (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return key.public_key().public_bytes(*form).decode()
