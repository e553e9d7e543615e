"""One command from a fresh checkout to a served agent."""

from pathlib import Path

from environment import call, python

__all__ = ["demo"]

PACKAGE = "demo"


def demo(folder: Path, port: int) -> int:
    """Make a service from this checkout, if need be, and serve it on loopback.

    Args:
        folder: Where the service lies or will lie.
        port: The port to listen on.

    Returns:
        The exit code of what failed, or of the server.
    """
    target = folder.resolve()
    if not (target / "interceptors.yaml").exists():
        code = _new(target)
        if code != 0:
            return code
    return _serve(target, port)


def _new(target: Path) -> int:
    answers = ("--defaults", "--data", f"package_name={PACKAGE}")
    return call(python(), "-m", "interceptgen", "new", str(target), *answers)


def _serve(target: Path, port: int) -> int:
    # The checkout's environment holds all that a service needs, so nothing
    # more is installed; a service of your own has its own environment.
    found = {"PYTHONPATH": str(target / "src")}
    start = ("-m", PACKAGE, "--port", str(port))
    try:
        return call(python(), *start, cwd=target, variables=found)
    except KeyboardInterrupt:
        return 0
