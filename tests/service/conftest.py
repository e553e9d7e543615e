"""What the tests of made services share: the template, ready to be rendered."""

import pytest
from tests.service.making import Template


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Give the template of this checkout."""
    return Template(tmp_path_factory.mktemp("template"))
