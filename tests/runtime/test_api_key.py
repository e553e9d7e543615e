"""Callers with a key."""

import hmac
import logging

import pytest
from tests.runtime.asking import ask, described

from runtime.recipes.authentication import api_key
from runtime.recipes.authentication.api_key import ApiKey

pytestmark = pytest.mark.service

ALICE = "alice-key-0123456789abcdef"
NEXT = "alice-next-0123456789abcdef"
BOB = "bob:key-0123456789abcdef"
KEYS = f"alice:{ALICE}, bob:{BOB},alice:{NEXT}"


@pytest.mark.parametrize(
    ("key", "name"), [(ALICE, "alice"), (NEXT, "alice"), (BOB, "bob")]
)
def test_the_name_of_a_key_is_the_caller(key: str, name: str) -> None:
    answer = ask(ApiKey(keys=KEYS), [("x-api-key", key)])
    assert (answer.status_code, answer.json()["name"]) == (200, name)
    assert answer.json()["authenticated"] is True


@pytest.mark.parametrize("key", ["wrong", ALICE[:-1], f"{ALICE}x", f"alice:{ALICE}"])
def test_another_key_is_refused(key: str) -> None:
    answer = ask(ApiKey(keys=KEYS), [("X-API-Key", key)])
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'ApiKey error="invalid_token"'
    assert answer.json() == {"error": "invalid_token"}


def test_bytes_beyond_ascii_are_no_key() -> None:
    answer = ask(ApiKey(keys=KEYS), [("X-API-Key", "k\xe9y")])
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "headers", [[], [("X-API-Key", "")], [("Authorization", f"Bearer {ALICE}")]]
)
def test_no_key_is_refused(headers: list[tuple[str, str]]) -> None:
    answer = ask(ApiKey(keys=KEYS), headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "ApiKey"


def test_two_keys_are_refused_though_both_are_right() -> None:
    answer = ask(ApiKey(keys=KEYS), [("X-API-Key", ALICE), ("X-API-Key", BOB)])
    assert answer.status_code == 401


def test_the_header_can_have_another_name() -> None:
    perimeter = ApiKey(keys=KEYS, header="X-Orders-Key")
    assert ask(perimeter, [("X-Orders-Key", ALICE)]).status_code == 200
    assert ask(perimeter, [("X-API-Key", ALICE)]).status_code == 401


def test_each_request_is_compared_with_all_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    def counted(left: bytes, right: bytes) -> bool:
        compared.append(len(left))
        return hmac.compare_digest(left, right)

    monkeypatch.setattr(api_key, "compare_digest", counted)
    for key in (ALICE, BOB, "wrong"):
        ask(ApiKey(keys=KEYS), [("X-API-Key", key)])
    # Three requests, three keys, and digests of one length.
    assert compared == [32] * 9


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("", "pair 1 isn't"),
        ("alice", "pair 1 isn't"),
        (ALICE, "pair 1 isn't"),
        (f":{ALICE}", "pair 1 isn't"),
        ("alice:short", "pair 1 isn't"),
        (f"alice:{ALICE},", "pair 2 isn't"),
        ("alice:k\xe9y-0123456789abcdefgh", "pair 1 isn't"),
        (f"alice:{ALICE},bob:{ALICE}", "pair 2 has another name's key"),
    ],
)
def test_keys_that_cant_be_used_stop_the_start_without_being_shown(
    keys: str, problem: str
) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        ApiKey(keys=keys)
    assert ALICE not in str(caught.value)


def test_a_key_is_in_no_repr_log_or_answer(caplog: pytest.LogCaptureFixture) -> None:
    perimeter = ApiKey(keys=KEYS)
    with caplog.at_level(logging.DEBUG):
        answers = [
            ask(perimeter, [("X-API-Key", key)]) for key in (ALICE, "guess-for-a-key")
        ]
    shown = [repr(perimeter), repr(vars(perimeter)), caplog.text]
    shown += [f"{answer.text}{answer.headers}" for answer in answers]
    for secret in (ALICE, BOB, "guess-for-a-key"):
        assert secret not in "".join(shown)


def test_the_card_names_the_header() -> None:
    card = described(ApiKey(keys=KEYS, header="X-Orders-Key"))
    scheme = card.security_schemes["api_key"].api_key_security_scheme
    assert (scheme.location, scheme.name) == ("header", "X-Orders-Key")
    [needed] = card.security_requirements
    assert {name: list(s.list) for name, s in needed.schemes.items()} == {"api_key": []}
