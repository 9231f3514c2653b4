"""TVM as a peer: an environment of its own, made on demand, and a process in it that is asked.

Its release of tvm-ffi differs from ours, so that both cannot be in one process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["PeerTvm", "peer_python", "peer_tvm"]

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "build/peer-tvm"
PACKAGES = (
    *("apache-tvm==0.27.0.post1", "apache-tvm-ffi==0.1.14.post1", "numpy"),
    # For MetaSchedule.
    *("cloudpickle", "psutil", "xgboost-cpu"),
)
SIDES = Path(__file__).with_name("tvm_peer")


def peer_python() -> Path:
    """Return the interpreter of the peer's environment; make that environment the first time."""
    python = ENVIRONMENT / "bin/python"
    done = ENVIRONMENT / "installed"
    wanted = "\n".join(PACKAGES)
    if not done.exists() or done.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        install = [python, "-m", "pip", "install", *quiet, *PACKAGES]
        if subprocess.run(install, check=False).returncode != 0:
            raise RuntimeError(f"cannot install {', '.join(PACKAGES)}, which needs a network")
        done.write_text(wanted)
    return python


class PeerTvm:
    """
    A process of TVM that has built the program of the benchmarks.

    Parameters
    ----------
    process
        The process.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _ask(self, **request: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        reply = self._process.stdout.readline()
        if not reply:
            raise RuntimeError(f"the peer ended while it was asked for {request}")
        return json.loads(reply)

    def time(self, name: str, calls: int, **more: object) -> float:
        """Return how long a call takes, in nanoseconds.

        Parameters
        ----------
        name
            What to call.
        calls
            How often.
        more
            What else the side is told.
        """
        return float(self._ask(ask="time", name=name, calls=calls, **more))

    def ask(self, what: str, count: int) -> list[Any]:
        """Return what the side finds for each of its cases.

        Parameters
        ----------
        what
            What is asked.
        count
            How many cases.
        """
        return list(self._ask(ask=what, count=count))

    def script(self, name: str = "") -> str:
        """Return the script of the program, or of what a pass makes of it."""
        return str(self._ask(ask="script", name=name))

    def calls(self, name: str) -> list[list[str]]:
        """Return the calls of the program, or of what a pass makes of it: operator and type."""
        return list(self._ask(ask="calls", name=name))

    def json(self) -> str:
        """Return the JSON of the program's module."""
        return str(self._ask(ask="json"))


@contextmanager
def peer_tvm(side: str = "side.py") -> Iterator[PeerTvm]:
    """Run a process of the peer, and end it.

    Parameters
    ----------
    side
        The file of `tvm_peer/` that it runs.
    """
    command = [peer_python(), SIDES / side]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield PeerTvm(process)
        assert process.stdin is not None
        process.stdin.close()
