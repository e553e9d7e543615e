"""Decide, method by method, what is the user's and what follows the spec.

A method is the tool's as long as its text is one that the tool emitted, and
nothing else in the class speaks of it. All else is the user's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from interceptgen.files import Stub
from interceptgen.merge.draft import Draft
from interceptgen.merge.fit import misfit
from interceptgen.merge.locate import PLACEHOLDER, ClassBody, Member
from interceptgen.merge.outcome import Note, NoteKind
from interceptgen.merge.stub import host_lines, stub_hash

__all__ = ["MethodMerge"]


class MethodMerge:
    """One run over the methods of one class.

    Attributes:
        draft: The file being edited.
        stubs: What the lock has to record afterwards.
    """

    def __init__(
        self,
        body: ClassBody,
        wanted: Sequence[Stub],
        recorded: Mapping[str, str],
    ) -> None:
        self.draft = Draft(body)
        self.stubs: dict[str, str] = {}
        self._source = body.tree.source
        self._body = body
        self._wanted = wanted
        self._recorded = recorded
        self._notes: list[Note] = []

    @property
    def wants_room(self) -> bool:
        """Whether a method has to go into a body on the class's line."""
        return self._body.one_line is not None and any(
            not self.draft.named(stub.name) and self._hurdle(stub.name) is None
            for stub in self._wanted
        )

    def run(self) -> None:
        """Merge every method; insertions first, so that no class runs empty."""
        for stub in self._wanted:
            self._merge(stub)
        wanted = {stub.name for stub in self._wanted}
        for name in self._recorded:
            if name not in wanted:
                self._drop(name)

    def notes(self) -> Iterator[Note]:
        """Give the notes with the lines on which their methods ended up."""
        for note in self._notes:
            if note.kind is NoteKind.REMOVED:
                yield note
            else:
                line = self._line(self.draft.members, note.method)
                yield replace(note, line=line)

    def _merge(self, stub: Stub) -> None:
        """Bring one wanted method up to the spec."""
        lines = host_lines(stub.text, self._body.indent)
        emitted = stub_hash("\n".join(lines))
        members = self.draft.named(stub.name)
        last = self._recorded.get(stub.name)
        contents = self._source.encoded(lines)
        if not members and (hurdle := self._hurdle(stub.name)):
            self._keep(stub.name, *hurdle, stub.text)
        elif members and not self._is_ours(members, stub.name, {last, emitted}):
            self._keep_edited(members, stub)
        elif members and stub_hash(self.draft.text(members[0])) == emitted:
            self.stubs[stub.name] = emitted
        elif not members and self._body.one_line is not None:
            reason = "the class body is on the line of its class"
            self._keep(stub.name, NoteKind.UNSEEN, reason, stub.text)
        elif contents is None:
            reason = f"{self._source.encoding} lacks one of its characters"
            self._keep(stub.name, NoteKind.UNSEEN, reason, stub.text)
        else:
            kind = NoteKind.REFRESHED if members else NoteKind.INSERTED
            if members:
                self.draft.replace(members[0], stub.name, contents)
            else:
                self._insert(stub.name, contents)
            self.stubs[stub.name] = emitted
            self._note(kind, stub.name, text="\n".join([*lines, ""]))

    def _hurdle(self, name: str) -> tuple[NoteKind, str] | None:
        """Tell why a method that the class lacks can't be put there."""
        inherited = self._body.inherited
        if name in self._recorded:
            return NoteKind.ABSENT, "deleted from the class by hand"
        if any(name in part.uses for part in self.draft.members):
            return NoteKind.UNSEEN, "the class uses this name of something else"
        if name in inherited.names:
            return NoteKind.EDITED, "inherited from a base class"
        if inherited.foreign:
            return NoteKind.UNSEEN, f"the base class {inherited.foreign} may have it"
        return None

    def _insert(self, name: str, contents: Sequence[bytes]) -> None:
        """Put a method where the spec's order has it."""
        names = [stub.name for stub in self._wanted]
        where = names.index(name)
        members = self.draft.members
        last = {bound: part for part in members for bound in part.binds}
        first = {bound: part for part in reversed(members) for bound in part.binds}
        before = [last[other] for other in names[:where] if other in last]
        after = [first[other] for other in names[where + 1 :] if other in first]
        # A method that the spec has dropped still marks where methods belong.
        known = [part for part in members if part.binds & self._recorded.keys()]
        if self._is_ours(members, PLACEHOLDER, {self._recorded.get(PLACEHOLDER)}):
            self.draft.replace(members[0], name, contents)
        elif before:
            self.draft.insert_after(before[-1], name, contents)
        elif after:
            self.draft.insert_before(after[0], name, contents)
        else:
            self.draft.insert_after((known or members)[-1], name, contents)

    def _drop(self, name: str) -> None:
        """Take out what the spec no longer has, unless it became the user's."""
        members = self.draft.named(name)
        if not members:
            return
        if self._is_ours(members, name, {self._recorded[name]}):
            self._remove(members[0])
        elif name != PLACEHOLDER:
            self._keep(name, NoteKind.ORPHAN)

    def _remove(self, member: Member) -> None:
        name, text = member.name, self.draft.text(member)
        if len(self.draft.members) > 1:
            self.draft.remove(member)
        else:
            self.stubs[PLACEHOLDER] = stub_hash(self.draft.empty(member))
        if name != PLACEHOLDER:
            self._note(NoteKind.REMOVED, name, text=text)

    def _is_ours(
        self, members: Sequence[Member], name: str, emitted: set[str | None]
    ) -> bool:
        """Tell whether a name is one method's alone, in a text of the tool's."""
        return (
            len(members) == 1
            and members[0].name == name
            and stub_hash(self.draft.text(members[0])) in emitted
            and not any(
                name in part.uses for part in self.draft.members if part != members[0]
            )
        )

    def _keep_edited(self, members: Sequence[Member], stub: Stub) -> None:
        method = members[0].method if len(members) == 1 else None
        reason = misfit(method, stub.text) if method is not None else ""
        kind = NoteKind.MISFIT if reason else NoteKind.EDITED
        self._keep(stub.name, kind, reason, stub.text)

    def _keep(
        self, name: str, kind: NoteKind, reason: str = "", text: str = ""
    ) -> None:
        """Leave a method as it is, and remember what was last emitted for it."""
        if name in self._recorded:
            self.stubs[name] = self._recorded[name]
        self._note(kind, name, reason=reason, text=text)

    def _note(
        self, kind: NoteKind, name: str, *, text: str = "", reason: str = ""
    ) -> None:
        line = self._line(self._body.members, name)
        self._notes.append(
            Note(kind=kind, method=name, line=line, text=text, reason=reason)
        )

    def _line(self, members: Sequence[Member], name: str) -> int:
        """Give the line of a name in the class, or else the class's own."""
        lines = (part.span.head for part in members if name in part.binds | {part.name})
        return next(lines, self._body.line) + 1
