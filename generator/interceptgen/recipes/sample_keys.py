"""Keys for tests of a service whose key comes from the environment.

Public ones, made for this and their private halves thrown away: they let the
service start, and nothing can be signed for them.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["family_of", "sample_key"]


def family_of(algorithm: str) -> str:
    """Name the kind of key that an algorithm needs.

    Args:
        algorithm: As RFC 7518 names it, such as `RS256`.
    """
    return _EXACT.get(algorithm) or _BY_PREFIX[algorithm[:2]]


def sample_key(algorithm: str) -> str:
    """Give a key that the algorithm verifies with.

    Args:
        algorithm: As RFC 7518 names it, such as `RS256`.
    """
    return _SAMPLES[family_of(algorithm)]


_BY_PREFIX: Final[Mapping[str, str]] = {
    "RS": "an RSA key",
    "PS": "an RSA key",
    "HS": "a shared secret",
}
_EXACT: Final[Mapping[str, str]] = {
    "ES256": "a key on P-256",
    "ES384": "a key on P-384",
    "ES512": "a key on P-521",
    "EdDSA": "an Ed25519 key",
}
_SAMPLES: Final[Mapping[str, str]] = {
    # As long as the longest hash, of SHA-512.
    "a shared secret": "a-secret-of-the-tests-that-is-as-long-as-the-longest-hash"
    "-wants-it",
    "an RSA key": """\
-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv91exedgiSpa9bHKMKZ3
Ce5iObchGtNkxJh3FZmiNnXRtbD8Wo4ZPhAsuZ91WIGt9roJUVShlTw5b9S3bDII
5fJRxLZFL/1NOYArQ1GQKntIThx7S8Z+rxj5Z5H1c3sRPegMJP7hmFxumZYDv6W0
hQ2Od1I6mMfgjpNHQHVayqRLz5EMiFPDUEGhrIMvwt9mFchal1D2LLY9sxCAMruk
+LigJKoNhhxyhv7aF5j2Dc7EJFixZy9NSgy5LAMYmaW1LZ1dKDOwBuBRLpAdB2D9
wbQ6FPR6qVII9OlfhWtaA5kvLpeyPikROJ50UtSFFzUi8q5awsX64Vgoag6FYcIX
UwIDAQAB
-----END PUBLIC KEY-----
""",
    "a key on P-256": """\
-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9qmHTyR0rZECF/65RmAWN1X/cxw5
eU2RHRyvi3ahGH6luHdiciSX5CsJIwilM0n7TCVsHt44mnMu6nIcE+Qx5Q==
-----END PUBLIC KEY-----
""",
    "a key on P-384": """\
-----BEGIN PUBLIC KEY-----
MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEFy0/rPhMW20e1SRbHCyjZaYyE+XbfQPK
ETMOgvktfltC/HSB0zi1cnzUvZ4D3rytzIs9aGZQpvllMHl2J6Z4Jpy48exM2rDB
vDi1QbYoymcF23C3LihOuxn9uzELqjTJ
-----END PUBLIC KEY-----
""",
    "a key on P-521": """\
-----BEGIN PUBLIC KEY-----
MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAN6RfwdrnFrQKS4u2k7GLcqyS9FL2
7RZbphngxhGAPkm4VQIKDrRpI7T+hUgv4sRZ1tJrpVg/VHJ/F/ZDFUEzBykAbqnG
ZGDngKZ2lYP63oIRzGGNfdsk77B6jvWcUgPy/xVOeh32xEJ/gQNIlm/oWTD7Wzmh
etTbNUyHjMOvSRw7OPI=
-----END PUBLIC KEY-----
""",
    "an Ed25519 key": """\
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA1JCJq7JWWUKz1Ot3fFBtdtBbl09NcUJER0R+Hk0wSHc=
-----END PUBLIC KEY-----
""",
}
