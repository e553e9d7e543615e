"""Grow one hook module, or leave it alone and say why."""

from collections.abc import Mapping

from interceptgen.files import GrownModule
from interceptgen.merge.locate import locate
from interceptgen.merge.methods import MethodMerge
from interceptgen.merge.opening import opened
from interceptgen.merge.outcome import Growth, Note, NoteKind, Unseen
from interceptgen.merge.reread import reread
from interceptgen.merge.stub import stub_hash

__all__ = ["grow"]


def grow(current: bytes, module: GrownModule, recorded: Mapping[str, str]) -> Growth:
    """Bring a module's class up to the spec, the user's bytes untouched.

    Args:
        current: The file as it is.
        module: The class and the methods that the spec wants, in its order.
        recorded: The hash of each method as the tool last emitted it.

    Returns:
        The file as it should be. Where the class can't be told for sure, or
        the edit would not read back as meant: the file as it is, with notes
        that say what to add by hand.
    """
    try:
        return _grown(current, module, recorded)
    except RecursionError:
        deep = Unseen(reason="the file is nested too deep")
        return _by_hand(current, module, recorded, deep)


def _grown(current: bytes, module: GrownModule, recorded: Mapping[str, str]) -> Growth:
    body = locate(current, module.class_name)
    if isinstance(body, Unseen):
        return _by_hand(current, module, recorded, body)
    merge = MethodMerge(body, module.stubs, recorded)
    if merge.wants_room:
        body = opened(body, module.class_name)
        merge = MethodMerge(body, module.stubs, recorded)
    merge.run()
    data = merge.draft.data
    if data != current:
        again = reread(data, module.class_name, merge.draft.members, body)
        if isinstance(again, Unseen):
            return _by_hand(current, module, recorded, again)
    return Growth(
        data=current if data == current else data,
        stubs=merge.stubs,
        notes=tuple(merge.notes()),
    )


def _by_hand(
    current: bytes, module: GrownModule, recorded: Mapping[str, str], why: Unseen
) -> Growth:
    """Leave a file alone; ask for what the spec wants and the lock lacks."""
    return Growth(
        data=current,
        stubs=dict(recorded),
        notes=tuple(
            Note(
                kind=NoteKind.UNSEEN,
                method=stub.name,
                line=why.line,
                text=stub.text,
                reason=why.reason,
            )
            for stub in module.stubs
            if recorded.get(stub.name) != stub_hash(stub.text)
        ),
    )
