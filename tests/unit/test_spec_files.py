"""Each file in tests/specs is a mistake, and the .txt beside it what is said."""

from pathlib import Path

import pytest

from interceptgen.diagnostics import CODES, SpecError
from interceptgen.spec.loader import load_spec

SPECS = Path(__file__).parents[1] / "specs"
MISTAKES = sorted(path.stem for path in SPECS.glob("*.yaml"))
MADE_HERE = {"E011"}


def said(data: bytes) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_spec("interceptors.yaml", data)
    return [str(found) for found in caught.value.diagnostics]


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_told(name: str) -> None:
    expected = (SPECS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert expected == said((SPECS / f"{name}.yaml").read_bytes())


@pytest.mark.parametrize(
    "name", [name for name in MISTAKES if not name.startswith("many")]
)
def test_mistake_is_told_under_the_code_of_its_file(name: str) -> None:
    expected = (SPECS / f"{name}.txt").read_text(encoding="utf-8")

    assert f" {name[:4]} " in expected


def test_every_code_has_a_mistake() -> None:
    assert set(CODES) - MADE_HERE == {
        name[:4] for name in MISTAKES if not name.startswith("many")
    }


def test_no_message_without_a_mistake() -> None:
    assert sorted(path.stem for path in SPECS.glob("*.txt")) == MISTAKES


def test_line_ends_of_windows_change_no_message() -> None:
    data = (SPECS / "many.yaml").read_bytes()
    assert said(data) == said(data.replace(b"\n", b"\r\n"))


def test_byte_order_mark_changes_no_message() -> None:
    data = (SPECS / "many.yaml").read_bytes()
    assert said(data) == said(b"\xef\xbb\xbf" + data)
