"""Script files with `RUN` and `CHECK` lines."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from uir.testing import check_script, script_files

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        for i in range(16):
            tir.evaluate(0)
            if i < 20:
                A[(i * 4 + 3) // 4] = A[i] + 1.0
"""
SIMPLIFY = "# RUN: uir opt %s --passes 'Simplify, RemoveNoOp' | filecheck %s\n"


def write(folder: Path, lines: str) -> Path:
    path = folder / "simplify.py"
    path.write_text(lines + PROGRAM)
    return path


def test_lines_that_match_pass(tmp_path: Path) -> None:
    lines = "# CHECK-LABEL: def main\n# CHECK: for [[I:\\w+]] in range(16):\n"
    lines += "# CHECK-NEXT: A{{\\[}}[[I]]] = A{{.*}} + 1.0\n# CHECK-NOT: if\n"
    path = write(tmp_path, SIMPLIFY + lines)
    assert script_files(tmp_path) == [path]
    check_script(path)


@pytest.mark.parametrize("line", ["# CHECK: if i < 20", "# CHECK-NOT: A[i] + 1.0"])
def test_a_line_that_does_not_match_is_named(tmp_path: Path, line: str) -> None:
    path = write(tmp_path, f"{SIMPLIFY}{line}\n")
    with pytest.raises(AssertionError) as caught:
        check_script(path)
    message = str(caught.value)
    assert f"{path}:2" in message and "A[i] = A[i] + 1.0" in message
    assert message.startswith("uir opt %s --passes 'Simplify, RemoveNoOp' | filecheck %s\n")


def test_a_command_may_have_to_fail(tmp_path: Path) -> None:
    command = "uir opt %s --passes Simplfy 2>&1 | filecheck %s --check-prefix MESSAGE\n"
    text = "# MESSAGE: there is no pass `Simplfy`; did you mean `Simplify`?\n"
    check_script(write(tmp_path, f"# RUN: not {command}{text}"))
    with pytest.raises(AssertionError, match=r"status 1, expected success\n"):
        check_script(write(tmp_path, f"# RUN: {command}{text}"))
    with pytest.raises(AssertionError, match=r"status 0, expected an error\n"):
        check_script(write(tmp_path, f"# RUN: not {SIMPLIFY[7:]}"))
    with pytest.raises(AssertionError, match="status 2, expected success"):
        check_script(write(tmp_path, "# RUN: uir opt %s --unknown | filecheck %s\n"))


def test_a_file_beside_it_registers_passes(tmp_path: Path) -> None:
    (tmp_path / "toy_check_lines.py").write_text(
        "from uir import tir, transform\n"
        "@transform.register_pass('toy_check.Drop')\n"
        "@transform.prim_func_pass(opt_level=0, name='toy_check.Drop')\n"
        "def drop(func, module, context):\n"
        "    return func.with_body(tir.Evaluate(tir.const(0)))\n"
    )
    load = "--load %S/toy_check_lines.py --passes toy_check.Drop"
    check_script(write(tmp_path, f"# RUN: uir opt %s {load} | filecheck %s\n# CHECK-NOT: A[\n"))


def test_files_that_check_nothing_are_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no file with a line `# RUN:`"):
        script_files(tmp_path)
    with pytest.raises(ValueError, match="has no line `# RUN:`"):
        check_script(write(tmp_path, "# CHECK: for\n"))
    with pytest.raises(ValueError, match="expected `# RUN: uir opt %s"):
        check_script(write(tmp_path, "# RUN: uir opt %s > other\n"))
    with pytest.raises(AssertionError, match="No check strings found"):
        check_script(write(tmp_path, SIMPLIFY))


def test_a_shell_runs_the_same_line(tmp_path: Path) -> None:
    """LLVM's `lit` replaces `%s` and runs the line by a shell."""
    filecheck = shutil.which("filecheck", path=str(Path(sys.executable).parent))
    assert filecheck is not None
    path = write(tmp_path, SIMPLIFY + "# CHECK: A[i] = A[i] + 1.0\n")
    line = SIMPLIFY.removeprefix("# RUN: ").replace("%s", str(path))
    line = line.replace("filecheck", filecheck).replace("uir", f"{sys.executable} -m uir")
    subprocess.run(["sh", "-c", line], check=True)
