"""What an edit of the chain's recipes means, in words."""

import pytest

from interceptgen.pipeline import read_service
from interceptgen.report import describe_changes
from interceptgen.service import Service

HEAD = """\
version: 1
service: {package: orders, description: Answers.}
agent: orders.agent:root_agent
interceptors:
"""
GUARD = "  - {name: guard, use: input_guard, with: {max_parts: 7}}\n"
ERRORS = "  - {name: errors, use: safe_errors}\n"
STYLE = "  - {name: style, description: Signs., hooks: [after_event]}\n"
QUOTA = "  - {name: quota, description: Counts., hooks: [before_agent]}\n"


def service(*entries: str) -> Service:
    return read_service("interceptors.yaml", (HEAD + "".join(entries)).encode())


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([GUARD], [GUARD], []),
        ([STYLE], [STYLE, GUARD], ["recipe guard added, 2 of 2: input_guard"]),
        ([GUARD, STYLE], [STYLE], ["recipe guard removed: input_guard"]),
        ([GUARD], [GUARD.replace("7", "9")], ["guard: max_parts: 7 -> 9"]),
        (
            [STYLE, ERRORS.replace("}", ", description: Hides.}")],
            [STYLE, ERRORS.replace("}", ", description: Masks.}")],
            ["errors: description: 'Hides.' -> 'Masks.'"],
        ),
        (
            [GUARD],
            [ERRORS.replace("errors,", "guard,")],
            ["guard: recipe input_guard -> safe_errors"],
        ),
        (
            [GUARD, STYLE, ERRORS],
            [STYLE, GUARD, ERRORS],
            ["chain order: guard, style, errors -> style, guard, errors"],
        ),
    ],
)
def test_edit_is_told(before: list[str], after: list[str], told: list[str]) -> None:
    assert list(describe_changes(service(*before), service(*after))) == told


def test_order_of_hooks_is_told_once() -> None:
    told = describe_changes(service(STYLE, QUOTA, GUARD), service(GUARD, QUOTA, STYLE))
    assert len([line for line in told if line.startswith("chain order")]) == 1


def test_new_service_tells_its_recipes() -> None:
    assert describe_changes(None, service(GUARD))[1:] == (
        "recipe guard added, 1 of 1: input_guard",
    )
