"""The base of what a person can mend."""

__all__ = ["UserError"]


class UserError(Exception):
    """What is wrong and the way out, for a person; shown without a traceback."""
