"""What an edit of the spec means, in words."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from interceptgen.cli import main
from interceptgen.pipeline import read_service
from interceptgen.report import describe_changes
from interceptgen.service import Service

HEAD = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
"""
QUOTA = """\
  - name: quota
    description: Counts what each caller costs.
    hooks: [before_agent]
    config:
      limit: {type: int, default: 5}
"""
STYLE = """\
  - name: style
    description: Signs every answer.
    hooks: [after_event, after_agent]
"""
BASE = f"{HEAD}interceptors:\n{QUOTA}{STYLE}"


def service(text: str) -> Service:
    return read_service("interceptors.yaml", text.encode())


def edited(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


# Each: the edited spec, and what it means.
EDITS = {
    "nothing": (BASE, ()),
    "a comment": (f"# Mine.\n{BASE}", ()),
    "hooks in another order": (
        edited(("[after_event, after_agent]", "[after_agent, after_event]")),
        (),
    ),
    "an interceptor more": (
        f"{BASE}{STYLE.replace('style', 'audit')}",
        ("interceptor audit added, 3 of 3: after_event, after_agent",),
    ),
    "an interceptor less": (
        edited((STYLE, "")),
        ("interceptor style removed: after_event, after_agent",),
    ),
    "another order": (
        f"{HEAD}interceptors:\n{STYLE}{QUOTA}",
        (
            (
                "chain order: quota, style -> style, quota; before_agent and "
                "after_event run in this order, "
                "after_agent and on_exit in the reverse one"
            ),
        ),
    ),
    "renamed": (
        edited(("- name: style", "- name: signature\n    was: style")),
        ("interceptor style renamed to signature; its code moves along",),
    ),
    "renamed twice": (
        edited(("- name: style", "- name: signature\n    was: [style, stamp]")),
        ("interceptor style renamed to signature; its code moves along",),
    ),
    "renamed without a word": (
        edited(("- name: style", "- name: signature")),
        (
            "interceptor style removed: after_event, after_agent",
            "interceptor signature added, 2 of 2: after_event, after_agent",
        ),
    ),
    "renamed and moved": (
        (
            f"{HEAD}interceptors:\n"
            f"{STYLE.replace('name: style', 'name: signature')}    was: style\n{QUOTA}"
        ),
        (
            "interceptor style renamed to signature; its code moves along",
            (
                "chain order: quota, signature -> signature, quota; before_agent and "
                "after_event run in this order, "
                "after_agent and on_exit in the reverse one"
            ),
        ),
    ),
    "a state": (
        edited(
            (
                "[before_agent]",
                "[before_agent]\n    state: {tries: {type: int, default: 0}}",
            )
        ),
        (
            "quota: state added: each hook takes it as one more argument",
            "quota: state tries added: int, begins as 0",
        ),
    ),
    "a state of facts alone": (
        edited(("[before_agent]", "[before_agent]\n    state: {}")),
        ("quota: state added: each hook takes it as one more argument",),
    ),
    "a run": (
        f"{BASE}run: {{deadline: 60, idle_deadline: 2.5, empty_result: fail}}\n",
        (
            "deadline of a run: none -> 60 s",
            "deadline without an event: none -> 2.5 s",
            (
                "empty result: complete -> fail; "
                "a run that produced nothing fails its task"
            ),
        ),
    ),
    "hooks": (
        edited(("[before_agent]", "[after_agent]")),
        ("quota: hook after_agent added", "quota: hook before_agent removed"),
    ),
    "a description": (
        edited(("Signs every answer", "Stamps every answer")),
        ("style: description: 'Signs every answer.' -> 'Stamps every answer.'",),
    ),
    "a setting more": (
        edited(
            ("default: 5}\n", "default: 5}\n      slow: {type: bool, default: false}\n")
        ),
        ("quota: setting slow added: bool, default False",),
    ),
    "a setting less": (
        edited(("    config:\n      limit: {type: int, default: 5}\n", "")),
        ("quota: setting limit removed",),
    ),
    "a setting of another type": (
        edited(("{type: int, default: 5}", "{type: float, default: 5}")),
        (
            "quota: setting limit: type int -> float",
            "quota: setting limit: default 5 -> default 5.0",
        ),
    ),
    "a setting with another default": (
        edited(("default: 5", "default: 6")),
        ("quota: setting limit: default 5 -> default 6",),
    ),
    "a setting from the environment": (
        edited(("default: 5", "default: {env: LIMIT}")),
        ("quota: setting limit: default 5 -> from the environment variable LIMIT",),
    ),
    "a setting with another description": (
        edited(("default: 5", "default: 5, description: A minute.")),
        ("quota: setting limit: another description",),
    ),
    "the legacy pin": (
        f"{BASE}implementation: legacy\n",
        (
            (
                "implementation: new -> legacy; every caller gets ADK's legacy "
                "executor, whatever its extension header asks for"
            ),
        ),
    ),
    "no pin": (
        f"{BASE}implementation: client\n",
        (
            (
                "implementation: new -> client; the extension header of each caller "
                "decides, so hooks run under both executors"
            ),
        ),
    ),
    "an eager runner": (
        f"{BASE}runner: {{resolve: eager}}\n",
        (
            (
                "runner: lazy -> eager; it is built at start-up, so a failure stops "
                "the start"
            ),
        ),
    ),
    "the factory spelt out": (
        f"{BASE}runner: {{factory: orders.runner:build_runner}}\n",
        (),
    ),
    "converters": (
        f"{BASE}converters: {{request: orders.made:request}}\n",
        ("converter request_converter: ADK's -> orders.made:request",),
    ),
    "the address": (
        (
            f"{BASE}server: {{host: 0.0.0.0, port: 80, path: /a, "
            "public_url: https://orders.example, lifespan: orders.life:span}\n"
        ),
        (
            "host: 127.0.0.1 -> 0.0.0.0; it listens on every network of the machine",
            "port: 8001 -> 80",
            "path: / -> /a",
            "public address: host and port -> https://orders.example",
            "lifespan: none -> orders.life:span",
        ),
    ),
    "what it serves": (
        edited(
            ("about orders", "about all orders"),
            ("orders.agent:root_agent", "orders.agents:desk"),
        ),
        (
            (
                "description on the agent card: 'Answers questions about orders.' -> "
                "'Answers questions about all orders.'"
            ),
            "agent: orders.agent:root_agent -> orders.agents:desk",
        ),
    ),
    "another package": (
        edited(("package: orders", "package: desk")),
        (
            "package: orders -> desk",
            "runner factory: orders.runner:build_runner -> desk.runner:build_runner",
        ),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_in_words(name: str) -> None:
    text, meaning = EDITS[name]
    assert describe_changes(service(BASE), service(text)) == meaning


def test_converters_that_go_and_change() -> None:
    old = f"{HEAD}converters: {{request: a:b, a2a_part: a:c}}\n"
    new = f"{HEAD}converters: {{request: a:d}}\n"
    assert describe_changes(service(old), service(new)) == (
        "converter a2a_part_converter: a:c -> ADK's",
        "converter request_converter: a:b -> a:d",
    )


def test_back_to_the_defaults() -> None:
    old = f"{HEAD}implementation: client\nrunner: {{resolve: eager}}\n"
    assert describe_changes(service(old), service(HEAD)) == (
        "runner: eager -> lazy; it is built by the first request, which waits for it",
        (
            "implementation: client -> new; every caller gets ADK's new executor, "
            "whatever its extension header asks for"
        ),
    )


def test_all_is_new_where_there_was_nothing() -> None:
    assert describe_changes(None, service(BASE)) == (
        "new service orders: Answers questions about orders.",
        "interceptor quota added, 1 of 2: before_agent",
        "interceptor style added, 2 of 2: after_event, after_agent",
    )


# --- where git comes in ------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project in a folder of a repository, nothing committed yet."""
    root = tmp_path / "repository" / "desk"
    root.mkdir(parents=True)
    (root / "interceptors.yaml").write_text(BASE, encoding="utf-8")
    git(root, "init", "--quiet", "..")
    return root


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    found = shutil.which("git")
    assert found is not None
    subprocess.run([found, "-C", str(root), *who, *words], check=True)


def commit(root: Path) -> None:
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=Test")


def told(root: Path, *words: str) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["changes", str(root), *words])
    return run.exit_code, run.output


def test_no_repository(tmp_path: Path) -> None:
    (tmp_path / "interceptors.yaml").write_text(BASE, encoding="utf-8")
    code, text = told(tmp_path)
    assert code == 2
    assert text.startswith(f"{tmp_path} is in no git repository (fatal: ")
    assert text.count("\n") == 1


def test_no_git(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert told(project) == (2, "git is not installed, or not on the path\n")


@pytest.mark.parametrize(
    "revision", ["nowhere", "HEAD~1", "HEAD:desk", "--help", "", "a b"]
)
def test_no_such_revision(project: Path, revision: str) -> None:
    commit(project)
    code, text = told(project, f"--since={revision}")
    assert (code, text) == (2, f"git knows no revision {revision!r}\n")


def test_a_spec_that_had_problems(project: Path) -> None:
    (project / "interceptors.yaml").write_text("version: 2\n", encoding="utf-8")
    commit(project)
    (project / "interceptors.yaml").write_text(BASE, encoding="utf-8")
    code, text = told(project)
    assert code == 2
    assert text.startswith("HEAD:interceptors.yaml:1:")


def test_before_the_first_commit_all_is_new(project: Path) -> None:
    code, text = told(project)
    assert code == 0
    assert text.startswith("- new service orders: ")


def test_a_spec_that_was_not_there(project: Path) -> None:
    (project / "other.txt").write_text("x", encoding="utf-8")
    git(project, "add", "other.txt")
    git(project, "commit", "--quiet", "--message=Test")
    code, text = told(project)
    assert code == 0
    assert text.startswith("- new service orders: ")


def test_since_a_revision(project: Path) -> None:
    commit(project)
    spec = project / "interceptors.yaml"
    spec.write_text(edited(("default: 5", "default: 6")), encoding="utf-8")
    meaning = "- quota: setting limit: default 5 -> default 6\n"
    assert told(project) == (0, meaning)
    commit(project)
    assert told(project) == (0, "interceptors.yaml means the same as at HEAD\n")
    assert told(project, "--since", "HEAD~1") == (0, meaning)
