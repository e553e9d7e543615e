"""Output is a function of the spec and the generator, of nothing else."""

import os
import subprocess
import sys
from pathlib import Path

from tests.bench.projects import spec

GENERATOR = Path(__file__).parents[1] / "generator"


def generated(root: Path, seed: str) -> dict[str, bytes]:
    """Generate in a process of its own and give the tree."""
    root.mkdir(parents=True)
    (root / "interceptors.yaml").write_text(spec(4), encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(GENERATOR), "PYTHONHASHSEED": seed}
    subprocess.run(
        [sys.executable, "-m", "interceptgen", "generate", root],
        env=env,
        check=True,
        capture_output=True,
    )
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_hash_seed_and_folder_leave_no_trace(tmp_path: Path) -> None:
    first = generated(tmp_path / "one", "1")
    second = generated(tmp_path / "two words" / "größer", "2")

    assert first == second
    for data in first.values():
        assert b"tmp" not in data
        assert b"\r" not in data
