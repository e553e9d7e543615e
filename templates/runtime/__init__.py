"""The A2A service: the executor with its interceptors, and its application.

Importing it stops with one line when the installed ADK and SDK don't fit,
before anything of theirs is imported.
"""

import os

from .versions import require_supported_versions

# ADK prints a notice for each experimental class; it reads this at each call,
# so set it to 0 to see them.
os.environ.setdefault("ADK_SUPPRESS_EXPERIMENTAL_FEATURE_WARNINGS", "1")
require_supported_versions()
