"""Who owns a file, told and changed beyond what one golden case can show."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interceptgen.baseline import RECORD_NAME
from interceptgen.cli import main
from interceptgen.diagnostics import Diagnostic, SpecError
from interceptgen.ejection import BLOCKS, SEARCHED, eject
from interceptgen.files import Owner
from interceptgen.handover import without_mark
from interceptgen.lock import FileRecord, Lock, parse_lock
from interceptgen.plan import Action, Plan, Step
from interceptgen.report import as_annotations, spec_annotations, step_diff
from interceptgen.resources import template_root

QUOTA = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
interceptors:
  - name: quota
    description: Counts what each caller costs.
    hooks: [before_agent]
"""
STYLE = """\
  - name: house_style
    description: Signs every answer.
    hooks: [after_event, after_agent]
"""
HOOKS = "src/orders/hooks/house_style.py"
MAIN = "src/orders/__main__.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project that is up to date."""
    respecify(tmp_path, QUOTA + STYLE)
    assert run(["generate"], tmp_path).exit_code == 0
    return tmp_path


def respecify(root: Path, text: str) -> None:
    (root / "interceptors.yaml").write_text(text, encoding="utf-8")


def run(words: Sequence[str], root: Path) -> Result:
    return CliRunner().invoke(main, [*words, str(root)])


def add(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


# --- what is left to the user is told by each check, not only by one run -----


@pytest.mark.parametrize("path", [HOOKS, "tests/test_house_style.py"])
def test_an_orphan_is_told_until_it_is_gone(project: Path, path: str) -> None:
    add(project / path, "# Mine.\n")
    respecify(project, QUOTA)
    assert run(["generate"], project).exit_code == 0
    for _ in range(2):
        check = run(["check"], project)
        assert check.exit_code == 1
        assert check.stdout.startswith(f"orphan    {path}: ")
        assert run(["generate"], project).exit_code == 0
    (project / path).unlink()
    assert run(["generate"], project).exit_code == 0
    assert run(["check"], project).stdout == "up to date\n"


def test_an_orphaned_hook_is_told_until_it_is_gone(project: Path) -> None:
    path = project / HOOKS
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("return event", "return None"), encoding="utf-8")
    respecify(project, (QUOTA + STYLE).replace("after_event, ", ""))
    assert run(["generate"], project).exit_code == 0
    for _ in range(2):
        check = run(["check"], project)
        assert check.exit_code == 1
        assert f"orphan    {HOOKS}:9: after_event: " in check.stdout
        assert run(["generate"], project).exit_code == 0


def test_what_is_left_out_is_told_and_costs_a_run_nothing(project: Path) -> None:
    (project / "tests/test_quota.py").unlink()
    assert run(["generate"], project).stdout == "nothing to do\n"
    check = run(["check"], project)
    assert check.exit_code == 0
    assert check.stdout.startswith("left out  tests/test_quota.py: ")


# --- fork --------------------------------------------------------------------


def test_a_forked_file_is_never_touched_again(project: Path) -> None:
    path = project / "src/orders/service/contracts/house_style.py"
    assert run(["fork", str(path)], project).exit_code == 0
    forked = path.read_bytes()
    for spec in (QUOTA, QUOTA + STYLE.replace("after_event, ", ""), QUOTA):
        respecify(project, spec)
        for force in ([], ["--force"]):
            assert run(["generate", *force], project).exit_code == 0
            assert path.read_bytes() == forked


def test_a_forked_file_costs_a_run_no_parser(project: Path) -> None:
    assert run(["fork", MAIN], project).exit_code == 0
    add(project / MAIN, "# Mine.\n")
    lock = parse_lock((project / "interceptgen.lock").read_text(encoding="utf-8"))
    assert lock.files[MAIN].owner is Owner.FORKED
    assert run(["check"], project).stdout == "up to date\n"


def test_fork_changes_nothing_but_that_file(project: Path) -> None:
    before = (project / "interceptgen.lock").read_text(encoding="utf-8")
    assert run(["fork", MAIN], project).exit_code == 0
    old, new = (
        parse_lock(before),
        parse_lock((project / "interceptgen.lock").read_text(encoding="utf-8")),
    )
    assert old.inputs == new.inputs
    assert {path for path in old.files if old.files[path] != new.files[path]} == {MAIN}


def test_fork_and_unfork_is_nothing(project: Path) -> None:
    paths = [project / MAIN, project / "interceptgen.lock"]
    before = [path.read_bytes() for path in paths]
    assert run(["fork", MAIN], project).exit_code == 0
    assert run(["unfork", MAIN], project).exit_code == 0
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.parametrize("folder", [".", "src", "tests/generated"])
def test_a_path_is_read_from_here_or_from_the_project(
    project: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / folder)
    assert CliRunner().invoke(main, ["fork", MAIN]).exit_code == 0
    assert CliRunner().invoke(main, ["unfork", MAIN]).exit_code == 0


def test_a_path_from_a_folder_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "src")
    assert CliRunner().invoke(main, ["fork", "orders/__main__.py"]).exit_code == 0


MARK = b"# @" + b'generated by "interceptgen generate" from interceptors.yaml; x.\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MARK + b"x = 1\n", b"x = 1\n"),
        (MARK.replace(b"\n", b"\r\n") + b"x = 1\r\n", b"x = 1\r\n"),
        (MARK, b""),
        (MARK.rstrip(b"\n"), MARK.rstrip(b"\n")),
        (MARK + MARK, MARK),
        (b"#" + MARK, b"#" + MARK),
        (b"x = 1\n" + MARK, b"x = 1\n" + MARK),
        (b"\xef\xbb\xbf" + MARK, b"\xef\xbb\xbf" + MARK),
        (b"", b""),
    ],
)
def test_only_a_mark_on_the_first_line_goes(before: bytes, after: bytes) -> None:
    assert without_mark(before) == after


