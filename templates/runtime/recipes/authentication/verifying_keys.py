"""The keys that tokens are verified with, each bound to the algorithm it is for.

Bound, because a token names its algorithm itself: a public key must never
serve as the secret of an HS algorithm.
"""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from jwt import PyJWK, PyJWTError, get_algorithm_by_name
from pydantic import BaseModel, JsonValue, ValidationError

__all__ = ["ASYMMETRIC", "SYMMETRIC", "StaticKey", "VerifyingKeys", "published_keys"]

# Without "none", which signs nothing.
ASYMMETRIC = frozenset(
    f"{family}{size}" for family in ("RS", "PS", "ES") for size in (256, 384, 512)
) | {"EdDSA"}
SYMMETRIC = frozenset({"HS256", "HS384", "HS512"})

_Jwk: TypeAlias = dict[str, JsonValue]


class VerifyingKeys(Protocol):
    """The keys of one issuer.

    Attributes:
        only: The one key, if it needs no header to find it.
    """

    only: PyJWK | None

    async def find(self, kid: object, algorithm: object) -> PyJWK | None:
        """Give the key for a token's unverified header, None without one.

        Args:
            kid: What the header calls the key; may be anything.
            algorithm: What it says the token is signed with; the same.
        """
        ...


class StaticKey:
    """One key, whatever a token calls it."""

    def __init__(self, key: str, algorithms: tuple[str, ...]) -> None:
        r"""Read the key for each algorithm.

        Args:
            key: A public key as PEM, also with `\n` for its line breaks; or
                the shared secret of the HS algorithms.
            algorithms: Those that it has to fit.

        Raises:
            ValueError: If it doesn't fit one of them. Tells nothing of the key.
        """
        self._keys = {name: _verifying_key(key, name) for name in algorithms}
        self.only: PyJWK | None = None
        if len(self._keys) == 1:
            (self.only,) = self._keys.values()

    async def find(self, kid: object, algorithm: object) -> PyJWK | None:
        """Give the key if it is for this algorithm."""
        del kid
        return self._keys.get(algorithm) if isinstance(algorithm, str) else None


def published_keys(
    key_set: bytes, algorithms: tuple[str, ...]
) -> dict[tuple[str, str], PyJWK]:
    """Read a JSON Web Key Set (RFC 7517).

    Args:
        key_set: The document as an issuer publishes it.
        algorithms: The asymmetric algorithms that keys are wanted for.

    Returns:
        The usable keys by name and algorithm; the others are passed over.
    """
    try:
        found = _KeySet.model_validate_json(key_set).keys
    except ValidationError:
        return {}
    return {
        (kid, name): key
        for jwk in found
        if isinstance(kid := jwk.get("kid"), str) and _is_for_verifying(jwk)
        for name, key in _fitting(jwk, algorithms)
    }


class _KeySet(BaseModel):
    keys: list[_Jwk]


def _is_for_verifying(jwk: _Jwk) -> bool:
    operations = jwk.get("key_ops", ["verify"])
    return (
        jwk.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
        # A private key that is published is everybody's.
        and "d" not in jwk
    )


def _fitting(jwk: _Jwk, algorithms: tuple[str, ...]) -> Iterable[tuple[str, PyJWK]]:
    for name in algorithms:
        if jwk.get("alg", name) != name:
            continue
        try:
            key = PyJWK(jwk, name)
            # Here PyJWT checks the curve, which making the key doesn't.
            weak = key.Algorithm.check_key_length(key.Algorithm.prepare_key(key.key))
        except (PyJWTError, TypeError, ValueError):
            continue
        if weak is None:
            yield name, key


def _verifying_key(text: str, name: str) -> PyJWK:
    algorithm = get_algorithm_by_name(name)
    pem = text if name in SYMMETRIC else text.replace("\\n", "\n")
    try:
        key = algorithm.prepare_key(pem)
        weak = algorithm.check_key_length(key)
        jwk = algorithm.to_jwk(key, as_dict=True)
    except (PyJWTError, TypeError, ValueError):
        weak, jwk = None, {}
    # Outside the handler: the cause could show the key in a traceback.
    if weak is not None or not jwk:
        raise ValueError(f"the key is no {name} key, or is too short for one")
    if "d" in jwk:
        raise ValueError("the key is a private one; give the issuer's public key")
    return PyJWK(jwk, name)
