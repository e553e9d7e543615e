"""The parts of an update that need no template: floors, tags, the record's rules."""

import shutil
from pathlib import Path

import copier
import pytest
import yaml
from tests.template.copies import ROOT, commit, copy_template, edit, git, run_copier

from interceptgen import baseline
from interceptgen.template import TemplateError
from interceptgen.update.floors import keep_raised_floors
from interceptgen.update.repository import has_markers, merge
from interceptgen.update.sides import check_newer

PROJECT = "[project]\ndependencies = [\n    {},\n]\n"


def floors(
    yours: str, base: str, theirs: str, text: str = PROJECT
) -> tuple[str, str, str]:
    """Give the requirements of three projects with raised floors kept."""
    texts = (text.format(one).encode() for one in (yours, base, theirs))
    kept = keep_raised_floors(*texts)
    before, after = text.split("{}")
    one, two, three = (
        each.decode().removeprefix(before).removesuffix(after) for each in kept
    )
    return one, two, three


@pytest.mark.parametrize(
    ("yours", "base", "theirs", "merged"),
    [
        ('"a>=2"', '"a>=1"', '"a>=1"', '"a>=2"'),
        ('"a>=2"', '"a>=1"', '"a>=1.5"', '"a>=2"'),
        ('"a>=2"', '"a>=1"', '"a>=3"', '"a>=3"'),
        ('"a>=2"', '"a>=1"', '"a>=1.5,<2.5"', '"a>=2,<2.5"'),
        ('"a>=2,<4"', '"a>=1,<3"', '"a>=1.5,<3"', '"a>=2,<4"'),
        ('"a>=1.10"', '"a>=1.2"', '"a>=1.9"', '"a>=1.10"'),
        ('"A.b_c >= 2"', '"a-b-c>=1"', '"a-b-c>=1.5"', None),
        ('"a[x]>=2"', '"a[x]>=1"', '"a[x,y]>=1.5"', '"a[x,y]>=2"'),
        ("'a>=2'", "'a>=1'", "'a>=1.5'", "'a>=2'"),
        (
            "\"a>=2; python_version >= '3.12'\"",
            "\"a>=1; python_version >= '3.12'\"",
            "\"a>=1.5; python_version >= '3.12'\"",
            "\"a>=2; python_version >= '3.12'\"",
        ),
        ('"a>=2" # mine', '"a>=1" # why', '"a>=1.5" # why', '"a>=2" # mine'),
        ('"a>=1"', '"a>=1"', '"a>=0.9"', '"a>=0.9"'),
        ('"a>=0.5"', '"a>=1"', '"a>=1"', '"a>=0.5"'),
        ('"a==2"', '"a>=1"', '"a>=1"', '"a==2"'),
        ('"a @ git+https://x/a"', '"a>=1"', '"a>=1"', '"a @ git+https://x/a"'),
        ('"a>=2.0-RC1"', '"a>=1"', '"a>=1.5"', '"a>=2.0-RC1"'),
        ('"a>=v2"', '"a>=1"', '"a>=2.0"', '"a>=v2"'),
    ],
)
def test_a_raised_floor_wins_without_a_conflict(
    yours: str, base: str, theirs: str, merged: str | None
) -> None:
    texts = [text.encode() + b"\n" for text in floors(yours, base, theirs)]
    result = merge(*texts)
    assert result is not None
    if merged is None:
        assert b"1.5" not in result[0]
        assert b">= 2" in result[0]
    else:
        assert result == (merged.encode() + b"\n", False)


@pytest.mark.parametrize(
    "text",
    [
        "[dependency-groups]\ndev = [{}]\n",
        "[project.optional-dependencies]\npostgres = [\n  {},\n]\n",
        "[build-system]\nrequires = [{}]\n",
    ],
)
def test_every_list_of_requirements_counts(text: str) -> None:
    kept = floors('"a>=2"', '"a>=1"', '"a>=1.5"', text)
    assert kept == ('"a>=2"', '"a>=2"', '"a>=2"')


def test_a_floor_that_the_template_only_adds_now_is_kept() -> None:
    kept = floors('"b", "a>=2"', '"b"', '"b", "a>=1"')
    assert kept == ('"b", "a>=2"', '"b"', '"b", "a>=2"')


@pytest.mark.parametrize(
    "yours",
    ['"a>=2", # "a>=1.5" broke', '"a>=2", "a>=2; sys_platform == \'win32\'"'],
)
def test_nothing_of_the_users_is_touched_but_a_lower_floor(yours: str) -> None:
    assert floors(yours, '"a>=1"', '"a>=1.5"')[0] == yours


def test_what_is_no_toml_is_left_alone() -> None:
    texts = b'"a>=2" [', b'"a>=1" [', b'"a>=1.5" ['
    assert keep_raised_floors(*texts) == texts


def test_markers_are_told_from_text() -> None:
    merged = merge(b"a\n=======\nyours\n", b"a\n=======\nb\n", b"a\n=======\nc\n")
    assert merged is not None
    text, conflicts = merged
    assert conflicts
    assert has_markers(text, 1)
    lines = text.splitlines(keepends=True)
    divider_left = b"".join(line for line in lines if line[:1] not in b"<>")
    assert has_markers(divider_left, 1)
    assert not has_markers(b"a\n=======\nyours\n", 1)
    assert merge(b"\0a", b"\0b", b"\0c") is None


