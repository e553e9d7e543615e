"""What random ways through specs and edits leave behind still type-checks.

The edits add to the hook modules what is right by itself. A test of a person's
that speaks of a hook which the spec drops can't be right, so tests are let be.
"""

import random
from pathlib import Path

import pytest
from tests.property import spec_edits
from tests.property.project import Project
from tests.property.spec_pool import Entry, Spec, printed
from tests.property.user_edits import EDITS
from tests.service.making import Template, run, write

# They leave no name undefined, no type wrong, and take no hook away.
TYPED = ("header", "footer", "comment between", "method in full", "helper in full")
KINDS = [kind for kind in spec_edits.EDITS if kind != "upgrade the generator"]


def _typed(kind: str, data: bytes, word: str) -> bytes:
    if kind == "method in full":
        at = data.find(b"    async def ")
        text = (
            f'    def {word}(self) -> int:\n        """Mine."""\n        return 1\n\n'
        )
        return data if at < 0 else data[:at] + text.encode() + data[at:]
    if kind == "helper in full":
        text = f'\n\ndef {word}() -> int:\n    """Mine."""\n    return 1\n'
        return data + text.encode()
    return EDITS[kind](data, word, 0)


def _walk(number: int) -> Project:
    """Make one project: some specs, some edits, a run after each."""
    chance = random.Random(number)  # noqa: S311 - a seed that says what it made
    project = Project(
        spec=Spec((Entry("quota", 1), Entry("tone", chance.randrange(5))))
    )
    project.generate()
    for step in range(8):
        for path in project.owned():
            if path.startswith("src/") and chance.random() < 0.5:
                kind = chance.choice(TYPED)
                word = f"word{step}_{chance.randrange(1000)}"
                data = project.disk[path]
                project.disk[path] = _typed(kind, data, word)
        edit = spec_edits.EDITS[chance.choice(KINDS)]
        spec = edit(project.spec, chance.randrange(12), chance.randrange(12))
        if spec.legal():
            project.spec = spec
        project.generate()
    return project


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Give the template of this checkout."""
    return Template(tmp_path_factory.mktemp("template"))


@pytest.mark.service
@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_mypy_finds_nothing(number: int, template: Template, tmp_path: Path) -> None:
    project = _walk(number)
    service = template.make(tmp_path / "orders", package_name="orders")
    # All that the project of the walk does not hold is as any fresh one has it.
    for file in printed(project.spec):
        write(service / file.path, file.text)
    for path in project.owned():
        (service / path).write_bytes(project.disk[path])
    for path, data in project.disk.items():
        write(service / path, data.decode())
    done = run(service, "mypy", "--strict", "--explicit-package-bases", "src", "tests")
    assert done.code == 0, done.output
