"""The typed sample of a user's program runs, and both type checkers are told of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = Path(__file__).with_name("typed_sample.py")


def test_the_sample_runs() -> None:
    done = subprocess.run([sys.executable, SAMPLE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "for i_new in range(16):" in done.stdout
    assert "Rename" in done.stdout


@pytest.mark.parametrize("checker", ["Makefile", "pyproject.toml"])
def test_make_types_checks_the_sample(checker: str) -> None:
    # `MYPY_PATHS` of the one and `include` of pyright in the other.
    assert str(SAMPLE.relative_to(ROOT)) in (ROOT / checker).read_text()
