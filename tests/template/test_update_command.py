"""`interceptgen update`: the template's news, or every file as it was."""

import shutil
from collections.abc import Callable
from pathlib import Path

import copier
import pytest
from click.testing import CliRunner, Result
from tests.template.copies import (
    age,
    commit,
    contents,
    copy_template,
    edit,
    git,
    run_copier,
    state,
)

from interceptgen import baseline, pipeline, template
from interceptgen.baseline import template_state
from interceptgen.cli import main
from interceptgen.update import journal, run, sides
from interceptgen.write import WriteError

Use = Callable[[Path], None]
KINDS = ("git", "wheel")
ANSWERS = {"package_name": "orders", "interceptors": "[journal]"}


@pytest.fixture(scope="module")
def versions(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the template: "old", "now", and "git" with both as tags."""
    folder = tmp_path_factory.mktemp("versions")
    age(copy_template(plain, folder / "old"))
    copy_template(plain, folder / "now")
    shutil.copytree(folder / "old", folder / "git")
    commit(folder / "git", tag="v0.1.0")
    for name in ("templates", "copier.yml"):
        git(folder / "git", "rm", "-r", "--quiet", name)
    copy_template(plain, folder / "git")
    commit(folder / "git", tag="v0.2.0")
    return folder


@pytest.fixture(scope="module")
def made(versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with an old service of each kind, and a fresh one."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        use_template(patch, versions / "old")
        make_from_git(versions / "git", folder / "git", "v0.1.0")
        make(folder / "wheel")
        use_template(patch, versions / "now")
        make(folder / "fresh")
    for kind in KINDS:
        commit(folder / kind)
    return folder


@pytest.fixture
def service(
    made: Path,
    tmp_path: Path,
    kind: str,
    versions: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """Give a committed service of the old template; the tool has the new one."""
    use_template(monkeypatch, versions / "now")
    return Path(shutil.copytree(made / kind, tmp_path / "orders"))


def use_template(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the tool have a template."""
    for module in (baseline, template, sides):
        patch.setattr(module, "template_root", lambda: folder)


def make(service: Path) -> None:
    """Make a service as `interceptgen new` does."""
    data = {**ANSWERS, "project_name": "Orders"}
    template.new_service(service, data=data, defaults=True, interactive=False)
    pipeline.generate(service)


def make_from_git(repository: Path, service: Path, tag: str, **answers: str) -> None:
    """Make a service as `copier copy` does, the task by hand."""
    copier.run_copy(
        str(repository),
        service,
        {**ANSWERS, "project_name": "Orders", **answers},
        vcs_ref=tag,
        settings=copier.Settings(),
        defaults=True,
        quiet=True,
        skip_tasks=True,
    )
    digest, named = baseline.template_digest(), baseline.commit_of(service)
    baseline.write_baseline(service, baseline.Baseline(digest, named, None))
    pipeline.generate(service)


def update(service: Path, *options: str, code: int = 0) -> str:
    """Run the command; give what it says, as a person sees it."""
    run: Result = CliRunner().invoke(main, ["update", *options, str(service)])
    assert run.exit_code == code, run.output
    assert isinstance(run.exception, SystemExit | None), run.output
    return run.output


def is_under_way(service: Path) -> bool:
    """Tell whether anything is left of an update in git's folder."""
    return any((service / ".git" / "interceptgen-update").glob("*"))


def no_debris(service: Path) -> bool:
    """Tell that neither rejected hunks nor staged files are left."""
    names = {path.name for path in service.rglob("*") if ".git" not in path.parts}
    return not any(name.endswith((".rej", ".orig", ".interceptgen")) for name in names)


both_kinds = pytest.mark.parametrize("kind", KINDS)
from_git = pytest.mark.parametrize("kind", ["git"])
from_wheel = pytest.mark.parametrize("kind", ["wheel"])


# --- refused, and nothing touched ----------------------------------------------


@from_wheel
def test_a_tree_with_changes_is_refused(service: Path) -> None:
    (service / "note.txt").write_text("mine\n")
    said = update(service, code=2)
    assert said == (
        f"{service} has changes that aren't committed (1 path); "
        "commit or stash them first\n"
    )
    (service / "note.txt").unlink()
    edit(service / "README.md", "Orders", "Desk")
    before = state(service)
    assert "aren't committed" in update(service, code=2)
    assert state(service) == before


@from_wheel
def test_a_folder_without_a_repository_is_refused(service: Path) -> None:
    shutil.rmtree(service / ".git")
    said = update(service, code=2)
    assert said == f"{service} is in no git repository; an update needs its undo\n"


@from_wheel
def test_a_folder_that_its_repository_ignores_is_refused(
    service: Path, tmp_path: Path
) -> None:
    shutil.rmtree(service / ".git")
    (tmp_path / ".gitignore").write_text("/orders/\n")
    commit(tmp_path)
    assert "isn't committed to its repository" in update(service, code=2)


@from_wheel
def test_a_machine_without_git_is_refused(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert update(service, code=2) == "an update needs git, and there is none\n"


@from_wheel
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("package_name=desk", "package_name names folders of yours"),
        ("implementation=legacy", "implementation stands in interceptors.yaml now"),
        ("dockr=false", "there is no question 'dockr'; did you mean 'docker'?"),
        ("docker=maybe", "docker: write true or false, not 'maybe'"),
        ("project_name= ", "project_name: write something"),
    ],
)
def test_an_answer_that_does_harm_is_refused(
    service: Path, answer: str, message: str
) -> None:
    assert update(service, "--data", answer, code=2).startswith(message)
    assert git(service, "status", "--porcelain") == ""
    assert not is_under_way(service)


