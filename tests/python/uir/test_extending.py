"""The page on nodes and passes of one's own is run as it stands: a project from an empty folder."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from ..support.commands import run_bash

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/start/extending.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)


def run_page(folder: Path) -> str:
    """Run the commands of the page in a folder; return what they print."""
    environment = {
        **os.environ,
        "TSCHEMA": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CARGO_TARGET_DIR": str(ROOT / "build" / "cargo"),
        "CARGO_NET_OFFLINE": "true",
    }
    commands = "".join(text for language, text in BLOCKS if language == "bash")
    return run_bash(commands, folder, environment)


def test_a_node_and_a_pass_in_each_language_are_one_file_each(tmp_path: Path) -> None:
    printed = run_page(tmp_path)
    shown = [text for language, text in BLOCKS if language == "text"]
    assert len(shown) == 2
    assert [text for text in shown if text not in printed] == [], printed


def test_what_is_new_stands_in_one_file_each() -> None:
    written = re.findall(r"cat > (\S+) <<", PAGE)
    assert [path for path in written if "clamp" in path] == [
        *("schema/clamp.py", "clamp.py"),
        *("passes/lower_clamp.cc", "passes/lower_clamp.py", "passes/lower_clamp.rs"),
    ]
