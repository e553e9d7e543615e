"""A command finds its project from wherever it is run."""

from pathlib import Path

import pytest

from interceptgen.project import SPEC_NAME, ProjectNotFoundError, find_project


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """Make a project inside a folder."""
    root = tmp_path / "work" / "orders"
    (root / "src" / "orders").mkdir(parents=True)
    (root / SPEC_NAME).touch()
    return root


def test_no_such_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProjectNotFoundError, match="no folder"):
        find_project(tmp_path / "gone")


def test_no_project_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProjectNotFoundError, match=r"no interceptors\.yaml"):
        find_project(tmp_path)


def test_several_below_are_named(orders: Path) -> None:
    other = orders.parent / "billing"
    other.mkdir()
    (other / SPEC_NAME).touch()

    with pytest.raises(ProjectNotFoundError, match="billing, orders; name one"):
        find_project(orders.parent)


@pytest.mark.parametrize("start", [".", "src", "src/orders", SPEC_NAME, ".."])
def test_it_is_found_from(orders: Path, start: str) -> None:
    assert find_project(orders / start) == orders


def test_the_nearest_above_wins(orders: Path) -> None:
    (orders.parent / SPEC_NAME).touch()

    assert find_project(orders / "src") == orders
