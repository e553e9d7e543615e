"""An update merges what is the template's and touches nothing else."""

import shutil
from pathlib import Path

import pytest
from tests.template.copies import commit, contents, git, run_copier

ANSWERS = ["--defaults", "--data", "package_name=orders"]
# As after a first generate and some work on it.
OTHERS = {
    "interceptgen.lock": "lock\n",
    "interceptors.schema.json": "{}\n",
    "interceptors.yaml": "version: 1 # mine\n",
    "src/orders/__init__.py": '"""Mine."""\n',
    "src/orders/agent.py": "# mine\n",
    "src/orders/hooks/journal.py": "# mine\n",
    "src/orders/runner.py": "# mine\n",
    "src/orders/service/app.py": "# generated\n",
    "tests/generated/test_chain.py": "# generated\n",
    "tests/test_journal.py": "# mine\n",
}


@pytest.fixture
def template(plain: Path, tmp_path: Path) -> Path:
    """Give the template with a tag v0.1.0 and a later v0.2.0."""
    folder = tmp_path / "template"
    shutil.copytree(plain, folder)
    commit(folder, tag="v0.1.0")
    skeleton = folder / "templates" / "service"
    readme = skeleton / "README.md.jinja"
    readme.write_text(f"{readme.read_text(encoding='utf-8')}\nNew words.\n")
    package = skeleton / "src" / "{{ package_name }}"
    for path in package.iterdir():
        path.write_text(f"# newer\n{path.read_text(encoding='utf-8')}")
    (package / "runner.py").write_text("# the template's\n")
    (skeleton / "tests").mkdir()
    (skeleton / "tests" / "test_journal.py").write_text("# the template's\n")
    spec = skeleton / "interceptors.yaml.jinja"
    spec.write_text(f"# newer\n{spec.read_text(encoding='utf-8')}")
    commit(folder, tag="v0.2.0")
    return folder


@pytest.fixture
def service(template: Path, tmp_path: Path) -> Path:
    """Give a service from v0.1.0 that its user worked on."""
    folder = tmp_path / "orders"
    options = ["--skip-tasks", "--vcs-ref", "v0.1.0", *ANSWERS]
    made = run_copier("copy", *options, str(template), str(folder))
    assert made.returncode == 0, made.stderr
    for name, text in OTHERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    commit(folder)
    return folder


def update(service: Path, *options: str) -> None:
    """Update a service to the template's last tag."""
    run = run_copier("update", "--trust", "--defaults", *options, str(service))
    assert run.returncode == 0, run.stderr
    assert "interceptgen generate" in run.stderr


def test_update_merges_only_what_is_the_templates(service: Path) -> None:
    before = contents(service)
    update(service)
    after = contents(service)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    assert changed == {"README.md"}
    assert "New words." in after["README.md"]


def test_an_answer_that_drops_a_seed_deletes_nothing(service: Path) -> None:
    update(service, "--data", "agent=existing", "--data", "agent_ref=shop.agent:root")
    after = contents(service)
    assert {name: after.get(name) for name in OTHERS} == OTHERS


def test_what_the_user_deleted_stays_deleted(service: Path) -> None:
    gone = ["interceptors.yaml", "src/orders/agent.py", "Dockerfile"]
    for name in gone:
        (service / name).unlink()
    commit(service)
    update(service)
    assert [name for name in gone if (service / name).exists()] == []


def test_an_update_equals_a_fresh_copy(template: Path, tmp_path: Path) -> None:
    old, fresh = tmp_path / "a" / "desk", tmp_path / "b" / "desk"
    for folder, tag in ((old, "v0.1.0"), (fresh, "v0.2.0")):
        options = ["--skip-tasks", "--vcs-ref", tag, *ANSWERS]
        run = run_copier("copy", *options, str(template), str(folder))
        assert run.returncode == 0, run.stderr
    commit(old)
    update(old)
    merged, wanted = contents(old), contents(fresh)
    theirs = [
        name
        for name in wanted
        if not name.startswith(("src/", "tests/", "interceptors."))
    ]
    assert len(theirs) > 8
    assert {name: merged[name] for name in theirs} == {n: wanted[n] for n in theirs}
    assert git(old, "status", "--porcelain", "--ignored").count(".rej") == 0
