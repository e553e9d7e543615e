"""Ways through specs that once went wrong, or nearly: one each."""

import ast

import pytest
from tests.property import user_edits
from tests.property.project import HOOKS, TESTS, Project
from tests.property.spec_pool import Entry, Spec

from interceptgen.merge import Rename, rename_imports
from interceptgen.plan import Action

MARK = "# mine\n"
# Before, all three, the first two, after_event, the last two.
BEFORE, ALL, FIRST, EVENT, LAST = range(5)
TO_TONE = Rename(
    contracts="orders.service.contracts",
    old_module="quota",
    new_module="tone",
    old_class="Quota",
    new_class="Tone",
)


def made(*entries: Entry) -> Project:
    project = Project(spec=Spec(entries))
    project.generate()
    return project


def write(project: Project, path: str, text: str = MARK) -> None:
    project.edit(path, lambda data, _, __: data + text.encode(), "", 0)


def go(project: Project, *entries: Entry) -> None:
    project.spec = Spec(entries)
    project.generate()


def text(project: Project, path: str) -> str:
    return project.disk[path].decode()


def test_a_deleted_test_stays_deleted_under_each_new_name() -> None:
    project = made(Entry("quota", EVENT))
    project.delete(TESTS.format("quota"))
    go(project, Entry("tone", ALL, ("quota",)))
    go(project, Entry("house_style", ALL, ("quota", "tone")))
    go(project, Entry("house_style", BEFORE))
    assert not [path for path in project.owned() if path.startswith("tests/")]


def test_an_untouched_test_follows_the_spec() -> None:
    project = made(Entry("quota", FIRST))
    go(project, Entry("quota", BEFORE))
    assert "after_event" not in text(project, TESTS.format("quota"))


def test_the_test_of_a_dropped_interceptor_keeps_its_hooks() -> None:
    project = made(Entry("quota", EVENT), Entry("tone", EVENT))
    write(project, TESTS.format("quota"))
    go(project, Entry("tone", EVENT))
    assert HOOKS.format("quota") in project.disk
    project.delete(TESTS.format("quota"))
    go(project, Entry("tone", EVENT))
    assert HOOKS.format("quota") not in project.disk


def test_what_only_a_rename_tells_leaves_no_second_run() -> None:
    project = made(Entry("quota", EVENT))
    write(project, HOOKS.format("quota"), "# Quota\n")
    project.spec = Spec((Entry("tone", EVENT, ("quota",)),))
    plan = project.generate()
    assert [
        note.reason for step in plan.steps for note in step.notes if not note.method
    ]
    assert plan.lock is not None
    assert plan.lock.inputs


def test_a_chain_of_names_carries_what_is_mine_and_may_be_forgotten() -> None:
    project = made(Entry("quota", EVENT))
    write(project, HOOKS.format("quota"))
    write(project, TESTS.format("quota"))
    go(project, Entry("house_style", EVENT, ("quota",)))
    go(project, Entry("tone", EVENT, ("quota", "house_style")))
    go(project, Entry("tone", EVENT))
    go(project, Entry("house_style_two", EVENT, ("tone",)))
    names = [HOOKS.format("house_style_two"), TESTS.format("house_style_two")]
    assert project.owned() == names
    assert all(MARK in text(project, path) for path in names)
    assert "class HouseStyleTwo(" in text(project, names[0])
    assert "import HouseStyleTwo\n" in text(project, names[1])


def test_two_swap_their_names_over_three_runs() -> None:
    project = made(Entry("quota", EVENT), Entry("tone", BEFORE))
    write(project, HOOKS.format("quota"), "# of quota\n")
    write(project, HOOKS.format("tone"), "# of tone\n")
    go(project, Entry("house_style", EVENT, ("quota",)), Entry("tone", BEFORE))
    go(project, Entry("house_style", EVENT), Entry("quota", BEFORE, ("tone",)))
    go(project, Entry("tone", EVENT, ("house_style",)), Entry("quota", BEFORE))
    assert "# of quota" in text(project, HOOKS.format("tone"))
    assert "# of tone" in text(project, HOOKS.format("quota"))


@pytest.mark.parametrize("place", [HOOKS, TESTS], ids=["hooks", "tests"])
def test_a_file_at_the_new_name_is_not_written_over(place: str) -> None:
    project = made(Entry("quota", EVENT))
    write(project, place.format("quota"))
    project.disk[place.format("tone")] = b"# somebody's\n"
    go(project, Entry("tone", EVENT, ("quota",)))
    assert project.disk[place.format("tone")] == b"# somebody's\n"
    assert MARK in text(project, place.format("quota"))


def test_a_freed_name_taken_at_once_loses_neither_side() -> None:
    project = made(Entry("quota", EVENT), Entry("tone", EVENT))
    write(project, HOOKS.format("quota"), "# of quota\n")
    write(project, HOOKS.format("tone"), "# of tone\n")
    go(project, Entry("tone", EVENT, ("quota",)))
    assert "# of tone" in text(project, HOOKS.format("tone"))
    assert "# of quota" in text(project, HOOKS.format("quota"))


def test_an_orphan_comes_back_to_life_under_another_name() -> None:
    project = made(Entry("quota", EVENT), Entry("tone", EVENT))
    write(project, HOOKS.format("quota"))
    go(project, Entry("tone", EVENT))
    go(project, Entry("tone", EVENT), Entry("house_style", LAST, ("quota",)))
    assert HOOKS.format("quota") not in project.disk
    found = text(project, HOOKS.format("house_style"))
    assert MARK in found
    assert found.count("async def after_event(") == 1
    assert found.count("async def after_agent(") == 1


def test_a_kept_hook_of_mine_is_wired_again_and_not_put_in_twice() -> None:
    project = made(Entry("quota", FIRST))
    project.edit(HOOKS.format("quota"), user_edits.EDITS["body"], "mine", 1)
    go(project, Entry("quota", BEFORE))
    plan = project.plan()
    assert {step.path for step in plan.steps if step.action is Action.ORPHAN} == set()
    go(project, Entry("quota", FIRST))
    assert text(project, HOOKS.format("quota")).count("async def after_event(") == 1


@pytest.mark.parametrize(
    "code",
    [
        "from orders.hooks.quota import Quota\n\nTone = 3\n\nassert Quota() != Tone\n",
        "from orders.hooks import quota\n\ntone = 3\n\nassert quota.Quota() != tone\n",
    ],
    ids=["class", "module"],
)
def test_a_new_name_that_is_mine_already_is_not_given_twice(code: str) -> None:
    renamed = rename_imports(code.encode(), TO_TONE)
    assert renamed.data == code.encode()
    assert [note.line for note in renamed.notes if note.reason.endswith("in use")]


def test_a_kept_hook_of_mine_still_finds_its_types() -> None:
    project = made(Entry("quota", FIRST))
    project.edit(HOOKS.format("quota"), user_edits.EDITS["body"], "mine", 1)
    go(project, Entry("quota", BEFORE))
    contract = ast.parse(project.disk["src/orders/service/contracts/quota.py"])
    given = {
        alias.name
        for node in contract.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    hooks = ast.parse(project.disk[HOOKS.format("quota")])
    asked = {
        node.attr
        for node in ast.walk(hooks)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "contract"
    }
    assert asked <= given | {"Hooks", "Config"}
