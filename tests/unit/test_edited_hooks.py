"""Edited hooks: the spec is spared, and nothing comes out otherwise for it."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.merge.samples import AFTER, BEFORE, HEAD, recorded, stub, wanted

from interceptgen import pipeline
from interceptgen.cli import main
from interceptgen.files import Owner
from interceptgen.lock import LOCK_NAME, FileRecord, Lock
from interceptgen.merge import stub_hash
from interceptgen.plan import Plan, plan_edits
from interceptgen.snapshot import Snapshot
from interceptgen.write import exclusive

SPEC = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
interceptors:
  - name: quota
    description: Counts what each caller costs.
    hooks: [before_agent, after_agent]
  - name: tone
    description: Asks for good manners.
    hooks: [after_event]
"""
QUOTA = "src/orders/hooks/quota.py"
TONE = "src/orders/hooks/tone.py"
CONTRACT = "src/orders/service/contracts/quota.py"
EXECUTOR = "src/orders/service/executor.py"
TEST = "tests/test_quota.py"

Edit = Callable[[Path], object]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a service as generated; not to be changed."""
    root = tmp_path_factory.mktemp("orders")
    (root / "interceptors.yaml").write_text(SPEC)
    pipeline.generate(root)
    return root


@pytest.fixture
def root(generated: Path, tmp_path: Path) -> Path:
    """Give a copy of that service."""
    return shutil.copytree(generated, tmp_path / "orders")


def swap(path: str, old: str, new: str) -> Edit:
    """Make an edit of a part of a file."""

    def edit(root: Path) -> None:
        data = (root / path).read_bytes()
        assert old.encode() in data
        (root / path).write_bytes(data.replace(old.encode(), new.encode()))

    return edit


def add(path: str, text: str) -> Edit:
    """Make an edit that goes below all else."""

    def edit(root: Path) -> None:
        with (root / path).open("a", newline="") as file:
            file.write(text)

    return edit


def delete(path: str) -> Edit:
    """Make an edit that deletes a file."""
    return lambda root: (root / path).unlink()


def run(*words: str) -> Edit:
    """Make a run of the tool."""

    def edit(root: Path) -> None:
        done = CliRunner().invoke(main, [*words, str(root)])
        assert done.exit_code == 0, done.output

    return edit


def tree(root: Path) -> Mapping[str, bytes]:
    """Give each file's content."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


BODY = swap(QUOTA, "        return context\n", "        return context  # mine\n")
BACK = swap(QUOTA, "  # mine", "")
OTHER = swap(TONE, "return event", "return None")
SYNC = swap(TONE, "async def after_event", "def after_event")
GENERATE = run("generate")
EDITS: Mapping[str, tuple[Edit, ...]] = {
    "body": (BODY,),
    "body again": (BODY, GENERATE, swap(QUOTA, "mine", "still mine")),
    "body of two": (BODY, OTHER),
    "body, and one that misfits": (BODY, SYNC),
    "misfit mended": (SYNC, GENERATE, swap(TONE, "    def ", "    async def ")),
    "back as emitted": (BODY, GENERATE, BACK),
    "function below": (add(QUOTA, "\n\ndef mine() -> None: ...\n"),),
    "function below again": (
        add(QUOTA, "\n\ndef mine() -> None: ...\n"),
        GENERATE,
        swap(QUOTA, "mine", "ours"),
    ),
    "line ends and body": (
        swap(QUOTA, "\n", "\r\n"),
        swap(QUOTA, "return ", "return  "),
    ),
    "hook deleted": (
        swap(TONE, "    async def after_event", "    x = 1\n\n\ndef mine"),
    ),
    "no Python": (add(QUOTA, "def mine(:\n"),),
    "no file": (BODY, delete(TONE)),
    "empty file": (lambda root: (root / QUOTA).write_bytes(b""),),
    "another class": (swap(QUOTA, "class Quota", "class Mine"),),
    "forked contract": (run("fork", CONTRACT), BODY),
    "broken contract": (run("fork", CONTRACT), add(CONTRACT, "def (\n"), BODY),
    "edited contract": (add(CONTRACT, "# mine\n"), BODY),
    "edited executor": (add(EXECUTOR, "# mine\n"), BODY),
    "seeded file edited": (add(TEST, "# mine\n"), BODY),
    "seeded file deleted": (delete(TEST), BODY),
    "other spec": (BODY, swap("interceptors.yaml", "[after_event]", "[after_agent]")),
}


