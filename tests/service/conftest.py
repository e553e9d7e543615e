"""What the tests of made services share: a template, and a quick pytest."""

from collections.abc import Iterator

import pytest
from tests.service.forking import Forge
from tests.service.making import Template, environment


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Give the template of this checkout."""
    return Template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def forge() -> Iterator[Forge]:
    """Give the process that runs the tests of many services."""
    with Forge(environment()) as forge:
        yield forge
