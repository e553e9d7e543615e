"""The versions of google-adk and a2a-sdk that this service is made for."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from packaging.specifiers import SpecifierSet

__all__ = ["SUPPORTED", "require_supported_versions"]

SUPPORTED = {"google-adk": ">=2.12,<3", "a2a-sdk": ">=1.3,<2"}


def require_supported_versions(installed: Callable[[str], str] = version) -> None:
    """Stop the process with one line unless both packages are in range.

    Args:
        installed: Gives the installed version of a distribution.

    Raises:
        SystemExit: With both versions and the command that mends them.
    """
    found = {name: _version_or_none(name, installed) for name in SUPPORTED}
    if all(
        have is not None
        and SpecifierSet(SUPPORTED[name]).contains(have, prereleases=True)
        for name, have in found.items()
    ):
        return
    pair = " with ".join(
        f"{name} {have or '(missing)'}" for name, have in found.items()
    )
    wanted = " ".join(
        f"'{name}{extra}{SUPPORTED[name]}'" for name, extra in _EXTRAS.items()
    )
    message = f"{pair} can't run this service; run: pip install {wanted}"
    raise SystemExit(message)


_EXTRAS = {"google-adk": "[a2a]", "a2a-sdk": "[http-server]"}


def _version_or_none(name: str, installed: Callable[[str], str]) -> str | None:
    try:
        return installed(name)
    except PackageNotFoundError:
        return None
