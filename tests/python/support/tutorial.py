"""The commands of the tutorial, docs/start/tutorial.md, and the texts that they print."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .commands import run_bash
from .project import ROOT

__all__ = ["check_tutorial"]

_BLOCKS = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TEXTS = 6


def check_tutorial(folder: Path, *tools: Path) -> None:
    """Run the commands in an empty folder; check that they print the texts of the page.

    Parameters
    ----------
    folder
        The folder.
    tools
        The folders with `python`, `tschema`, `uir`, `cmake` and `ninja`.
    """
    blocks = _BLOCKS.findall((ROOT / "docs/start/tutorial.md").read_text())
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = os.pathsep.join([*map(str, tools), environment["PATH"]])
    commands = "".join(text for language, text in blocks if language == "bash")
    printed = run_bash(commands, folder, environment)
    shown = [text for language, text in blocks if language == "text"]
    assert len(shown) == _TEXTS
    assert [text for text in shown if text not in printed] == [], printed
    assert "class VariableNode(ExprNode):" in (folder / "schema/formula.py").read_text()
