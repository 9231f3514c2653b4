"""The tutorial is run as it stands: a language from an empty folder to a compiled library."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
BLOCKS = re.findall(
    r"^```(\w+)\n(.*?)^```$",
    (ROOT / "docs/start/tutorial.md").read_text(),
    re.MULTILINE | re.DOTALL,
)


def test_each_step_prints_what_the_page_shows(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "TSCHEMA": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail"],
        input="".join(text for language, text in BLOCKS if language == "bash"),
        cwd=tmp_path,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    shown = [text for language, text in BLOCKS if language == "text"]
    assert len(shown) == 5
    assert [text for text in shown if text not in done.stdout] == [], done.stdout
    assert "class VariableNode(ExprNode):" in (tmp_path / "schema/formula.py").read_text()
