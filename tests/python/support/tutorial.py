"""The commands of the tutorial, docs/start/tutorial.md, and the texts that they print."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

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
    done = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail"],
        input="".join(text for language, text in blocks if language == "bash"),
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    shown = [text for language, text in blocks if language == "text"]
    assert len(shown) == _TEXTS
    assert [text for text in shown if text not in done.stdout] == [], done.stdout
    assert "class VariableNode(ExprNode):" in (folder / "schema/formula.py").read_text()
