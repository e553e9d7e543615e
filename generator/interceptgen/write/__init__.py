"""Plan to disk: staged, then put in place file by file, the lock last.

A run that is killed leaves every file old or new, and the next run finishes
the job, or another one, without taking the dead run's files for a person's.
"""

from interceptgen.write.applying import apply
from interceptgen.write.exclusive import BusyError, exclusive
from interceptgen.write.failure import WriteError
from interceptgen.write.single import replace_file

__all__ = ["BusyError", "WriteError", "apply", "exclusive", "replace_file"]