@from_wheel
def test_nothing_under_way_is_said(service: Path) -> None:
    for option in ("--continue", "--abort"):
        assert update(service, option, code=2) == "no update is under way\n"
    assert "stand alone" in update(service, "--continue", "--abort", code=2)


@from_wheel
def test_a_project_not_from_the_template_is_refused(service: Path) -> None:
    (service / ".copier-answers.yml").unlink()
    commit(service)
    assert "it isn't made from the template" in update(service, code=2)


@from_wheel
def test_an_edited_generated_file_stops_it(service: Path) -> None:
    edit(service / "src/orders/service/app.py", "import", "import  ")
    commit(service)
    before = state(service)
    said = update(service, code=1)
    assert "src/orders/service/app.py" in said
    assert said.endswith("then update again\n")
    assert state(service) == before


@from_git
@pytest.mark.parametrize("prefix", ["", "git+file://"])
def test_a_template_that_is_gone_is_said(
    service: Path, tmp_path: Path, prefix: str
) -> None:
    answers = service / ".copier-answers.yml"
    lines = answers.read_text().splitlines()
    place = f"_src_path: {prefix}{tmp_path / 'gone'}"
    lines = [place if line.startswith("_src_path") else line for line in lines]
    answers.write_text("\n".join([*lines, ""]))
    commit(service)
    said = update(service, code=2)
    assert said.startswith(f"the template {prefix}{tmp_path / 'gone'}: ")
    assert said.count("\n") == 1
    assert git(service, "status", "--porcelain") == ""


# --- merged --------------------------------------------------------------------


@both_kinds
def test_an_update_equals_a_fresh_service(service: Path, made: Path) -> None:
    said = update(service)
    assert said.endswith("up to date with the template\n")
    assert "note:" not in said
    assert contents(service) == contents(made / "fresh")
    assert template_state(service) is None
    assert no_debris(service)
    assert not is_under_way(service)
    commit(service)
    assert update(service) == "up to date with the template\n"
    assert git(service, "status", "--porcelain") == ""


