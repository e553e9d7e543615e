"""Grow a user's hook module without changing a byte that the user wrote.

Takes the file's bytes, the class and methods that the spec wants, and the
hash of each method as the tool last emitted it. Gives new bytes, the hashes to
record, and notes about what was done or left. Reads and writes no disk.
"""

from interceptgen.merge.growth import grow
from interceptgen.merge.importing import rename_imports
from interceptgen.merge.outcome import Growth, Note, NoteKind, Renamed
from interceptgen.merge.renaming import Rename, rename_class
from interceptgen.merge.stub import stub_hash

__all__ = [
    "Growth",
    "Note",
    "NoteKind",
    "Rename",
    "Renamed",
    "grow",
    "rename_class",
    "rename_imports",
    "stub_hash",
]
