"""Commands of users, which must succeed, with what they print."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

__all__ = ["run_bash", "run_command"]


def run_command(
    command: tuple[str | Path, ...],
    folder: Path | None,
    environment: Mapping[str, str],
    *,
    status: int = 0,
    script: str | None = None,
) -> str:
    """Run a command; return its output, errors included.

    Parameters
    ----------
    command
        The program and its arguments.
    folder
        The folder to run it in; None for that of the tests.
    environment
        All variables that it sees.
    status
        The exit status that it must have.
    script
        Its standard input; None for that of the tests.
    """
    process = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=script,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.returncode == status, f"{' '.join(map(str, command))}\n{process.stdout}"
    return process.stdout


def run_bash(script: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a script that ends at its first error; return its output, errors included."""
    command = ("bash", "-e", "-u", "-o", "pipefail")
    return run_command(command, folder, environment, script=script)
