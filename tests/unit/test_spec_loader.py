"""What a valid spec becomes, and what the loader promises of any bytes."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from interceptgen.diagnostics import Diagnostic, SpecError
from interceptgen.spec import syntax
from interceptgen.spec.interceptor_checks import check_interceptors
from interceptgen.spec.loader import load_spec, load_spec_with_positions
from interceptgen.spec.model import EnvRef, RunnerSpec, ServerSpec, Spec
from interceptgen.spec.tree import read_tree

SHORT = b"""\
version: 1
service: {package: orders, description: Answers questions about orders.}
agent: orders.agent:root_agent
"""
ONE = b"""\
interceptors:
  - name: house_style
    description: Signs every answer.
    hooks: [after_agent, after_event]
"""


def told(data: bytes) -> tuple[Diagnostic, ...]:
    with pytest.raises(SpecError) as caught:
        load_spec("a b.yaml", data)
    return caught.value.diagnostics


def config(text: str) -> bytes:
    return SHORT + ONE + f"    config:\n      field: {text}\n".encode()


def default(text: str) -> object:
    spec = load_spec("s", config(text))
    return spec.interceptors[0].config["field"].default


def test_shortest_spec_has_the_defaults() -> None:
    spec = load_spec("s", SHORT)
    assert spec.runner == RunnerSpec(factory=None, resolve="lazy")
    assert spec.implementation == "new"
    assert spec.server == ServerSpec(
        host="127.0.0.1", port=8001, path="", public_url=None, lifespan=None
    )
    assert spec.interceptors == ()
    assert set(spec.converters.model_dump().values()) == {None}


def test_lists_are_tuples_in_the_order_of_the_file() -> None:
    spec = load_spec("s", SHORT + ONE)
    assert spec.interceptors[0].hooks == ("after_agent", "after_event")
    assert spec.interceptors[0].class_name == "HouseStyle"


def test_spec_is_frozen() -> None:
    spec = load_spec("s", SHORT)
    name = "agent"
    with pytest.raises(ValidationError):
        setattr(spec, name, "orders.agent:other")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{type: int, default: 1_000}", 1000),
        ("{type: int, default: 0x1f}", 31),
        ("{type: int, default: -7}", -7),
        ("{type: float, default: 1}", 1.0),
        ("{type: float, default: 1.0e+3}", 1000.0),
        ("{type: bool, default: yes}", True),
        ("{type: str, default: ''}", ""),
        ('{type: str, default: "no"}', "no"),
        ('{type: "list[str]", default: []}', ()),
        ('{type: "list[float]", default: [1, 2.5]}', (1.0, 2.5)),
        ("{type: int, default: {env: LIMIT}}", EnvRef(env="LIMIT")),
    ],
)
def test_default_is_read(text: str, expected: object) -> None:
    value = default(text)
    assert (expected, type(expected)) == (value, type(value))


def test_whole_numbers_become_floats_where_floats_are_declared() -> None:
    assert repr(default('{type: "list[float]", default: [1, 2]}')) == "(1.0, 2.0)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (False, ())),
        ("    state: {}\n", (True, ())),
        ("    state: {tries: {type: int, default: 0}}\n", (True, ("tries",))),
    ],
)
def test_an_empty_state_is_one(text: str, expected: tuple[bool, tuple[str]]) -> None:
    entry = load_spec("s", SHORT + ONE + text.encode()).interceptors[0]
    assert expected == (entry.has_state, tuple(entry.state))


def test_state_begins_with_values_of_the_declared_type() -> None:
    fields = '{type: "list[float]", default: [1]}, b: {type: float, default: 2}'
    data = SHORT + ONE + f"    state: {{a: {fields}}}\n".encode()
    state = load_spec("s", data).interceptors[0].state
    assert repr([field.default for field in state.values()]) == "[(1.0,), 2.0]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", (None, None, "complete", None)),
        ("{deadline: 60, idle_deadline: 0.5}", (60, 0.5, "complete", None)),
        ("{empty_result: text, empty_text: None.}", (None, None, "text", "None.")),
    ],
)
def test_run_is_read(text: str, expected: tuple[object, ...]) -> None:
    run = load_spec("s", SHORT + f"run: {text}\n".encode()).run
    assert expected == tuple(dict(run).values())


@pytest.mark.parametrize(
    ("text", "expected"), [("footer", ("footer",)), ("[a, b]", ("a", "b"))]
)
def test_old_names_are_one_or_more(text: str, expected: tuple[str, ...]) -> None:
    spec = load_spec("s", SHORT + ONE + f"    was: {text}\n".encode())
    assert expected == spec.interceptors[0].was


@pytest.mark.parametrize("old", ["logging", "match", "config", "request_context"])
def test_old_name_may_be_one_that_is_refused_today(old: str) -> None:
    spec = load_spec("s", SHORT + ONE + f"    was: {old}\n".encode())
    assert spec.interceptors[0].was == (old,)


def test_description_may_have_lines_and_loses_the_last_break() -> None:
    data = SHORT + ONE.replace(b"Signs every answer.", b"|\n      One.\n      Two.")
    assert load_spec("s", data).interceptors[0].description == "One.\nTwo."


def test_client_may_name_both_event_converters() -> None:
    data = SHORT + b"implementation: client\nconverters: {event: a:b, adk_event: a:c}\n"
    converters = load_spec("s", data).converters
    assert (converters.event, converters.adk_event) == ("a:b", "a:c")


def test_key_counts_as_written() -> None:
    data = SHORT + ONE + b"    config:\n      on: {type: int, default: 1}\n"
    assert list(load_spec("s", data).interceptors[0].config) == ["on"]


@pytest.mark.parametrize("value", ["::1", "0.0.0.0", "my-host.example", "db_1"])  # noqa: S104
def test_host_is_accepted(value: str) -> None:
    data = SHORT + f'server: {{host: "{value}"}}\n'.encode()
    assert load_spec("s", data).server.host == value


@pytest.mark.parametrize(
    "value",
    ["http://localhost:8001", "https://[::1]/a/b", "https://example.com/orders/"],
)
def test_public_url_is_accepted(value: str) -> None:
    data = SHORT + f'server: {{public_url: "{value}"}}\n'.encode()
    assert load_spec("s", data).server.public_url == value


def test_one_environment_name_may_serve_two_fields_of_one_type() -> None:
    field = b"    config:\n      limit: {type: int, default: {env: LIMIT}}\n"
    other = ONE.replace(b"interceptors:\n", b"").replace(b"house_style", b"quota")
    load_spec("s", SHORT + ONE + field + other + field)


def test_misspelt_recipe_is_told_with_the_nearest_one() -> None:
    tree = read_tree(SHORT + b"interceptors: [{name: quota, use: rate_limt}]\n")
    (found,) = check_interceptors(tree, {"rate_limit", "redact"})
    assert found.loc == ("interceptors", 0, "use")
    assert found.problem.hint == "did you mean 'rate_limit'?"


def test_known_recipe_is_accepted() -> None:
    tree = read_tree(SHORT + b"interceptors: [{name: quota, use: rate_limit}]\n")
    assert list(check_interceptors(tree, {"rate_limit"})) == []


def test_problems_are_sorted_by_place() -> None:
    found = told(SHORT + b"zz: 1\nagent: a:b\nserver: {port: 0, prt: 1}\n")
    places = [(one.line, one.column) for one in found]
    assert places == sorted(places)
    assert [one.code for one in found] == ["E002", "E015", "E007", "E002"]


def test_problems_name_the_file_as_it_was_called() -> None:
    assert {one.path for one in told(b"")} == {"a b.yaml"}


def test_exception_reads_as_the_lines_of_its_problems() -> None:
    error = SpecError(told(SHORT + b"zz: 1\n"))
    assert str(error).startswith("a b.yaml:4:1: E002 unknown key 'zz'; ")


def test_problem_said_twice_is_told_once() -> None:
    (one,) = told(SHORT + b"server: {port: 0}\n")
    assert SpecError([one, one]).diagnostics == (one,)


def test_file_over_one_mebibyte_is_not_parsed() -> None:
    (found,) = told(b"[" * (1024 * 1024 + 1))
    assert (found.code, found.line, found.column) == ("E011", 1, 1)


def test_file_of_one_mebibyte_is_parsed() -> None:
    room = 1024 * 1024 - len(SHORT) - 2
    load_spec("s", SHORT + b"#" + b"x" * room + b"\n")


@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? ", b"- - [{b: "])
def test_deep_nesting_is_refused_before_it_is_built(opening: bytes) -> None:
    (found,) = told(b"a:\n " + opening * 100_000)
    assert found.code in {"E001", "E018"}


@pytest.fixture
def without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_loader", yaml.SafeLoader)


@pytest.mark.usefixtures("without_libyaml")
def test_nothing_changes_without_libyaml() -> None:
    many = Path(__file__).parents[1] / "specs" / "many.yaml"
    expected = many.with_suffix(".txt").read_text("utf-8").splitlines()
    with pytest.raises(SpecError) as caught:
        load_spec("interceptors.yaml", many.read_bytes())
    assert expected == [str(found) for found in caught.value.diagnostics]


@pytest.mark.usefixtures("without_libyaml")
@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? "])
def test_deep_nesting_is_refused_without_libyaml(opening: bytes) -> None:
    (found,) = told(b"a:\n " + opening * 2_000)
    assert found.code in {"E001", "E018"}


@pytest.mark.usefixtures("without_libyaml")
def test_half_a_character_is_refused() -> None:
    # libyaml does not even let it through.
    (found,) = told(SHORT.replace(b"Answers questions about orders.", b'"\\ud800"'))
    assert found.code == "E090"


def test_column_counts_characters() -> None:
    (found,) = told(SHORT.replace(b"{package", "{ä: 1, package".encode()))
    (next_one,) = told(
        SHORT.replace(b"about", "über".encode()) + b"server: {port: 0}\n"
    )
    assert (found.line, found.column) == (2, 11)
    assert (next_one.line, next_one.column) == (4, 16)


def test_password_in_an_address_is_not_repeated() -> None:
    (found,) = told(SHORT + b'server: {public_url: "https://me:hunter2@host"}\n')
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("loc", "place"),
    [
        ((), (1, 1)),
        (("version",), (1, 10)),
        (("service", "package"), (2, 20)),
        (("service", "nothing", "below"), (2, 1)),
        (("interceptors", 0), (5, 5)),
        (("interceptors", 0, "name"), (5, 11)),
        (("interceptors", 0, "hooks", 1), (7, 26)),
        (("interceptors", 0, "hooks", 9), (7, 5)),
        (("interceptors", 9, "name"), (4, 1)),
        (("nothing",), (1, 1)),
    ],
)
def test_position(loc: tuple[str | int, ...], place: tuple[int, int]) -> None:
    _, positions = load_spec_with_positions("s", SHORT + ONE)
    assert place == positions.locate(loc)


def test_position_of_a_key() -> None:
    _, positions = load_spec_with_positions("s", SHORT + ONE)
    assert positions.locate_key(("interceptors", 0, "hooks")) == (7, 5)


def test_text_of_a_spec_is_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    for place in (b"orders.agent:root_agent", b"orders", b"1"):
        told(SHORT.replace(place, f'"{code}"'.encode()))
    assert not mark.exists()


def test_loading_a_spec_imports_no_service_library() -> None:
    code = (
        "import sys; from interceptgen.spec.loader import load_spec;"
        f"load_spec('s', {SHORT!r});"
        "heavy = {'google', 'a2a', 'libcst', 'copier', 'jinja2'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={"PYTHONPATH": str(Path(load_spec.__code__.co_filename).parents[2])},
    )
    assert run.stdout.strip() == "[]"


def test_model_takes_the_same_values_without_a_file() -> None:
    values = {
        "version": 1,
        "service": {"package": "orders", "description": "Answers."},
        "agent": "orders.agent:root_agent",
    }
    assert Spec.model_validate(values).service.package == "orders"
