"""`interceptgen update`: the template's news, generated code and a check, or nothing.

Copier renders the template as it was and as it is, git merges both with the
user's files, and a journal in git's own folder can undo everything.
"""

from interceptgen.update.run import Outcome, UpdateError, abort, begin, resume

__all__ = ["Outcome", "UpdateError", "abort", "begin", "resume"]
