"""Options of the whole suite."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the golden cases."""
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="write what the commands do into tests/cases instead of comparing",
    )
