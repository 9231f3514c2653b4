"""A process that starts one process for each measurement: `python -m uir.tuning.measure.server`.

It has imported everything before, so that a measurement begins within milliseconds. It reads a line
of JSON for each job, and answers with a line. It ends with its input.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import IO

from .child import run_job
from .job import Job

__all__ = ["main"]

_STEP = 0.005
"""The seconds between two looks at a process that runs."""

_GRACE = 1.0
"""The seconds in which an interrupted process ends its C compiler."""


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The client decides what Ctrl-C means.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # A kernel or a compiler that prints does not disturb the answers.
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        answer = _run(Job.parse(request["job"]), float(request["limit"]), sys.stdin)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _run(job: Job, limit: float, client: IO[str]) -> dict[str, str]:
    """Run a job in a new process, and return why it ended."""
    child = os.fork()
    if child == 0:
        status = 1
        with suppress(BaseException):
            os.setpgid(0, 0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            run_job(job)
            status = 0
        os._exit(status)
    end = time.monotonic() + limit
    while True:
        found, status, _ = os.wait4(child, os.WNOHANG)
        if found:
            return _ended(status)
        if time.monotonic() > end or _has_gone(client):
            _kill(child)
            return {"outcome": "timeout", "reason": f"it took more than {limit:.3g} s"}
        time.sleep(_STEP)


def _has_gone(client: IO[str]) -> bool:
    """Return whether the client has closed its end; it sends nothing while a job runs."""
    return bool(select.select([client], [], [], 0)[0])


def _kill(child: int) -> None:
    """End a process with its C compiler, which has a process group of its own."""
    os.kill(child, signal.SIGINT)
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(_STEP)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _ended(status: int) -> dict[str, str]:
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return {"outcome": "crash", "reason": f"the process ended by {name}"}
    if os.WEXITSTATUS(status) != 0:
        return {"outcome": "crash", "reason": f"the process ended with {os.WEXITSTATUS(status)}"}
    return {"outcome": "ok", "reason": ""}


if __name__ == "__main__":
    main()
