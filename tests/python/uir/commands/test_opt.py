"""`uir opt`: passes on files, from the command line."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from uir import driver, ir, script, transform
from uir.commands import main
from uir.ir import IRModule
from uir.target import Target, emit_c

from ...support.process import run_python
from ..frontend.onnx_graphs import model, tensor

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        tir.func_attr({"global_symbol": "main"})
        for i in range(16):
            tir.evaluate(0)
            if i < 20:
                A[(i * 4 + 3) // 4] = A[i] + 1.0
        for i in range(4):
            A[i] = A[i] + 2.0
"""

PACKAGE = """
from uir import tir, transform

@transform.register_pass("toy_opt.DropStores")
@transform.prim_func_pass(opt_level=3, name="toy_opt.DropStores")
def drop_stores(func, module, context):
    return func.with_body(tir.Evaluate(tir.const(0)))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that registers a pass, once for this process."""
    path = tmp_path_factory.mktemp("package") / "toy_opt_package.py"
    path.write_text(PACKAGE)
    return path


def module(name: str = "<text>") -> IRModule:
    found = script.parse(PROGRAM, name)
    assert isinstance(found, IRModule)
    return found


def test_the_command_reads_the_standard_input() -> None:
    command = [sys.executable, "-m", "uir", "opt", "--passes", "Simplify"]
    done = subprocess.run(command, input=PROGRAM, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{script.print(transform.Simplify()(module()))}\n"


def test_the_command_does_without_numpy(program: Path) -> None:
    """NumPy is an extra, which the shrinker needs."""
    code = (
        "import sys; from uir.commands import main;"
        "assert main(['opt', sys.argv[1], '--passes', 'Simplify']) == 0;"
        "assert 'uir.testing' not in sys.modules"
    )
    assert "A[i] = A[i] + 1.0" in run_python(code, program)


@pytest.fixture
def models(tmp_path: Path) -> Iterator[tuple[bytes, IRModule]]:
    """Return a model of ONNX, and its module."""
    from uir.frontend.onnx import from_onnx

    proto = model([helper.make_node("Relu", ["x"], ["y"])], [tensor("x", (2,))], ["y"])
    onnx.save(proto, tmp_path / "m.onnx")
    yield (tmp_path / "m.onnx").read_bytes(), from_onnx(tmp_path / "m.onnx")


def test_the_contents_of_the_standard_input_say_what_it_is(
    models: tuple[bytes, IRModule],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, from_model = models
    for given, expected in [
        (PROGRAM.encode(), module()),
        (ir.save_json(module()).encode(), module()),
        (ir.save_binary(module()), module()),
        (data, from_model),
    ]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert main(["opt", "-"]) == 0
        assert capsys.readouterr().out == f"{script.print(expected)}\n"


def test_the_result_has_three_forms(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lowered = driver.lower(module(str(program)))
    for form, expected in [
        ("script", script.print(lowered) + "\n"),
        ("c", str(emit_c(lowered, Target()))),
        ("json", ir.save_json(lowered) + "\n"),
    ]:
        output = tmp_path / f"result.{form}"
        command = ["opt", str(program), "--pipeline", "c", "--emit", form, "-o", str(output)]
        assert main(command) == 0
        assert output.read_text() == expected
    assert capsys.readouterr().out == ""


def test_a_pipeline_stops_at_a_pass(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(program), "--pipeline", "c", "--until", "Simplify"]) == 0
    passes = transform.default_pipeline("c")
    names = [str(one.pass_info.name) for one in passes]
    expected = driver.lower(module(), pipeline=passes[: names.index("Simplify") + 1])
    assert capsys.readouterr().out == f"{script.print(expected)}\n"


def test_passes_are_observed(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passes = ["opt", str(program), "--passes", "Simplify, Simplify, RemoveNoOp"]
    assert main([*passes, "--diff", "--time", "--verify-each"]) == 0
    printed = capsys.readouterr().err
    assert printed.count("--- before") == 2
    assert "-            if i < 20:\n" in printed
    assert " 100.0  total\n" in printed
    for choice, count in [("all", 3), ("changed", 2), ("RemoveNoOp", 1), ("Simplify", 2)]:
        assert main([*passes, "--print-after", choice]) == 0
        assert capsys.readouterr().err.count("# after") == count


def test_options_come_from_the_command_line(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = ["--config", "UnrollLoop.auto_max_step=4", "--config", "UnrollLoop.auto_max_extent=4"]
    assert main(["opt", str(program), "--passes", "UnrollLoop", *step]) == 0
    unrolled = capsys.readouterr().out
    assert unrolled.count("for ") == 1
    same = ["--passes", "UnrollLoop{auto_max_step=4, auto_max_extent=4}"]
    assert main(["opt", str(program), *same]) == 0
    assert capsys.readouterr().out == unrolled
    assert main(["opt", str(program), *same, "--disable-pass", "UnrollLoop"]) == 0
    assert capsys.readouterr().out.count("for ") == 2


def test_passes_of_users_run(
    program: Path, package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A level above the default of contexts does not disable a pass that the text names."""
    load = ["--load", str(package)]
    assert main(["opt", str(program), *load, "--passes", "toy_opt.DropStores"]) == 0
    assert "A[" not in capsys.readouterr().out
    assert main(["opt", str(program), *load]) == 0
    (tmp_path / "bad_package.py").write_text("1 / 0\n")
    assert main(["opt", str(program), "--load", str(tmp_path / "bad_package.py")]) == 1
    assert "bad_package.py`: ZeroDivisionError: " in capsys.readouterr().err


def test_passes_replace_those_of_compile_and_run(
    program: Path, package: Path, tmp_path: Path
) -> None:
    np.save(tmp_path / "a.npy", np.zeros(16, np.float32))
    passes = ["--load", str(package), "--passes", "toy_opt.DropStores, default_pipeline"]
    c_file = tmp_path / "p.c"
    library = ["-o", str(tmp_path / "p.tar"), "--emit-c", str(c_file)]
    assert main(["compile", str(program), *passes, *library]) == 0
    assert "A[" not in c_file.read_text()
    given = ["--input", str(tmp_path / "a.npy"), "--emit-c", str(c_file)]
    assert main(["run", str(program), *given]) == 0
    assert "A[i] += 1.0f" in c_file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--passes", "Simplfy"], "error: --passes:1:1: error: there is no pass `Simplfy`; did"),
        (["--passes", "Simplify", "--pipeline", "c"], "--passes and --pipeline exclude each"),
        (["--pipeline", "c", "--until", "LowerBlock"], "--until: the sequence has no pass `LowerBl"
         "ock`; did you mean `LowerBlocks`?"),
        (["--passes", "Simplify", "--print-after", "Simplfy"], "did you mean `Simplify`?"),
        (["--config", "UnrollLoop.auto_max_stp=1"], "did you mean `UnrollLoop.auto_max_step`?"),
        (["--config", "UnrollLoop.auto_max_step=x"], "must be of type `int`, got `str`"),
        (["--disable-pass", "Simplfy"], "did you mean `Simplify`"),
        (["--load", "package.txt"], "`package.txt`: expected a file .py or .so"),
        (["--load", "none.py"], "`none.py`: no such file or directory"),
        (["--load", "none.so"], "`none.so`: no such file or directory"),
        (["--emit", "c"], "LowerBlocks"),
    ],
)  # fmt: skip
def test_errors_are_one_message(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.py").write_text(BLOCKS)
    assert main(["opt", "p.py", *arguments, "-o", "out.py"]) == 1
    printed = capsys.readouterr()
    assert message in printed.err
    assert "Traceback" not in printed.err
    assert [one.name for one in tmp_path.iterdir()] == ["p.py"]


BLOCKS = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        tir.func_attr({"global_symbol": "main"})
        for i in range(16):
            with tir.block("B"):
                v = tir.axis.spatial(16, i)
                A[v] = 2.0
"""


def test_zeros_replace_random_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.py"
    path.write_text(
        "@relay.function\ndef main(x: relay.Tensor((3,), 'float32')):\n    return x + 1.0\n"
    )
    path.write_text(
        "@uir.script.ir_module\nclass Module:\n    "
        + path.read_text().rstrip().replace("\n", "\n    ")
    )
    assert main(["run", str(path), "--fill", "zeros", "--number", "1"]) == 0
    assert "output 0  float32 (3): 1, 1, 1\n" in capsys.readouterr().out
    assert main(["run", str(path), "--number", "1"]) == 0
    assert "float32 (3): 1, 1, 1\n" not in capsys.readouterr().out


FREE = """
@uir.script.ir_module
class Module:
    x = tir.Var("x", "int32")

    @tir.prim_func
    def main(n: tir.int32):
        tir.evaluate(n + x)
"""


def test_verify_underlines_a_line_of_the_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "free.uir"
    path.write_text(FREE)
    assert main(["opt", str(path)]) == 0
    assert main(["opt", str(path), "--verify"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: {path}:4:9: error: variable `x` is not bound\n")
    assert '   4 |     x = tir.Var("x", "int32")\n     |         ^^^^' in error
    path.write_text(PROGRAM)
    assert main(["opt", str(path), "--verify"]) == 0
