"""What a caller may read of a failure."""

from pkgutil import resolve_name

__all__ = ["SafeErrors"]

_MESSAGE = "The request failed; name the correlation id when you ask about it."


class SafeErrors:
    """Hides what was raised behind a public message.

    Attributes:
        message: What the caller reads.
        pass_through: The classes whose text the caller may read.
    """

    def __init__(
        self, *, message: str = _MESSAGE, pass_through: tuple[str, ...] = ()
    ) -> None:
        """Choose what may be read.

        Args:
            message: What the caller reads of a failure.
            pass_through: Exception classes, as `module:Class`, whose own text
                the caller reads in its place.

        Raises:
            TypeError: If one of them is no exception class.
            ImportError: If the module of one isn't there.
            AttributeError: If the class isn't.
        """
        self.message = message
        self.pass_through = tuple(map(_exception_class, pass_through))

    def public_text(self, error: BaseException) -> str:
        """Give what the caller may read of it."""
        return str(error) if isinstance(error, self.pass_through) else self.message


def _exception_class(name: str) -> type[Exception]:
    found: object = resolve_name(name)
    if isinstance(found, type) and issubclass(found, Exception):
        return found
    message = f"{name} is no exception class"
    raise TypeError(message)
