"""A crash leaves a folder with which it comes again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from uir.commands import main
from uir.frontend.errors import InternalError

# tvm-ffi prints the stack of C++ at a fault, and the memory that it does so in may be damaged.
FATAL = (-signal.SIGSEGV, -signal.SIGABRT)

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        A[0] = 1.0
"""

PACKAGE = """
import ctypes
from uir import transform

def crash(module, context):
    ctypes.string_at(8)

def fail(module, context):
    raise AssertionError("cannot happen")

for name, body in [("Crash", crash), ("Fail", fail)]:
    made = transform.module_pass(body, opt_level=0, name=f"toy_crash.{name}")
    transform.register_pass(f"toy_crash.{name}", made)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a program and a package, in which temporary folders are made too."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "toy_crash_package.py").write_text(PACKAGE)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def command(folder: Path, name: str, program: str = "program.py") -> list[str]:
    load = ["--load", str(folder / "toy_crash_package.py")]
    return ["opt", *filter(None, [program]), "--passes", f"Simplify, toy_crash.{name}", *load]


def run(
    folder: Path, words: list[str], given: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uir", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        input=given,
    )


def left(folder: Path) -> tuple[Path, str]:
    """Return the folder that a crash has left, and its text."""
    (found,) = folder.glob("uir-crash-*")
    return found, (found / "crash.txt").read_text()


def test_a_fatal_signal_leaves_a_folder(folder: Path) -> None:
    done = run(folder, command(folder, "Crash"))
    found, text = left(folder)
    assert done.returncode in FATAL and done.stdout == ""
    assert done.stderr.endswith(
        "error: segmentation fault in pass `toy_crash.Crash`\n"
        f"help: please report it with the folder `{found}`, which has the input, the command and "
        "the error\n"
    )
    assert "pass: toy_crash.Crash\n" in text and 'toy_crash_package.py", line 6 in crash' in text
    assert (found / "program.py").read_text() == PROGRAM


def test_the_command_of_the_folder_crashes_too(folder: Path) -> None:
    done = run(folder, command(folder, "Crash", ""), PROGRAM)
    found, text = left(folder)
    assert done.returncode in FATAL and (found / "input").read_text() == PROGRAM
    line = re.search("^command: (uir .* < input)$", text, re.MULTILINE)
    assert line is not None
    again = line[1].replace("uir", f"{sys.executable} -m uir", 1)
    environment = {**os.environ, "TMPDIR": str(found)}
    # The process that writes the folder has the pipe open.
    again_done = subprocess.run(
        ["sh", "-c", f"exec {again}"], cwd=found, env=environment, capture_output=True, check=False
    )
    assert again_done.returncode in FATAL
    assert len([*found.glob("uir-crash-*")]) == 1


def test_an_unexpected_exception_leaves_a_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = command(folder, "Fail", str(folder / "program.py"))
    assert main(words) == 3
    printed, (found, text) = capsys.readouterr().err, left(folder)
    assert printed.startswith("Traceback") and text.endswith("cannot happen\n")
    file = folder / "toy_crash_package.py"
    said = f"error: `{file}` raised AssertionError in pass `toy_crash.Fail`\nhelp: repeat it with"
    assert said in printed
    assert str(found) in printed
    assert text.startswith("command: uir opt program.py --passes 'Simplify, toy_crash.Fail'")


def test_errors_of_the_user_leave_nothing(folder: Path) -> None:
    assert run(folder, ["opt", "program.py", "--passes", "Simplfy"]).returncode == 1
    assert not [*folder.glob("uir-crash-*")]


def test_an_internal_error_is_a_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise InternalError("from_onnx", "Relu", "here", KeyError("x"))

    monkeypatch.setattr("uir.commands.opt.read_program", fail)
    assert main(["opt", "no_such_file.py"]) == 3
    assert "error: this is a fault of uir\nhelp: please" in capsys.readouterr().err
    assert [one.name for one in left(folder)[0].iterdir()] == ["crash.txt"]


def test_a_full_disk_is_no_second_crash(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("inside")

    def full(**_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("uir.commands.opt.read_program", fail)
    monkeypatch.setattr("uir.commands.reproducer.mkdtemp", full)
    assert main(["opt", str(folder / "program.py")]) == 3
    assert capsys.readouterr().err.endswith("with the input; no space left\n")
