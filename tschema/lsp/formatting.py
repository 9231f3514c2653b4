"""Formatting of a schema file by ruff, with the settings of its project.

In: a text.  Out: the formatted text.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tschema.project.programs import find_program


def formatted(text: str, file: Path) -> str | None:
    """
    Return the text of a file as ruff formats it; None where it does not parse.

    Parameters
    ----------
    file
        Where the text is, or will be: ruff finds the settings of its project from there.
    """
    ruff = find_program("ruff")
    if ruff is None:
        return None
    command = [ruff, "format", "--quiet", "--stdin-filename", str(file), "-"]
    done = subprocess.run(
        command, input=text.encode(), cwd=file.parent, capture_output=True, check=False
    )
    return done.stdout.decode() if done.returncode == 0 else None
