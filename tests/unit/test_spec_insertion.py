"""A recipe goes to the end of the chain; every other byte of the spec stays."""

from codecs import BOM_UTF8
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interceptgen.adding import AddingError, with_recipe
from interceptgen.diagnostics import SpecError
from interceptgen.spec.insertion import InsertionError, insert_recipe, value_text
from interceptgen.spec.loader import load_spec

SHAPES = Path(__file__).parents[1] / "insertions"
NAMES = sorted(
    path.name.removesuffix(".before.yaml") for path in SHAPES.glob("*.before.yaml")
)
HEAD = b"""\
version: 1
service: {package: orders, description: Answers questions.}
agent: orders.agent:root_agent
"""


def shape(name: str) -> tuple[bytes, bytes]:
    """Give a spec, and the same with one recipe more."""
    before, after = (SHAPES / f"{name}.{state}.yaml" for state in ("before", "after"))
    return before.read_bytes(), after.read_bytes()


def added(data: bytes) -> bytes:
    return with_recipe(data, "input_guard", "guard", {"max_parts": "7"})


@pytest.mark.parametrize("name", NAMES)
def test_recipe_goes_to_the_end_and_all_else_stays(name: str) -> None:
    before, after = shape(name)
    assert added(before) == after


@pytest.mark.parametrize("name", NAMES)
def test_line_ends_of_windows_stay(name: str) -> None:
    before, after = (data.replace(b"\n", b"\r\n") for data in shape(name))
    assert added(before) == after


def test_byte_order_mark_stays() -> None:
    before, after = shape("no_key")
    assert added(BOM_UTF8 + before) == BOM_UTF8 + after


def test_name_and_needed_parameters_have_a_start() -> None:
    data = with_recipe(HEAD, "request_state", "tenant_id", {})
    (entry,) = load_spec("s", data).interceptors
    assert entry.name == "tenant_id"
    assert entry.with_ == {"key": "tenant_id", "header": "X-Tenant-Id"}


@pytest.mark.parametrize("name", ["yes", "off", "n", "on"])
def test_a_name_that_yaml_reads_otherwise_is_quoted(name: str) -> None:
    data = with_recipe(HEAD, "safe_errors", name, {})
    assert load_spec("s", data).interceptors[0].name == name


@pytest.mark.parametrize(
    ("recipe", "given", "said"),
    [
        ("input_gard", {}, "unknown recipe 'input_gard'; did you mean 'input_guard'?"),
        ("x", {}, "unknown recipe 'x'; recipes are api_key, "),
        ("input_guard", {"max_byte": "1"}, "no 'max_byte'; did you mean 'max_bytes'?"),
        ("safe_errors", {"x\ny": "1"}, r"takes no 'x\ny'; it takes message or pass_"),
    ],
)
def test_what_does_not_exist_is_told(
    recipe: str, given: dict[str, str], said: str
) -> None:
    with pytest.raises(AddingError) as caught:
        with_recipe(HEAD, recipe, None, given)
    assert said in str(caught.value)


def test_a_bad_value_is_told_as_in_a_file() -> None:
    with pytest.raises(AddingError) as caught:
        with_recipe(HEAD, "input_guard", None, {"max_bytes": "0"})
    problem, note = str(caught.value).splitlines()
    assert problem.startswith("interceptors.yaml:8:18: E007 'max_bytes' must be")
    assert note.startswith("nothing was written; ")


def test_what_was_wrong_before_is_told_where_it_stands() -> None:
    with pytest.raises(SpecError) as caught:
        with_recipe(b"version: 2\n", "input_guard", None, {})
    assert [found.code for found in caught.value.diagnostics] == ["E022"]


@pytest.mark.parametrize("text", [b"", b"a: [", b"- a", b"\x00", b"\xff"])
def test_a_file_that_is_no_spec_is_told(text: bytes) -> None:
    with pytest.raises(SpecError):
        added(text)


@pytest.mark.parametrize(
    "end",
    [b"interceptors: null\n", b"interceptors: none\n", b"interceptors: {}\n", b"...\n"],
)
def test_a_form_without_a_way_in_is_left_to_the_person(end: bytes) -> None:
    with pytest.raises(InsertionError, match="write it yourself") as caught:
        insert_recipe(HEAD + end, name="guard", recipe="input_guard", settings={})
    assert "- name: guard\n" in str(caught.value)


def test_what_would_change_more_than_the_chain_is_refused() -> None:
    settings = {"message": "a\nport: 3"}
    with pytest.raises(InsertionError):
        insert_recipe(HEAD, name="guard", recipe="safe_errors", settings=settings)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (7, "7"),
        (True, "true"),
        (["a", "b"], '["a", "b"]'),
        ("60", "60"),
        ("[a, b]", "[a, b]"),
        ("{env: NAME}", "{env: NAME}"),
        ("text/plain", "text/plain"),
        ("a b", "a b"),
        ("", '""'),
        ("a: b", '"a: b"'),
        ("a, b", '"a, b"'),
        ("a # b", '"a # b"'),
        ("a]", '"a]"'),
        ("a\n- b", '"a\\n- b"'),
        ("'", '"\'"'),
        ("&a", '"&a"'),
    ],
)
def test_value_is_written_in_one_line(given: object, written: str) -> None:
    assert value_text(given) == written


@given(st.text(max_size=12) | st.text("[]{}:#,&*'\"-|> \n\tab1", max_size=12))
def test_no_value_changes_anything_else(text: str) -> None:
    settings = {"message": value_text(text)}
    for name in ("no_key", "list_in_brackets", "all_in_braces"):
        data, _ = shape(name)
        try:
            after = insert_recipe(data, name="n", recipe="r", settings=settings)
        except InsertionError:
            continue
        assert len(after) > len(data)
