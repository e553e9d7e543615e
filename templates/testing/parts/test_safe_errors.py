"""A caller reads what was chosen for it, and of most failures nothing else."""

import pytest

from runtime.boundary.safe_errors import SafeErrors


def test_what_may_pass_is_read_as_it_is() -> None:
    """Its subclasses are, too."""
    errors = SafeErrors(message="It failed.", pass_through=("builtins:LookupError",))

    assert errors.public_text(KeyError("a")) == "'a'"
    assert errors.public_text(ValueError("secret")) == "It failed."
    assert SafeErrors().public_text(ValueError("secret")) == (
        "The request failed; name the correlation id when you ask about it."
    )


@pytest.mark.parametrize(
    "name", ["builtins:print", "builtins:int", "builtins:BaseException"]
)
def test_only_exceptions_pass(name: str) -> None:
    """When the service starts."""
    with pytest.raises(TypeError, match="is no exception class"):
        SafeErrors(pass_through=(name,))
