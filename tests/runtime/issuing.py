"""An issuer of tokens, with its keys on a loopback server."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep, time
from types import MappingProxyType

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
)
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as new_ec
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

ISSUER = "https://login.example"
AUDIENCE = "orders"


@cache
def rsa(name: str = "one", bits: int = 2048) -> RSAPrivateKey:
    """Give the private key of this name, always the same in a process."""
    del name
    return generate_private_key(65537, bits)


@cache
def ec() -> EllipticCurvePrivateKey:
    """Give a private key on the curve P-256."""
    return new_ec(SECP256R1())


def public_pem(key: RSAPrivateKey | EllipticCurvePrivateKey | None = None) -> str:
    """Give the public key as it stands in an environment variable."""
    public = (key or rsa()).public_key()
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def private_pem() -> str:
    """Give a private key where a public one belongs."""
    text = rsa().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return text.decode()


def public_jwk(key: RSAPrivateKey, **more: object) -> dict[str, object]:
    """Give the public key as an issuer publishes it."""
    return {**RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), **more}


def private_jwk(**more: object) -> dict[str, object]:
    """Give a private key as no issuer should publish it."""
    return {**RSAAlgorithm.to_jwk(rsa(), as_dict=True), **more}


def public_ec_jwk(**more: object) -> dict[str, object]:
    """Give the public elliptic key as an issuer publishes it."""
    return {**ECAlgorithm.to_jwk(ec().public_key(), as_dict=True), **more}


def token(
    *,
    key: RSAPrivateKey | EllipticCurvePrivateKey | str | None = None,
    algorithm: str = "RS256",
    kid: str | None = "one",
    without: str = "",
    also: Mapping[str, object] = MappingProxyType({}),
    **claims: object,
) -> str:
    """Sign a token that is right, but for the claims given."""
    now = int(time())
    right: dict[str, object] = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "alice",
        "exp": now + 300,
        **claims,
        **also,
    }
    right.pop(without, None)
    header = {} if kid is None else {"kid": kid}
    return jwt.encode(right, key or rsa(), algorithm, headers=header)


def bearer(text: str) -> list[tuple[str, str]]:
    """Give the header that carries a token."""
    return [("Authorization", f"Bearer {text}")]


class KeyServer:
    """Publishes keys, and can be told to fail.

    Attributes:
        url: Where the keys are.
        keys: The key set's keys.
        status: What it answers with.
        body: What it answers, in place of the keys.
        headers: What it answers besides.
        delay_s: How long it thinks first.
        fetches: How often it was asked.
    """

    def __init__(self, url: str) -> None:
        """Begin with one key, named one."""
        self.url = url
        self.keys = [public_jwk(rsa(), kid="one", use="sig", alg="RS256")]
        self.status = 200
        self.body: bytes | None = None
        self.headers: Mapping[str, str] = {}
        self.delay_s = 0.0
        self.fetches = 0

    def answer(self) -> bytes:
        """Count the request and give the body of its answer."""
        self.fetches += 1
        sleep(self.delay_s)
        if self.body is not None:
            return self.body
        return json.dumps({"keys": self.keys}).encode()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a caller that hangs up is what some tests want."""


@contextmanager
def key_server() -> Generator[KeyServer]:
    """Serve keys on a loopback port while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = served.answer()
            self.send_response(served.status)
            for name, value in served.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    with _Server(("127.0.0.1", 0), Handler) as server:
        served = KeyServer(f"http://127.0.0.1:{server.server_port}/keys")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