@from_wheel
def test_a_wheels_record_equals_a_fresh_one(service: Path, made: Path) -> None:
    update(service)
    for name in (".interceptgen-template.json", ".copier-answers.yml"):
        assert (service / name).read_bytes() == (made / "fresh" / name).read_bytes()


@from_git
def test_it_does_what_copiers_own_update_does(service: Path, tmp_path: Path) -> None:
    edit(service / "README.md", "## Change\n", "## Change\n\nAsk Ada first.\n")
    edit(service / "pyproject.toml", '"packaging>=24",', '"packaging>=24", # why')
    (service / "compose.yaml").unlink()
    commit(service)
    other = Path(shutil.copytree(service, tmp_path / "other"))
    run = run_copier("update", "--trust", "--defaults", str(other))
    assert run.returncode == 0, run.stderr
    update(service)
    assert contents(service) == contents(other)
    answers = [path / ".copier-answers.yml" for path in (service, other)]
    assert answers[0].read_text() == answers[1].read_text()


@both_kinds
def test_what_a_person_typed_is_there_afterwards(service: Path) -> None:
    mine = {
        ".env.example": "# mine, before the template had one\n",
        "NOTES.md": "Dropped by the next version, not by me.\n",
        "src/orders/agent.py": "root_agent = None  # mine\n",
        "src/orders/own.py": "# mine\n",
        "tests/test_own.py": "# mine\n",
    }
    for name, text in mine.items():
        (service / name).write_text(text)
    (service / "Dockerfile").unlink()
    edit(service / "README.md", "## Change\n", "## Change\n\nAsk Ada first.\n")
    commit(service)
    said = update(service)
    after = contents(service)
    assert {name: after[name] for name in mine} == mine
    assert "Ask Ada first." in after["README.md"]
    assert "You need [uv]" in after["README.md"]
    assert "Dockerfile" not in after
    assert "keep     NOTES.md: the template has dropped it, but you edited it" in said
    assert "keep     .env.example: the template has a file of this name" in said
    commit(service)
    assert "keep" not in update(service)


@both_kinds
def test_a_raised_floor_is_never_lowered(service: Path) -> None:
    edit(service / "pyproject.toml", "uvicorn>=0.30", "uvicorn>=0.40")
    edit(service / "pyproject.toml", "ruff>=0.10", "ruff>=0.12")
    commit(service)
    assert "merge    pyproject.toml" in update(service)
    merged = (service / "pyproject.toml").read_text()
    assert '"uvicorn>=0.40"' in merged
    assert '"ruff>=0.15"' in merged


@both_kinds
def test_an_answer_drops_what_nobody_edited(service: Path) -> None:
    edit(service / "Dockerfile", "USER service", "USER nobody")
    edit(service / ".github/workflows/ci.yml", "name: ci", "name: checks")
    commit(service)
    said = update(service, "--data", "docker=false", "--data", "ci=no")
    after = contents(service)
    assert "USER nobody" in after["Dockerfile"]
    assert "name: checks" in after[".github/workflows/ci.yml"]
    assert not {"compose.yaml", ".dockerignore"} & set(after)
    assert "docker compose" not in after["README.md"]
    assert "keep     Dockerfile: the template has dropped it" in said
    answers = (service / ".copier-answers.yml").read_text()
    assert "docker: false\n" in answers
    assert "docker_kept: false\n" in answers
    commit(service)
    update(service)
    assert git(service, "status", "--porcelain") == ""


@from_wheel
def test_without_a_record_what_differs_is_kept(service: Path) -> None:
    (service / ".interceptgen-template.json").unlink()
    commit(service)
    said = update(service)
    assert "keep     README.md" in said
    assert "the old template is unknown" in said
    assert "Install [uv]" in (service / "README.md").read_text()
    assert not (service / ".env.example").exists()
    assert (service / "NOTES.md").exists()
    assert (service / ".interceptgen-template.json").exists()


