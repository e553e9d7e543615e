"""A pair of versions that this service isn't made for is named at the start."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError

import pytest

from runtime.versions import SUPPORTED, require_supported_versions


def having(**versions: str) -> Callable[[str], str]:
    """Give the installed versions, by name with underscores."""

    def installed(name: str) -> str:
        found = versions.get(name.replace("-", "_"))
        if found is None:
            raise PackageNotFoundError(name)
        return found

    return installed


def test_what_is_installed_here_is_supported() -> None:
    """Or no test of this service says anything."""
    require_supported_versions()


def test_a_pre_release_in_range_is_supported() -> None:
    """It is newer than what is asked for."""
    lowest = {name: spec.split(",")[0][2:] for name, spec in SUPPORTED.items()}
    found = {name.replace("-", "_"): f"{low}.1rc1" for name, low in lowest.items()}

    require_supported_versions(having(**found))


@pytest.mark.parametrize(
    "found",
    [
        {"google_adk": "1.0", "a2a_sdk": "1.3.0"},
        {"google_adk": "2.12.0", "a2a_sdk": "0.3"},
        {"google_adk": "2.12.0"},
        {"a2a_sdk": "1.3.0"},
    ],
)
def test_others_are_named_with_the_command_that_mends_them(
    found: dict[str, str],
) -> None:
    """In one line, and before anything starts."""
    pair = (
        f"google-adk {found.get('google_adk', '(missing)')}"
        f" with a2a-sdk {found.get('a2a_sdk', '(missing)')}"
    )
    wanted = (
        f"'google-adk[a2a]{SUPPORTED['google-adk']}'"
        f" 'a2a-sdk[http-server]{SUPPORTED['a2a-sdk']}'"
    )

    with pytest.raises(SystemExit) as stopped:
        require_supported_versions(having(**found))

    assert str(stopped.value) == (
        f"{pair} can't run this service; run: pip install {wanted}"
    )
