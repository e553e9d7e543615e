"""Callers whom a gateway names."""

import hmac
import logging

import pytest
from tests.runtime.asking import ask, described

from runtime.recipes.authentication import trusted_header
from runtime.recipes.authentication.trusted_header import TrustedHeader

pytestmark = pytest.mark.service

SECRET = "gateway-secret-0123456789"  # noqa: S105
USER = ("X-Forwarded-User", "alice")
PROOF = ("X-Gateway-Secret", SECRET)


def test_the_gateway_names_the_caller() -> None:
    answer = ask(TrustedHeader(secret=SECRET), [USER, PROOF])
    assert answer.status_code == 200
    assert answer.json()["name"] == "alice"
    assert answer.json()["authenticated"] is True


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [USER],
        [PROOF],
        [PROOF, ("X-Forwarded-User", " ")],
        [USER, ("X-Gateway-Secret", "")],
        [USER, ("X-Gateway-Secret", SECRET[:-1])],
        [USER, ("X-Gateway-Secret", "s\xe9cret")],
        [USER, ("X-Other-Secret", SECRET)],
    ],
)
def test_anybody_else_is_refused_and_not_told_why(
    headers: list[tuple[str, str]],
) -> None:
    answer = ask(TrustedHeader(secret=SECRET), headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Gateway"
    assert answer.json() == {"error": "unauthorized"}


@pytest.mark.parametrize("again", [USER, PROOF])
def test_a_repeated_header_is_refused(again: tuple[str, str]) -> None:
    answer = ask(TrustedHeader(secret=SECRET), [USER, PROOF, again])
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("10.1.2.3", 200),
        ("::ffff:10.1.2.3", 200),
        ("fd00::7", 200),
        ("10.2.0.1", 401),
        ("fd01::7", 401),
        ("testclient", 401),
    ],
)
def test_a_peer_is_known_by_its_network(host: str, status: int) -> None:
    perimeter = TrustedHeader(peers=("10.1.0.0/16", "fd00::/16"))
    assert ask(perimeter, [USER], client=(host, 1)).status_code == status


@pytest.mark.parametrize(
    ("headers", "host", "status"),
    [
        ([USER, PROOF], "10.1.2.3", 200),
        ([USER, PROOF], "10.2.2.3", 401),
        ([USER], "10.1.2.3", 401),
    ],
)
def test_secret_and_peer_both_have_to_be_right(
    headers: list[tuple[str, str]], host: str, status: int
) -> None:
    perimeter = TrustedHeader(secret=SECRET, peers=("10.1.0.0/16",))
    assert ask(perimeter, headers, client=(host, 1)).status_code == status


def test_a_header_that_names_the_client_makes_no_peer() -> None:
    headers = [USER, ("X-Forwarded-For", "10.1.2.3")]
    perimeter = TrustedHeader(peers=("10.1.0.0/16",))
    assert ask(perimeter, headers, client=("10.2.0.1", 1)).status_code == 401


def test_the_headers_can_have_other_names() -> None:
    perimeter = TrustedHeader(header="X-Who", gateway_header="X-Proof", secret=SECRET)
    right = [("X-Who", "bob"), ("X-Proof", SECRET)]
    assert ask(perimeter, right).json()["name"] == "bob"
    assert ask(perimeter, [USER, PROOF]).status_code == 401


def test_the_secret_is_compared_in_constant_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    def counted(left: bytes, right: bytes) -> bool:
        compared.append(len(left))
        return hmac.compare_digest(left, right)

    monkeypatch.setattr(trusted_header, "compare_digest", counted)
    for given in (SECRET, "x"):
        ask(TrustedHeader(secret=SECRET), [USER, ("X-Gateway-Secret", given)])
    assert compared == [32, 32]


def test_without_a_way_to_know_the_gateway_nothing_starts() -> None:
    with pytest.raises(ValueError, match="give a secret or peers"):
        TrustedHeader()


@pytest.mark.parametrize("secret", ["short", "s\xe9cret-0123456789-0123456789"])
def test_a_weak_secret_stops_the_start_without_being_shown(secret: str) -> None:
    with pytest.raises(ValueError, match="at least 20 ASCII") as caught:
        TrustedHeader(secret=secret)
    assert secret not in str(caught.value)


def test_a_peer_that_is_no_network_stops_the_start() -> None:
    with pytest.raises(ValueError, match="has host bits set"):
        TrustedHeader(peers=("10.1.2.3/16",))


def test_the_secret_is_in_no_repr_log_or_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    perimeter = TrustedHeader(secret=SECRET)
    with caplog.at_level(logging.DEBUG):
        answer = ask(perimeter, [PROOF])
    shown = f"{perimeter!r}{vars(perimeter)}{caplog.text}{answer.text}{answer.headers}"
    assert SECRET not in shown


def test_the_card_names_the_header_that_the_gateway_sets() -> None:
    card = described(TrustedHeader(secret=SECRET))
    scheme = card.security_schemes["trusted_header"].api_key_security_scheme
    assert (scheme.location, scheme.name) == ("header", "X-Forwarded-User")
    assert "A client doesn't send it" in scheme.description
    assert "Gateway-Secret" not in str(card)
    [needed] = card.security_requirements
    assert list(needed.schemes) == ["trusted_header"]