@from_wheel
def test_a_broken_record_is_refused(service: Path) -> None:
    record = service / ".interceptgen-template.json"
    record.write_text("<<<<<<< yours\n")
    commit(service)
    said = update(service, code=2)
    assert "it has merge conflict markers; take it from version control" in said
    record.write_text('{"version": 1, "template": "", "files": {"../x": []}}')
    commit(service)
    assert "its record of '../x' makes no sense" in update(service, code=2)
    assert "unknown" in (template_state(service) or "")


@from_wheel
def test_a_link_is_left_alone(service: Path) -> None:
    (service / "docs").mkdir()
    (service / "README.md").rename(service / "docs" / "README.md")
    (service / "README.md").symlink_to("docs/README.md")
    commit(service)
    assert "keep     README.md: it is no plain file" in update(service)
    assert "Install [uv]" in (service / "docs" / "README.md").read_text()


@from_wheel
def test_windows_line_ends_are_no_edit_and_stay(service: Path) -> None:
    for name in ("README.md", "NOTES.md", "pyproject.toml"):
        path = service / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    edited = (service / "pyproject.toml").read_bytes()
    edited = edited.replace(b'"packaging>=24"', b'"packaging>=26"')
    (service / "pyproject.toml").write_bytes(edited)
    commit(service)
    update(service)
    for name in ("README.md", "pyproject.toml"):
        data = (service / name).read_bytes()
        assert data.count(b"\n") == data.count(b"\r\n")
    assert b"You need [uv]" in (service / "README.md").read_bytes()
    assert b'"packaging>=26"' in (service / "pyproject.toml").read_bytes()
    assert not (service / "NOTES.md").exists()


@from_wheel
def test_one_project_of_several_in_a_repository(
    service: Path, tmp_path: Path, made: Path
) -> None:
    shutil.rmtree(service / ".git")
    commit(tmp_path)
    (tmp_path / "elsewhere.txt").write_text("not committed, and not ours\n")
    update(service)
    assert contents(service) == contents(made / "fresh")


# --- conflicts, and the undo -----------------------------------------------------


@pytest.fixture
def conflict(service: Path) -> Path:
    """Give a service that can't be merged."""
    edit(service / "README.md", "Install [uv]", "Get [uv]")
    edit(service / "Dockerfile", "python:3.12-slim", "python:3.12-alpine")
    (service / "Dockerfile").chmod(0o755)
    commit(service)
    return service


@both_kinds
def test_a_conflict_is_solved_and_continued(conflict: Path) -> None:
    said = update(conflict, code=1)
    assert "conflict README.md" in said
    assert "  Dockerfile\n  README.md\nthen: interceptgen update --continue\n" in said
    assert no_debris(conflict)
    text = (conflict / "README.md").read_text()
    assert "<<<<<<< yours\nGet [uv]" in text
    assert "\n>>>>>>> the template now\n" in text
    assert "under way" in update(conflict, code=2)
    (conflict / "Dockerfile").unlink()
    half = "".join(
        line for line in text.splitlines(keepends=True) if line[0] not in "<>"
    )
    (conflict / "README.md").write_text(half)
    assert "  README.md\nthen" in update(conflict, "--continue", code=1)
    (conflict / "README.md").write_text("solved\n")
    assert update(conflict, "--continue").endswith("up to date with the template\n")
    assert (conflict / "README.md").read_text() == "solved\n"
    assert not is_under_way(conflict)
    commit(conflict)
    assert update(conflict) == "up to date with the template\n"


@both_kinds
def test_an_abort_gives_back_every_byte(conflict: Path) -> None:
    before = state(conflict)
    update(conflict, code=1)
    (conflict / "README.md").write_text("half solved\n")
    assert state(conflict) != before
    assert update(conflict, "--abort").startswith("undone")
    assert state(conflict) == before
    assert git(conflict, "status", "--porcelain") == ""
    assert not is_under_way(conflict)