@pytest.mark.parametrize("words", [("check",), ("generate",), ("generate", "--force")])
@pytest.mark.parametrize("edits", EDITS.values(), ids=EDITS)
def test_the_shortcut_changes_no_result(
    edits: tuple[Edit, ...],
    words: tuple[str, ...],
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for edit in edits:
        edit(root)
    kept = shutil.copytree(root, root.with_name("kept"))
    seen = CliRunner().invoke(main, [*words, str(root)])
    after = tree(root)
    shutil.rmtree(root)
    kept.rename(root)
    monkeypatch.setattr("interceptgen.edited.plan_edited", no_plan)
    wanted = CliRunner().invoke(main, [*words, str(root)])
    assert (seen.exit_code, seen.output) == (wanted.exit_code, wanted.output)
    assert after == tree(root)


def no_plan(_: Snapshot) -> Plan | None:
    """Leave all to the spec."""
    return None


def no_survey(_: Path) -> pipeline.Survey:
    """Refuse to read the spec."""
    pytest.fail("the spec was read")


SPARED = ("body", "body again", "body of two", "function below", "line ends and body")


@pytest.mark.parametrize("name", SPARED)
def test_the_spec_is_spared(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for edit in EDITS[name]:
        edit(root)
    before = tree(root)
    monkeypatch.setattr(pipeline, "survey", no_survey)
    assert pipeline.check(root) is not None
    assert tree(root) == before
    assert pipeline.generate(root) is not None
    after = tree(root)
    assert {path for path in after if after[path] != before[path]} == {LOCK_NAME}
    assert pipeline.generate(root) is None


def test_another_run_meanwhile_is_heeded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BODY(root)
    once = exclusive

    def meanwhile(folder: Path) -> object:
        monkeypatch.setattr("interceptgen.write.exclusive", once)
        OTHER(root)
        pipeline.generate(root)
        return once(folder)

    monkeypatch.setattr("interceptgen.write.exclusive", meanwhile)
    pipeline.generate(root)
    before = tree(root)
    assert pipeline.generate(root) is None
    assert tree(root) == before


def planned(data: str, stubs: Mapping[str, str], *names: str) -> Plan | None:
    """Plan for one edited file."""
    path = "hooks/house_style.py"
    record = FileRecord(
        owner=Owner.GROWN,
        item="interceptors.house_style",
        sha256="",
        pristine=False,
        stubs=stubs,
    )
    lock = Lock(inputs="in", files={path: record})
    snapshot = Snapshot(files={path: data.encode()}, lock=lock)
    return plan_edits({path: wanted(*map(stub, names))}, snapshot)


def test_what_changes_without_a_note_is_left_to_the_spec() -> None:
    empty = f"{HEAD}\n    pass\n\n    mine = 1\n"
    stubs = {**recorded(BEFORE), "pass": stub_hash("    pass")}
    assert planned(empty, stubs, "before_agent") is None
    assert planned(empty, recorded(BEFORE), "before_agent") is not None


def test_without_a_lock_or_a_file_all_is_left_to_the_spec() -> None:
    path, module = "hooks/house_style.py", wanted(AFTER)
    record = FileRecord(owner=Owner.GROWN, item="", sha256="")
    lock = Lock(inputs="in", files={path: record})
    for snapshot in (
        Snapshot(files={path: b"x = 1\n"}, lock=None),
        Snapshot(files={path: None}, lock=lock),
    ):
        assert plan_edits({path: module}, snapshot) is None
