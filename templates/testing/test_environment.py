"""What only the environment gives to the interceptors."""

import pytest

from .subject import (
    ENVIRONMENT,
    INTERCEPTORS,
    build_interceptors,
    main,
    whole_chain,
)

LONGEST_WORD = 12
"""What is no longer may stand somewhere by chance."""

each_variable = pytest.mark.parametrize("name", ENVIRONMENT)


@each_variable
def test_a_missing_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """No interceptor runs on a guess."""
    monkeypatch.delenv(name)

    with pytest.raises(RuntimeError, match=name):
        build_interceptors()


def test_no_recipe_shows_a_value() -> None:
    """It may be a secret, and what a program prints of itself ends in a log."""
    recipes = [each.hooks for each in whole_chain() if each.name not in INTERCEPTORS]
    long = [value for value in ENVIRONMENT.values() if len(value) > LONGEST_WORD]

    assert not [value for value in long if value in repr(recipes)]


@each_variable
def test_the_command_line_stops_without_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    served: list[tuple[str, int]],
    name: str,
) -> None:
    """One line on the terminal, before anything starts."""
    monkeypatch.delenv(name)

    with pytest.raises(SystemExit):
        main([])

    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert served == []
