"""Python in a process of its own, for what would spoil the process of the tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

from .project import ROOT

__all__ = ["run_new_python", "run_python"]

_FOLDERS = (ROOT, ROOT / "python", ROOT / "generated" / "python")


def run_python(code: str, *arguments: str | Path, path: tuple[Path, ...] = ()) -> str:
    """Run a program that must succeed, in a process that has imported tvm_ffi.

    That import takes longer than most programs, so that the process is a fork of one that did it.

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
    job = {
        "code": code,
        "arguments": [*map(str, arguments)],
        "path": [*map(str, (*path, *_FOLDERS))],
        "folder": str(Path.cwd()),
        "environment": {**os.environ, "PYTHONPATH": _python_path(path)},
    }
    with (
        TemporaryFile("w+") as program,
        TemporaryFile("w+") as output,
        TemporaryFile("w+") as error,
    ):
        json.dump(job, program)
        program.seek(0)
        control = _fork_server(os.getpid())
        files = [stream.fileno() for stream in (program, output, error)]
        socket.send_fds(control, [b"j"], files)
        status = control.recv(16)
        output.seek(0)
        error.seek(0)
        assert status == b"0\n", f"exit status {status.decode().strip()}\n{error.read()}"
        return output.read()


def run_new_python(code: str, *arguments: str | Path, path: tuple[Path, ...] = ()) -> str:
    """Do the same in a process that has imported nothing, for what depends on what comes first."""
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": _python_path(path)},
        text=True,
        capture_output=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def _python_path(path: tuple[Path, ...]) -> str:
    return os.pathsep.join(map(str, (*path, *_FOLDERS)))


@cache
def _fork_server(_owner: int) -> socket.socket:
    """Start the process that forks, one for each process of the tests; it ends with that one."""
    ours, theirs = socket.socketpair()
    program = Path(__file__).with_name("fork_server.py")
    with theirs:
        subprocess.Popen(
            [sys.executable, str(program), str(theirs.fileno())], pass_fds=[theirs.fileno()]
        )
    return ours
