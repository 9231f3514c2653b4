"""The folder that a crash of uir leaves behind, with the input, the command and the error.

A crash is an exception other than a refusal, or a fatal signal. For signals, a small process waits
beside the command. Python's `faulthandler` writes to its pipe when the command dies.
"""

from __future__ import annotations

import faulthandler
import os
import platform
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import IO

import tvm_ffi

from uir_nodes.ir import IRModule
from uir_nodes.transform import PassInfo

from ..transform import Instrument
from ..transform.instrument.pass_stack import PassStack

__all__ = ["REPORT", "Reproducer"]

FATAL = "Fatal Python error: "
PASS = "pass "
REPORT = "please report it"
TEXT = "crash.txt"
STANDARD_INPUT = "input"


class Reproducer(Instrument):
    """Writes the folder; as an instrument, notes which pass runs.

    Parameters
    ----------
    words
        The arguments of the command.
    program
        The file of its program; None if it has none.
    """

    def __init__(self, words: Sequence[str], program: Path | None) -> None:
        super().__init__()
        self._words = [*words]
        self._program = program
        self._input: IO[bytes] | None = None
        self._stack = PassStack()
        self._pass = ""
        self._pipe: int | None = None
        if program is not None and str(program) == "-":
            # Both processes have it open, and it has no name that could stay behind.
            self._input = TemporaryFile()  # noqa: SIM115 - closed when the command ends.

    def keep_input(self, data: bytes) -> None:
        """Keep the data of the standard input."""
        if self._input is not None:
            self._input.write(data)
            self._input.flush()

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Note the pass."""
        self._stack.enter(info)
        self._tell()

    def run_after_pass(self, module: IRModule, info: PassInfo, /) -> None:
        """Note that the pass around it continues."""
        self._stack.leave(info)
        self._tell()

    def watch(self) -> None:
        """Start the process that writes the folder after a fatal signal, where there is `fork`."""
        if not hasattr(os, "fork"):
            return
        reader, writer = os.pipe()
        sys.stderr.flush()
        if os.fork() == 0:
            os.close(writer)
            self._wait(reader)
        os.close(reader)
        self._pipe = writer
        faulthandler.enable(writer, all_threads=False)

    def write(self, error: str) -> Path:
        """Write the folder, and return it.

        Parameters
        ----------
        error
            The text of the error, with its traceback.
        """
        folder = Path(mkdtemp(prefix="uir-crash-"))
        lines = [
            f"command: uir {self._command(folder)}",
            f"folder: {Path.cwd()}",
            f"pass: {self._pass or 'none'}",
            f"versions: Python {platform.python_version()}, tvm-ffi {tvm_ffi.__version__}, "
            f"{platform.platform()}",
        ]
        (folder / TEXT).write_text("\n".join([*lines, "", error]), "utf-8")
        return folder

    def say(self, problem: str, error: str, advice: str = REPORT) -> None:
        """Write the folder, and name it on the standard error.

        Parameters
        ----------
        problem
            The kind of the crash.
        error
            The text of the error, with its traceback.
        advice
            The use of the folder.
        """
        where = f" in pass `{self._pass}`" if self._pass else ""
        print(f"error: {problem}{where}", file=sys.stderr)
        try:
            folder = self.write(error)
        except OSError as failed:  # As on a full disk.
            print(f"help: {advice} with the input; {failed}", file=sys.stderr)
            return
        print(
            f"help: {advice} with the folder `{folder}`, which has the input, the command and the "
            "error",
            file=sys.stderr,
        )

    def _command(self, folder: Path) -> str:
        """Copy the program into a folder, and return the arguments of a command there."""
        if self._input is not None:
            self._input.seek(0)
            (folder / STANDARD_INPUT).write_bytes(self._input.read())
            return f"{shlex.join(self._words)} < {STANDARD_INPUT}"
        path = self._program
        if path is None or not path.is_file():
            return shlex.join(self._words)
        shutil.copy(path, folder)
        return shlex.join(path.name if word == str(path) else word for word in self._words)

    def _tell(self) -> None:
        """Tell the process that waits which pass runs."""
        run = self._stack.innermost
        self._pass = "" if run is None else run.name
        if self._pipe is not None:
            os.write(self._pipe, f"{PASS}{self._pass}\n".encode())

    def _wait(self, reader: int) -> None:
        """Read until the command ends, and write the folder if a signal has ended it."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            # Who reads the output of the command shall not wait for this process.
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(null, 1)
            with open(reader, encoding="utf-8", errors="replace") as pipe:
                self._read(pipe)
        finally:
            os._exit(0)

    def _read(self, pipe: IO[str]) -> None:
        for line in pipe:
            if line.startswith(PASS):
                self._pass = line.removeprefix(PASS).strip()
            elif line.startswith(FATAL):
                self.say(line.removeprefix(FATAL).strip().lower(), line + pipe.read())
