"""Grow one hook module, or leave it alone and say why."""

from collections.abc import Mapping

from interceptgen.files import GrownModule
from interceptgen.merge.locate import ClassBody, locate
from interceptgen.merge.methods import MethodMerge
from interceptgen.merge.opening import opened
from interceptgen.merge.outcome import Growth, Note, NoteKind, Unseen
from interceptgen.merge.source import Source, compiles, read
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
    found = _found(current, module.class_name)
    if isinstance(found, Unseen):
        return _by_hand(current, module, recorded, found)
    merge = MethodMerge(*found, module.stubs, recorded)
    if merge.wants_room:
        room = opened(*found)
        found = found if room is None else _found(room, module.class_name)
        if isinstance(found, Unseen):
            return _by_hand(current, module, recorded, found)
        merge = MethodMerge(*found, module.stubs, recorded)
    merge.run()
    data = merge.draft.data
    if data != current and not _reads_back(current, merge, module.class_name):
        broken = Unseen(reason="the edit would not read back", line=found[1].line + 1)
        return _by_hand(current, module, recorded, broken)
    return Growth(
        data=current if data == current else data,
        stubs=merge.stubs,
        notes=tuple(merge.notes()),
    )


def _found(data: bytes, class_name: str) -> tuple[Source, ClassBody] | Unseen:
    source = read(data)
    if isinstance(source, Unseen):
        return source
    body = locate(source, class_name)
    return body if isinstance(body, Unseen) else (source, body)


def _reads_back(current: bytes, merge: MethodMerge, class_name: str) -> bool:
    """Parse the result anew: the same statements on the same lines, and valid."""
    found = _found(merge.draft.data, class_name)
    if isinstance(found, Unseen):
        return False
    places = [(part.name, part.span.start, part.span.end) for part in found[1].members]
    meant = [
        (part.name, part.span.start, part.span.end) for part in merge.draft.members
    ]
    # Syntax newer than this interpreter is the user's right: then only the
    # parser above has a say.
    return places == meant and (compiles(merge.draft.data) or not compiles(current))


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
