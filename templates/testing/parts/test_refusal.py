"""How a request is refused before any route is reached."""

import json

import pytest
from starlette.datastructures import Headers

from runtime.recipes.authentication.refusal import Refusal, single_header


@pytest.mark.parametrize(
    ("refusal", "status", "challenge", "wait"),
    [
        (Refusal("no key"), 401, "Bearer", None),
        (
            Refusal("old", error="invalid_token"),
            401,
            'Bearer error="invalid_token"',
            None,
        ),
        (
            Refusal("few", status=403, error="few", scopes=["a", "b"]),
            403,
            'Bearer error="few", scope="a b"',
            None,
        ),
        (Refusal("down", status=503, error="down", retry_after_s=30), 503, None, "30"),
    ],
)
def test_the_answer_says_what_to_send(
    refusal: Refusal, status: int, challenge: str | None, wait: str | None
) -> None:
    """Who sent nothing is told the scheme, and nobody why."""
    response = refusal.response("Bearer")

    assert response.status_code == status
    assert response.headers.get("WWW-Authenticate") == challenge
    assert response.headers.get("Retry-After") == wait
    assert json.loads(bytes(response.body)) == {"error": refusal.error}


def test_a_header_that_came_twice_is_refused() -> None:
    """A proxy and the service could each read another one."""
    headers = Headers(raw=[(b"a", b"1"), (b"b", b"1"), (b"b", b"1")])

    assert single_header(headers, "A") == "1"
    assert single_header(headers, "c") is None
    with pytest.raises(Refusal) as refused:
        single_header(headers, "b")
    assert (refused.value.status, refused.value.error) == (401, "invalid_token")
