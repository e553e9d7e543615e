"""Projects to measure: a spec of many interceptors that do nothing."""

import tempfile
from pathlib import Path

__all__ = ["edit", "project", "spec"]

HEAD = """\
version: 1
service:
  package: bench
  description: Measures the generator.
agent: bench.agent:root_agent
implementation: {implementation}
interceptors:
"""
ITEM = """\
  - name: step_{number:04}
    description: Stands at place {number}.
    hooks: [before_agent, after_event, after_agent]
    config:
      label: {{type: str, default: "{number}"}}
"""


def project(scratch: Path, count: int, implementation: str = "new") -> Path:
    """Make a folder that holds nothing but a spec of so many interceptors."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    text = spec(count, implementation)
    (folder / "interceptors.yaml").write_text(text, encoding="utf-8")
    return folder


def edit(folder: Path) -> None:
    """Write one more line into a hook of a generated project."""
    path = folder / "src" / "bench" / "hooks" / "step_0000.py"
    end = "        return context\n"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(end, f"        context.call_context\n{end}"), "utf-8")


def spec(count: int, implementation: str = "new") -> str:
    """Write a spec of so many custom interceptors with all three hooks."""
    head = HEAD.format(implementation=implementation)
    return head + "".join(ITEM.format(number=number) for number in range(count))
