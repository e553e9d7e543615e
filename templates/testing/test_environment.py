"""What only the environment gives to the interceptors."""

import pytest

from .subject import ENVIRONMENT, build_interceptors, main

each_variable = pytest.mark.parametrize("name", ENVIRONMENT)


@each_variable
def test_a_missing_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """No interceptor runs on a guess."""
    monkeypatch.delenv(name)

    with pytest.raises(RuntimeError, match=name):
        build_interceptors()


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
