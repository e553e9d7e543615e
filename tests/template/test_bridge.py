"""The bridge to copier: what `interceptgen new` asks of the template."""

from pathlib import Path

import pytest
import yaml

from interceptgen import resources, template
from interceptgen.template import TemplateError, new_service

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def without_git(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Render from a folder: quick, and no matter what is uncommitted here."""
    monkeypatch.setattr(template, "template_root", lambda: plain)


def make(folder: Path, *, defaults: bool = True, **answers: str) -> Path:
    """Make a service with nobody to ask."""
    return new_service(folder, data=answers, defaults=defaults, interactive=False)


def answers_of(service: Path) -> dict[str, object]:
    """Read copier's answers."""
    text = (service / ".copier-answers.yml").read_text(encoding="utf-8")
    answers: dict[str, object] = yaml.safe_load(text)
    return answers


def test_the_root_is_the_checkouts() -> None:
    assert resources.template_root() == ROOT


def test_the_root_is_the_wheels_without_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "interceptgen"
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.template_root.__wrapped__() == package / "_template"


@pytest.mark.parametrize(
    ("folder", "title", "package"),
    [
        ("Order Desk", "Order Desk", "order_desk"),
        ("queue", "queue", "queue_service"),
        ("1st", "1st", "service_1st"),
        ("日本", "日本", "service"),
        ("aux", "aux", "aux_service"),
    ],
)
def test_names_come_from_the_folder(
    tmp_path: Path, folder: str, title: str, package: str
) -> None:
    answers = answers_of(make(tmp_path / folder))
    assert (answers["project_name"], answers["package_name"]) == (title, package)


def test_a_folder_may_be_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    assert make(Path()) == tmp_path / "desk"
    assert answers_of(tmp_path / "desk")["package_name"] == "desk"


def test_nobody_to_ask_is_an_error_that_names_the_keys(tmp_path: Path) -> None:
    with pytest.raises(TemplateError) as caught:
        make(tmp_path / "orders", defaults=False, agent="echo", docker="true")
    assert str(caught.value) == (
        "no terminal to ask for project_name, package_name, description, runner, "
        "implementation, interceptors, ci; "
        "give --data KEY=VALUE for each, or --defaults"
    )


def test_all_answers_need_no_defaults(tmp_path: Path) -> None:
    given = {
        "project_name": "Desk",
        "package_name": "desk",
        "description": "A desk.",
        "agent": "existing",
        "agent_ref": "shop.agents:root",
        "runner": "eager",
        "implementation": "client",
        "interceptors": "[journal]",
        "docker": "no",
        "ci": "false",
    }
    made = answers_of(
        new_service(tmp_path / "orders", data=given, defaults=False, interactive=False)
    )
    off = dict.fromkeys(("docker", "docker_kept", "ci", "ci_kept"), False)
    assert made == {**given, **off, "interceptors": ["journal"]}


WRONG = [
    ("agent", "existing", "agent_ref is missing; give --data agent_ref=VALUE"),
    ("agent", "ecko", "agent: 'ecko' is not in ['echo', 'gemini', 'workflow', 'existi"),
    ("package_nam", "x", "there is no question 'package_nam'; did you mean 'packag"),
    ("package_name", "Orders", "package_name: write a name in snake_case"),
    ("package_name", "class", "package_name: class is a Python keyword"),
    ("package_name", "json", "package_name: json would hide a module of Python's"),
    ("package_name", "google", "package_name: google would hide a package that the"),
    ("package_name", "con", "package_name: con can't be a file name on Windows"),
    ("description", " ", "description: write something"),
    ("description", "a\nb", "description: write one line of visible characters"),
    ("project_name", "x" * 81, "project_name: at most 80 characters"),
    ("interceptors", "journal", "interceptors: write a list of names"),
    ("interceptors", "[a", "interceptors: '[a' is not YAML"),
    ("interceptors", "[a, a]", 'interceptors: "a": it stands there twice.'),
    ("interceptors", "[hooks]", 'interceptors: "hooks": the service has something'),
    ("interceptors", "[safe_errors]", 'interceptors: "safe_errors": a new service has'),
    ("interceptors", "[1]", "interceptors: 1: write a name in snake_case"),
    ("docker", "maybe", "docker: write true or false, not 'maybe'"),
]


@pytest.mark.parametrize(("key", "answer", "message"), WRONG)
def test_a_wrong_answer_is_named_and_leaves_nothing(
    tmp_path: Path, key: str, answer: str, message: str
) -> None:
    with pytest.raises(TemplateError) as caught:
        new_service(
            tmp_path / "orders", data={key: answer}, defaults=True, interactive=False
        )
    assert str(caught.value).startswith(message)
    assert not (tmp_path / "orders").exists()


def test_a_reference_is_checked(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"^agent_ref: write module:attribute"):
        make(tmp_path / "orders", agent="existing", agent_ref="shop/agents.py")


def test_making_it_again_is_no_error_and_no_change(tmp_path: Path) -> None:
    service = make(tmp_path / "orders")
    before = {path: path.stat().st_mtime_ns for path in service.rglob("*.*")}
    make(tmp_path / "orders")
    changed = [path for path, time in before.items() if path.stat().st_mtime_ns != time]
    assert [path.name for path in changed if path.is_file()] == []


def test_a_file_in_the_way_is_kept(tmp_path: Path) -> None:
    service = make(tmp_path / "orders")
    (service / "README.md").write_text("mine\n")
    with pytest.raises(TemplateError, match=r"holds another README\.md"):
        make(tmp_path / "orders")
    assert (service / "README.md").read_text() == "mine\n"