@from_wheel
def test_what_was_solved_stays_when_generating_fails(
    conflict: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(conflict, code=1)
    for name in ("README.md", "Dockerfile"):
        (conflict / name).write_text("solved\n")
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "generate", fails_with(WriteError("disk full")))
        assert update(conflict, "--continue", code=2) == "disk full\n"
    assert (conflict / "README.md").read_text() == "solved\n"
    update(conflict, "--continue")


def nothing(*_: object) -> None:
    """Do nothing, as who is dead."""


def fails_with(error: BaseException) -> Callable[..., None]:
    """Give a function that raises."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@both_kinds
def test_a_failure_or_a_stop_in_generate_undoes_all(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(service)
    undone = "the update was undone: every file is as it was\n"
    for error, said in (
        (WriteError("disk full"), f"disk full\n{undone}"),
        (KeyboardInterrupt(), f"stopped; {undone}"),
    ):
        monkeypatch.setattr(pipeline, "generate", fails_with(error))
        assert update(service, code=2) == said
        assert state(service) == before
        assert not is_under_way(service)


@from_wheel
def test_a_stop_at_any_write_undoes_all(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, written, stop_at = state(service), 0, 0
    put, remove = journal.put, journal.remove

    def count() -> None:
        nonlocal written
        if written == stop_at:
            raise KeyboardInterrupt
        written += 1

    def counted_put(path: Path, data: bytes) -> None:
        count()
        put(path, data)

    def counted_remove(root: Path, path: str) -> None:
        count()
        remove(root, path)

    monkeypatch.setattr(run, "put", counted_put)
    monkeypatch.setattr(run, "remove", counted_remove)
    for stop_at in range(7):  # noqa: B007 - the writer looks at it
        written = 0
        assert "stopped" in update(service, code=2)
        assert state(service) == before
        assert not is_under_way(service)
    stop_at, written = 7, 0
    update(service)


@from_wheel
def test_a_killed_update_is_seen_and_undone(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(service)
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "generate", fails_with(KeyboardInterrupt()))
        patch.setattr(journal.Journal, "mark", fails_with(KeyboardInterrupt()))
        patch.setattr(journal.Journal, "restore", nothing)
        update(service, code=2)
    assert state(service) != before
    assert "under way" in update(service, code=2)
    assert "stopped half way; undo it" in update(service, "--continue", code=2)
    update(service, "--abort")
    assert state(service) == before


# --- what check is told ------------------------------------------------------------


@both_kinds
def test_an_old_template_is_told(
    service: Path, versions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert template_state(service) == "template  behind: run 'interceptgen update'"
    use_template(monkeypatch, versions / "old")
    assert template_state(service) is None


@from_git
def test_another_template_than_the_tools_is_told(
    service: Path, versions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_template(monkeypatch, versions / "old")
    assert "note: the template at v0.2.0 is not the one" in update(service)
    assert "other: v0.2.0 is not the one" in (template_state(service) or "")
    commit(service)
    use_template(monkeypatch, versions / "now")
    update(service)
    assert template_state(service) is None


@from_git
def test_nothing_is_told_where_nothing_is_known(service: Path) -> None:
    run = run_copier("update", "--trust", "--defaults", str(service))
    assert run.returncode == 0, run.stderr
    assert template_state(service) is None


@from_git
def test_a_tag_can_be_named_also_an_older_one(service: Path) -> None:
    update(service)
    commit(service)
    update(service, "--vcs-ref", "v0.1.0")
    assert "Install [uv]" in (service / "README.md").read_text()
    assert "_commit: v0.1.0\n" in (service / ".copier-answers.yml").read_text()


@from_wheel
def test_an_installed_template_has_no_tags(service: Path) -> None:
    said = update(service, "--vcs-ref", "v0.1.0", code=2)
    assert said == "this service's template is the installed one, without refs\n"