# --- eject -------------------------------------------------------------------


@pytest.mark.parametrize("path", BLOCKS)
def test_the_lines_that_eject_removes_are_those_of_the_template(path: str) -> None:
    folder = template_root() / "templates" / "service"
    (source,) = folder.rglob(f"{Path(path).name}.jinja")
    text = source.read_text(encoding="utf-8")
    for tag in ("{% raw %}", "{% endraw %}"):
        text = text.replace(tag, "")
    assert text.count(BLOCKS[path]) == 1


def ejected(path: str, content: bytes) -> tuple[bytes | None, tuple[str, ...]]:
    disk = {**dict.fromkeys(SEARCHED), path: content}
    done = eject(Lock(inputs="", files={}), disk)
    (step,) = done.plan.steps
    return step.after, done.by_hand


def test_lines_that_stand_twice_stay() -> None:
    path = ".github/workflows/ci.yml"
    twice = (BLOCKS[path] * 2).encode()
    after, by_hand = ejected(path, twice)
    assert after == twice
    named = [line for line in twice.decode().splitlines() if "tercep" in line.lower()]
    assert len(by_hand) == sum("interceptgen" in line.lower() for line in named)


def test_lines_of_another_indent_stay() -> None:
    path = ".github/workflows/ci.yml"
    other = BLOCKS[path].replace("\n", "\n  ").encode()
    assert ejected(path, other)[0] == other


def test_what_follows_the_lines_stays() -> None:
    path = ".github/workflows/ci.yml"
    text = f"a\n{BLOCKS[path]}      - run: mine\n".encode()
    assert ejected(path, text) == (b"a\n      - run: mine\n", ())


def test_eject_never_removes_an_edited_schema() -> None:
    record = FileRecord(owner=Owner.TOOL, item="service", sha256="0" * 64)
    name = "interceptors.schema.json"
    disk = {**dict.fromkeys(SEARCHED), name: b"{}"}
    (step,) = eject(Lock(inputs="", files={name: record}), disk).plan.steps
    assert (step.action, step.after) == (Action.KEEP, b"{}")


def test_eject_asks_at_a_terminal(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interceptgen.cli.handover.is_terminal", lambda: True)
    asked = CliRunner().invoke(main, ["eject", str(project)], input="n\n")
    assert asked.exit_code == 1
    assert (project / "interceptgen.lock").is_file()
    asked = CliRunner().invoke(main, ["eject", str(project)], input="y\n")
    assert asked.exit_code == 0
    assert not (project / "interceptgen.lock").exists()


def test_an_eject_that_was_cut_short_is_finished(project: Path) -> None:
    lock = (project / "interceptgen.lock").read_bytes()
    assert run(["eject", "--yes"], project).exit_code == 0
    (project / "interceptgen.lock").write_bytes(lock)
    done = run(["eject", "--yes"], project)
    assert done.exit_code == 0
    assert done.stdout.startswith("delete   interceptgen.lock\n")
    assert not (project / "interceptgen.lock").exists()


def test_eject_removes_the_record_of_the_template() -> None:
    assert ejected(RECORD_NAME, b"{}") == (None, ())


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_an_older_template_is_told_and_is_no_failure(project: Path, form: str) -> None:
    record = '{"version": 1, "template": "0", "commit": null, "files": {}}'
    (project / RECORD_NAME).write_text(record, encoding="utf-8")
    check = run(["check", "--format", form], project)
    assert check.exit_code == 0
    assert "template  behind: run 'interceptgen update'" in check.stdout


# --- annotations and diffs ---------------------------------------------------


def plan() -> Plan:
    step = Step(
        action=Action.CONFLICT,
        path="a,b:c%.py",
        before=b"x\n",
        after=b"y\n",
        reason="50% of\r\nit: a, b",
    )
    return Plan(steps=(step,), lock=None, lock_is_stale=False)


def test_annotations_are_escaped() -> None:
    (line,) = as_annotations(plan(), folder="desk")
    assert line.startswith(
        "::error file=desk/a%2Cb%3Ac%25.py,line=1,title=interceptgen%3A edited::"
        "50%25 of%0D%0Ait: a, b; "
    )


def test_problems_of_a_spec_are_annotations() -> None:
    found = Diagnostic(
        path="interceptors.yaml", line=6, column=11, code="E003", message="a, b: %"
    )
    assert list(spec_annotations(SpecError([found]), folder="desk")) == [
        (
            "::error file=desk/interceptors.yaml,line=6,col=11,"
            "title=interceptgen%3A E003::a, b: %25"
        )
    ]


@pytest.mark.parametrize(
    ("workspace", "file"), [("..", "{}/interceptors.yaml"), (".", "interceptors.yaml")]
)
def test_annotations_name_files_from_the_workspace(
    project: Path, workspace: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str((project / workspace).resolve()))
    respecify(project, "version: 2\n")
    check = run(["check", "--format", "github"], project)
    assert check.exit_code == 2
    assert f"file={file.format(project.name)}," in check.stdout


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"a\n", b"a", ["@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"]),
        (b"a\x0cb\n", b"a\x0cc\n", ["@@ -1 +1 @@", "-a\x0cb", "+a\x0cc"]),
        (b"a\r\nb\r\n", b"a\nc\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]),
        (b"a\r\n", b"a\n", []),
        (None, b"", []),
    ],
)
def test_a_diff_is_one_for_git(
    before: bytes | None, after: bytes, lines: list[str]
) -> None:
    step = Step(
        action=Action.REPLACE, path="a.py", before=before, after=after, reason=""
    )
    assert list(step_diff(step))[2:] == lines
