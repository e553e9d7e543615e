"""Stubs and modules as the tool emits them, for the tests of the merge."""

from collections.abc import Mapping

from interceptgen.files import GrownModule, Stub
from interceptgen.merge import Growth, NoteKind, stub_hash

CLASS = "HouseStyle"
ORDER = ("before_agent", "after_event", "after_agent", "on_exit")
PARAMETERS = {
    "before_agent": ("context: contract.RequestContext",),
    "after_event": (
        "context: contract.ExecutorContext",
        "event: contract.A2AEvent",
        "adk_event: contract.AdkEvent",
    ),
    "after_agent": (
        "context: contract.ExecutorContext",
        "final_event: contract.TaskStatusUpdateEvent",
    ),
    "on_exit": ("outcome: contract.Outcome",),
}

HEAD = '''\
"""Signs every answer."""

from orders.service.contracts import house_style as contract


class HouseStyle(contract.Hooks):
    """Signs every answer."""
'''


def stub(name: str, doc: str = "Runs.") -> Stub:
    """Make a stub in the emitted form."""
    parameters = "".join(f"        {part},\n" for part in PARAMETERS[name])
    result = PARAMETERS[name][-1].partition(":")[0]
    text = (
        f"    async def {name}(\n        self,\n{parameters}    ) -> object:\n"
        f'        """{doc}\n\n        Returns:\n            The rest.\n        """\n'
        f"        return {result}\n"
    )
    return Stub(name=name, text=text)


BEFORE, EVENT, AFTER, EXIT = map(stub, ORDER)


def wanted(*stubs: Stub) -> GrownModule:
    """Make what the spec wants of the class."""
    return GrownModule(class_name=CLASS, stubs=stubs)


def recorded(*stubs: Stub) -> dict[str, str]:
    """Make what the lock holds after these were emitted."""
    return {each.name: stub_hash(each.text) for each in stubs}


def emitted(*stubs: Stub) -> str:
    """Make a fresh module."""
    return HEAD + "".join(f"\n{each.text}" for each in stubs)


def kinds(growth: Growth) -> Mapping[str, NoteKind]:
    """Map each method of the notes to what happened to it."""
    found = {note.method: note.kind for note in growth.notes}
    assert len(found) == len(growth.notes)
    return found
