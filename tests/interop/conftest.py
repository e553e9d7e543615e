"""Generated projects, served as their users serve them."""

from collections.abc import Iterator

import pytest
from tests.interop.asking import Ask, answers
from tests.interop.serving import make_service, served


@pytest.fixture(scope="session", params=["new", "legacy"])
def implementation(request: pytest.FixtureRequest) -> str:
    """Name the implementation of ADK's that the service is pinned to."""
    return str(request.param)


@pytest.fixture(scope="session")
def url(implementation: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a generated project and give its URL."""
    folder = make_service(tmp_path_factory.mktemp("talk"), implementation)
    with served(folder) as address:
        yield address


@pytest.fixture
def ask(url: str) -> Ask:
    """Give what lets a client send a text to the service."""
    return lambda client, text: answers(client, url, text)