@pytest.mark.parametrize(
    ("before", "now", "refused"),
    [
        ("v0.2.0", "v0.1.0", True),
        ("v0.10.0", "v0.9.0", True),
        ("v0.1.0-3-gabcdef1", "v0.1.0", True),
        ("v0.1.0", "v0.1.0-3-gabcdef1", False),
        ("v0.1.0", "v0.1.0", False),
        ("v0.9.0", "v0.10.0", False),
        ("abcdef1", "v0.1.0", False),
    ],
)
def test_an_update_never_goes_back_by_itself(
    before: str, now: str, *, refused: bool
) -> None:
    if refused:
        with pytest.raises(TemplateError, match="is older than"):
            check_newer(before, now)
    else:
        check_newer(before, now)


def test_the_tool_and_copier_leave_the_same_paths_alone() -> None:
    settings = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    excluded = settings["_exclude"][-1]
    listed = [line for line in excluded.splitlines() if line.startswith("/")]
    assert listed == settings["_skip_if_exists"]
    own = [path.strip("/").replace("src/*", "src") for path in listed]
    assert own == [path.strip("/") for path in baseline.NOT_THE_TEMPLATES]


def test_a_record_reads_as_it_was_written(tmp_path: Path) -> None:
    for files in (None, {"a.txt": "x\n", "b": "no end", "é/ü": "\n\n", "empty": ""}):
        written = baseline.Baseline("d1", None if files else "v1", files)
        baseline.write_baseline(tmp_path, written)
        assert baseline.read_baseline(tmp_path) == written


# --- copier's own update -------------------------------------------------------------


def dropped(repository: Path, tag: str, now: set[str]) -> set[str]:
    """Give what a tag rendered, for all answers that add files, and isn't there now."""
    folder = repository.parent / f"rendered-{tag}"
    copier.run_copy(
        str(repository),
        folder,
        {"package_name": "orders"},
        vcs_ref=tag,
        settings=copier.Settings(),
        defaults=True,
        quiet=True,
        skip_tasks=True,
    )
    return {path for path in files_of(folder) if baseline.is_templates(path)} - now


def files_of(folder: Path) -> set[str]:
    """List the files of a folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in found}


def test_what_the_template_dropped_is_listed_in_copier_yml(
    checkout: Path, tmp_path: Path
) -> None:
    here = Path(shutil.copytree(checkout, tmp_path / "here"))
    now = dropped(here, "v0.1.0", set())
    listed = (ROOT / "copier.yml").read_text(encoding="utf-8")
    tags = git(ROOT, "tag", "--list", "v*").split()
    mirror = tmp_path / "mirror"
    if tags:
        git(tmp_path, "clone", "--quiet", str(ROOT), str(mirror))
    for tag in tags:
        missing = {f"/{path}" for path in dropped(mirror, tag, now)}
        assert not {path for path in missing if f"    {path}\n" not in listed}, tag


@pytest.fixture
def tagged(plain: Path, tmp_path: Path) -> Path:
    """Give the template with two tags: the later one dropped a file, and lists it."""
    folder = copy_template(plain, tmp_path / "template")
    notes = folder / "templates" / "service" / "NOTES.md"
    notes.write_text("Notes.\n")
    commit(folder, tag="v0.1.0")
    notes.unlink()
    edit(folder / "copier.yml", "    /tests/\n", "    /tests/\n    /NOTES.md\n")
    docker = next((folder / "templates" / "service").glob("*Dockerfile*"))
    edit(docker, "python:3.13-slim", "python:3.14-slim")
    commit(folder, tag="v0.2.0")
    return folder


def copied(template: Path, service: Path, *options: str) -> None:
    """Copy the first tag without generating."""
    given = ["--skip-tasks", "--defaults", "--vcs-ref", "v0.1.0", *options]
    run = run_copier("copy", *given, str(template), str(service))
    assert run.returncode == 0, run.stderr


def copier_update(service: Path, *options: str) -> None:
    """Update with copier alone, and commit."""
    run = run_copier("update", "--trust", "--defaults", *options, str(service))
    assert run.returncode == 0, run.stderr
    assert not list(service.rglob("*.rej"))
    commit(service)


WITHOUT = ["--data", "docker=false", "--data", "ci=false"]


def test_copiers_update_deletes_no_edited_file(tagged: Path, tmp_path: Path) -> None:
    service = tmp_path / "orders"
    copied(tagged, service)
    edit(service / "Dockerfile", "USER service", "USER nobody")
    edit(service / ".github/workflows/ci.yml", "name: ci", "name: checks")
    (service / "NOTES.md").write_text("Mine.\n")
    (service / "compose.yaml").unlink()
    commit(service)
    for _ in range(2):
        copier_update(service, *WITHOUT)
        assert "USER nobody" in (service / "Dockerfile").read_text()
        assert "3.14" in (service / "Dockerfile").read_text()
        assert "checks" in (service / ".github/workflows/ci.yml").read_text()
        assert (service / "NOTES.md").read_text() == "Mine.\n"
        assert not (service / "compose.yaml").exists()
        assert (service / ".dockerignore").exists()
    assert "docker compose" not in (service / "README.md").read_text()


def test_copiers_update_leaves_alone_what_was_never_its_own(
    tagged: Path, tmp_path: Path
) -> None:
    service = tmp_path / "orders"
    copied(tagged, service, *WITHOUT)
    (service / "Dockerfile").write_text("FROM mine\n")
    commit(service)
    copier_update(service)
    assert (service / "Dockerfile").read_text() == "FROM mine\n"
    assert not (service / ".github").exists()


def test_copiers_update_loses_no_file_in_the_way(tagged: Path, tmp_path: Path) -> None:
    service = tmp_path / "orders"
    copied(tagged, service, *WITHOUT)
    (service / "Dockerfile").write_text("FROM mine\n")
    commit(service)
    run = run_copier(
        *("update", "--trust", "--defaults", "--data", "docker=true", str(service))
    )
    assert run.returncode == 0, run.stderr
    assert "FROM mine\n" in (service / "Dockerfile").read_text()
