"""A process that has imported tvm_ffi, NumPy with it, and runs each program in a fork of itself.

In: the number of a socket; each message is a letter with three open files, which are the program in
JSON and what becomes its standard output and error.  Out: a message for each, the program's status
as `subprocess` counts it. It must not import tschema.runtime or uir: what these do is tested.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from types import ModuleType
from typing import Any

import tvm_ffi  # noqa: F401


def serve(control: socket.socket) -> dict[str, Any] | None:
    """Fork for each message; return the job in the fork, and None after the last message."""
    while True:
        message, files, _, _ = socket.recv_fds(control, 1, 3)
        if not message:
            return None
        child = os.fork()
        if child == 0:
            control.close()
            return enter(*files)
        for file in files:
            os.close(file)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        control.sendall(f"{status}\n".encode())


def enter(job_file: int, output: int, error: int) -> dict[str, Any]:
    """Take the folder, the environment and the files of a job; return the job."""
    os.dup2(output, 1)
    os.dup2(error, 2)
    with os.fdopen(job_file, encoding="utf-8") as stream:
        job: dict[str, Any] = json.load(stream)
    os.close(output)
    os.close(error)
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[:0] = ["", *job["path"]]
    sys.argv = ["-c", *job["arguments"]]
    return job


def execute(code: str) -> None:
    """Run a program as `python -c` does."""
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(code, "<string>", "exec"), module.__dict__)


if __name__ == "__main__":
    # The folder of this file is not one to import from.
    del sys.path[0]
    work = serve(socket.socket(fileno=int(sys.argv[1])))
    if work:
        execute(work["code"])
