"""Python in a process of its own, for what would spoil the process of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .project import ROOT

__all__ = ["run_python"]


def run_python(code: str, *arguments: str | Path, path: tuple[Path, ...] = ()) -> str:
    """Run a program that must succeed.

    Parameters
    ----------
    code
        The program's text.
    arguments
        Its `sys.argv[1:]`.
    path
        Folders to import from, before those of the checkout.

    Returns
    -------
    output
        What it printed.
    """
    folders = [*path, ROOT, ROOT / "python", ROOT / "generated" / "python"]
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        text=True,
        capture_output=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
