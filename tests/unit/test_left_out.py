"""The way out that `check` names for a file that was deleted on purpose."""

import json
from pathlib import Path

from interceptgen.lock import LOCK_NAME
from interceptgen.pipeline import generate

SPEC = """\
version: 1
service: {package: orders, description: Answers questions about orders.}
agent: orders.agent:root_agent
interceptors:
  - name: quota
    description: Counts.
    hooks: [before_agent]
"""
TEST = "tests/test_quota.py"


def test_a_file_comes_back_when_its_entry_is_taken_out(tmp_path: Path) -> None:
    (tmp_path / "interceptors.yaml").write_text(SPEC, encoding="utf-8")
    generate(tmp_path)
    seeded = (tmp_path / TEST).read_bytes()
    (tmp_path / TEST).unlink()
    generate(tmp_path)
    assert not (tmp_path / TEST).exists()

    lock = tmp_path / LOCK_NAME
    content = json.loads(lock.read_text(encoding="utf-8"))
    del content["files"][TEST]
    lock.write_text(json.dumps(content), encoding="utf-8")
    generate(tmp_path)

    assert (tmp_path / TEST).read_bytes() == seeded
    assert generate(tmp_path) is None
