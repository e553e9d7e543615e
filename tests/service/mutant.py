"""Services to break, and each way to break them.

A mutant names the tests that must see it: no others are run, so it also says
which test guards what.
"""

from dataclasses import dataclass

__all__ = ["SPECS", "Mutant", "in_service"]

_HEAD = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
"""
_HOOKS = "[before_agent, after_event, after_agent]"

SPECS = {
    "new": f"""\
{_HEAD}
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
  - name: house_style
    description: Signs every answer.
    hooks: {_HOOKS}
    config:
      key: {{type: str, default: {{env: ORDERS_KEY}}}}
""",
    "legacy": f"""\
{_HEAD}
implementation: legacy
runner: {{resolve: eager}}
server: {{path: /a2a}}
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
""",
    "client": f"""\
{_HEAD}
implementation: client
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
""",
    "run": f"""\
{_HEAD}
run:
  deadline: 60
  idle_deadline: 20
  empty_result: text
  empty_text: Nothing to report.
""",
    "state": f"""\
{_HEAD}
interceptors:
  - name: quota
    description: Refuses a caller who asks too often.
    hooks: [before_agent, after_event, after_agent, on_exit]
    state:
      tries: {{type: int, default: 0}}
  - name: audit
    description: Writes down how each request ended.
    hooks: {_HOOKS}
    state: {{}}
  - name: bell
    description: Rings at each end.
    hooks: [on_exit]
""",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of a service.

    Attributes:
        name: What is broken.
        service: The key of the service's spec.
        file: The file to change, from the service's root.
        old: A text that stands there once.
        new: What takes its place.
        tests: The test files that must see it, from `tests/`.
    """

    name: str
    service: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        """Name the mutant in a test's id."""
        return f"{self.service}: {self.name}"


def in_service(
    name: str, file: str, old: str, new: str, *tests: str, service: str = "new"
) -> Mutant:
    """Name a change of a module of `service/`, and the generated tests that see it."""
    return Mutant(
        name=name,
        service=service,
        file=f"src/orders/service/{file}.py",
        old=old,
        new=new,
        tests=tuple(f"generated/test_{test}.py" for test in tests),
    )
