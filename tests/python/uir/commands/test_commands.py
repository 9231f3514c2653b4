"""`uir`: what it prints, what it writes, and its exit status."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

from uir import ir, script
from uir.commands import main
from uir.commands.compile import times_text, versions_text
from uir.commands.main import VARIABLES
from uir.runtime import needed_versions

from ...support.project import ROOT
from ..frontend.light_models import MODELS, QUICK, expected, image, path_of
from ..frontend.onnx_graphs import constant, model, tensor

PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 2), "float32"), k: relay.Tensor((2,), "int32")):
        n = tir.SizeVar("n", "int32")
        return (x + 1.0, k)
"""

DOUBLE = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def double(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = A[i] * 2.0
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def rows(text: str) -> dict[str, str]:
    """Return the rows of a table by their names."""
    return dict(line.strip().split("  ", 1) for line in text.splitlines() if "  " in line.strip())


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.deep) for one in MODELS]
)
def test_a_model_becomes_a_library(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library, x, results = tmp_path / "model.so", tmp_path / "x.npy", tmp_path / "y.npz"
    assert main(["compile", str(path_of(name)), "-o", str(library)]) == 0
    printed = rows(capsys.readouterr().out)
    assert list(printed)[:3] == ["function", "input", "output"]
    assert {"kernels", "constants", "memory", "library", "time"} <= printed.keys()
    assert int(printed["kernels"]) > 5
    np.save(x, image())
    assert main(["run", str(library), "--input", str(x), "--output", str(results)]) == 0
    np.testing.assert_allclose(np.load(results)["output0"], expected(name), rtol=2e-3, atol=1e-7)


def test_sizes_get_code_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], strides=[2, 2]),
        helper.make_node("AveragePool", ["c"], ["y"], kernel_shape=[3, 3], strides=[2, 2]),
    ]
    weights = np.random.default_rng(1).standard_normal((2, 1, 3, 3), np.float32)
    proto = model(nodes, [tensor("x", (1, 1, "h", "w"))], ["y"], [constant("w", weights)])
    onnx.save(proto, tmp_path / "model.onnx")
    command = ["compile", str(tmp_path / "model.onnx"), "-o", str(tmp_path / "model.so")]
    assert main([*command, "--dim", "h=32,48", "--dim", "w=64"]) == 0
    printed = rows(capsys.readouterr().out)
    assert "15)" in printed["output"]
    assert printed["memory"].strip().startswith("main_h_32: ")
    assert printed["kernels"].strip() == "6, 2 of which take any h"
    sizes = "code of their own: h = 32, 48; the code for others is slower"
    assert printed["sizes"].strip() == sizes
    assert main([*command, "--dim", "h=32,48"]) == 0
    text = capsys.readouterr().out
    printed = rows(text)
    sizes = "code that knows them is faster: `--dim w=N` or `--dim w=N,N,...`"
    assert printed["sizes"].strip() == sizes
    assert re.search(r"main_h_32: .* in use at once, for w = 224\n", text)
    assert re.search(r"main_of_any_size: .* in use at once, for h = 224, w = 224\n", text)
    assert printed["constants"].strip().startswith("1,")
    for height in ("32", "40", "48"):
        x, results = tmp_path / "x.npy", tmp_path / "y.npz"
        np.save(x, np.random.default_rng(2).random((1, 1, int(height), 70), np.float32))
        run = ["run", str(tmp_path / "model.so"), "--input", str(x), "--output", str(results)]
        assert main(run) == 0
        (expected,) = ReferenceEvaluator(proto).run(None, {"x": np.load(x)})
        np.testing.assert_allclose(np.load(results)["output0"], expected, 1e-4, 1e-5)
    capsys.readouterr()
    assert main([*command, "--dim", "v=32,48"]) == 1
    assert "no input has a dimension `v`; there are `h`, `w`" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path / "model.onnx"), "--dim", "h=32,48"])


def test_long_expressions_are_shown_for_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = ["a", "b", "c"]
    nodes = [
        helper.make_node("MaxPool", ["x"], [name], kernel_shape=[3], strides=[step])
        for step, name in enumerate(parts, 2)
    ]
    nodes.append(helper.make_node("Concat", parts, ["y"], axis=2))
    onnx.save(model(nodes, [tensor("x", ("n", 1, "w"))], ["y"]), tmp_path / "model.onnx")
    assert main(["compile", str(tmp_path / "model.onnx"), "-o", str(tmp_path / "m.so")]) == 0
    printed = rows(capsys.readouterr().out)
    assert printed["output"].strip() == "y: float32 (1, 1, 137) for n = 1, w = 128"


@pytest.mark.parametrize("output", ["lib.so", "lib.o"])
def test_a_library_says_which_glibc_it_needs(
    program: Path, tmp_path: Path, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / output
    program.write_text(PROGRAM.replace("x + 1.0", "relay.exp(x)"))
    assert main(["compile", str(program), "-o", str(library)]) == 0
    printed = rows(capsys.readouterr().out)
    assert ("needs" in printed) == (output == "lib.so") == bool(needed_versions(library))


def test_the_newest_version_of_each_library_is_shown() -> None:
    names = ["CXXABI_1.3", "GLIBCXX_3.4.21", "GLIBCXX_3.4.9", "GLIBC_2.2.5", "GLIBC_2.34"]
    assert versions_text(names) == "glibc 2.34 or newer, CXXABI_1.3, GLIBCXX_3.4.21"
    assert versions_text(["GLIBC_ABI_DT_RELR"]) == "GLIBC_ABI_DT_RELR"
    assert versions_text([]) == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\0b", r"a\x00b"), ("a\x1b[31mred", r"a\x1b[31mred"), ("a\u202eb", r"a\u202eb")],
)
def test_controls_in_names_are_shown(
    name: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A NUL ended messages, and others changed what a terminal shows."""
    node = helper.make_node("Relu", [name], ["y"], name=name)
    onnx.save(model([node], [tensor(name, ("n", 2))], ["y"]), tmp_path / "model.onnx")
    library = str(tmp_path / "model.so")
    assert main(["compile", str(tmp_path / "model.onnx"), "-o", library]) == 0
    assert f"input    {shown}: float32 (n, 2)\n" in capsys.readouterr().out
    assert main(["run", library, "--function", "main_into"]) == 1
    message = f"error: main_into: expected 2 arguments (`{shown}`: float32 (n, 2), "
    assert capsys.readouterr().err.startswith(message)
    np.save(tmp_path / "x.npy", np.zeros((2, 3), np.float32))
    assert main(["run", library, "--input", str(tmp_path / "x.npy")]) == 1
    assert f"dimension 1 of `{shown}` must be 2, got 3\n" in capsys.readouterr().err
    assert main(["run", str(tmp_path / "model.onnx"), "--dim", "n=2", "--profile"]) == 0
    assert not {"\0", "\x1b", "\u202e"}.intersection(capsys.readouterr().out)


def test_programs_of_all_forms_run(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = script.parse(PROGRAM)
    (tmp_path / "program.json").write_text(ir.save_json(module))
    (tmp_path / "program.bin").write_bytes(ir.save_binary(module))
    np.save(tmp_path / "k.npy", np.array([5, 6], np.int32))
    for form in ("program.py", "program.json", "program.bin"):
        given = ["--input", f"k={tmp_path / 'k.npy'}", "--dim", "n=3"]
        assert main(["run", str(tmp_path / form), *given, "--profile"]) == 0
        out = capsys.readouterr().out
        assert "output 0  float32 (3, 2): 1." in out
        assert "output 1  int32 (2): 5, 6\n" in out
        assert "GFLOP/s" in out
        assert re.search(r"\npeak +\S+ GFLOP/s, \S+ GB/s by \d+ thread", out)
        assert re.search(r"\n  \w+ +\S+ % of the peak, bounded by memory\n", out)


def test_models_take_shapes_and_constants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = [
        helper.make_node("Tile", ["x", "repeats"], ["h"], name="repeat"),
        helper.make_node("Mul", ["h", "two"], ["y"]),
    ]
    inputs = [tensor("x", ("n",)), tensor("repeats", (1,), onnx.TensorProto.INT64)]
    path, repeats = tmp_path / "m.onnx", tmp_path / "repeats.npy"
    onnx.save(model(nodes, inputs, ["y"], [constant("two", np.float32(2))]), path)
    np.save(repeats, np.array([3]))
    command = ["compile", str(path), "-o", str(tmp_path / "m.so"), "--arch", "x86-64-v3"]
    assert main(command) == 1
    assert capsys.readouterr().err == (
        "error: from_onnx: shapes or axes depend on the elements of `repeats`: give them by "
        "`constants`, or `--constant repeats=FILE.npy`\n"
    )
    page = tmp_path / "passes.html"
    given = ["--shape", "x=4", "--constant", f"repeats={repeats}", "--explorer", str(page)]
    assert main([*command, *given]) == 0
    printed = rows(capsys.readouterr().out)
    assert printed["input"].strip() == "x: float32 (4)"
    assert printed["output"].strip() == "y: float32 (12)"
    assert "fused" in page.read_text()


def test_a_dimension_of_a_model_has_a_size(
    tmp_path: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [tensor("x", ("n", "m"))], ["y"])
    onnx.save(proto, path)
    command = ["compile", str(path), "-o", str(tmp_path / "m.tar")]
    assert main([*command, "--dim", "n=4"]) == 0
    assert rows(capsys.readouterr().out)["output"].strip() == "y: float32 (4, m)"
    assert main(["run", str(path), "--dim", "n=4", "--dim", "m=2"]) == 0
    assert "float32 (4, 2)" in capsys.readouterr().out
    assert main([*command, "--dim", "k=4"]) == 1
    assert "no input has a dimension `k`; there are `m`, `n`" in capsys.readouterr().err
    assert main(["compile", str(program), "-o", str(tmp_path / "p.tar"), "--dim", "n=1"]) == 1
    assert capsys.readouterr().err == "error: --dim with one size is for models\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compile", "none.onnx", "-o", "a.so"], "`none.onnx`: no such file or directory"),
        (["compile", "none.txt", "-o", "a.so"], "`none.txt`: expected a file .onnx, .py"),
        (["compile", "p.py", "-o", "a.dll"], "`a.dll`: expected a file .so, .o or .tar"),
        (["compile", "bad.onnx", "-o", "a.so"], "`bad.onnx` is not a valid model"),
        (["compile", "p.py", "-o", "a.so", "--shape", "x=2"], "--shape and --constant are for"),
        (["compile", "p.py", "-o", "a.so", "--arch", "vax"], "vax"),
        (["run", "none.so"], "none.so"),
        (["run", "p.py", "--input", "y=k.npy"], "there is no input `y`; the inputs are `x`, `k`"),
        (["run", "p.py", "--input", "k=bad.onnx"], "`bad.onnx`: "),
        (["run", "p.py", "--input", "k=none.npy"], "none.npy"),
        (["run", "p.py", "--function", "f"], "f"),
        (["run", "p.py", "--dim", "m=2"], "no input has a dimension `m`; there are `n`"),
        (["run", "p.py", "--output", "y.npy"], "`y.npy`: expected a file .npz"),
        (["run", "t.py", "--input", "C=k.npy"], "there is no input `C`; the inputs are `A`, `B`"),
        (["run", "t.py", "--dim", "m=2"], "no input has a dimension `m`; there are `n`"),
        (["opt", "junk.json"], "`junk.json`: `nodes` is missing"),
        (["opt", "junk.bin"], "`junk.bin`: the data are not a graph"),
        (["opt", "p.py", "-o", "none/p.py"], "`none/p.py`: no such file or directory"),
        (["compile", "broken.py", "-o", "a.so"], "broken.py:"),
        (["run", "pipe.onnx"], "`pipe.onnx` is not a regular file"),
        (["run", "latin.py"], "`latin.py`: 'utf-8' codec can't decode"),
        (["run", "p.py", "--input", "empty.npy"], "`empty.npy`: No data left in file"),
        (["run", "pipe.so"], "it is not a regular file"),
        (["run", "p.py", "--input", "pipe.so"], "`pipe.so` is not a regular file"),
    ],
)
def test_errors_are_one_message(
    arguments: list[str],
    message: str,
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    program.rename("p.py")
    Path("t.py").write_text(DOUBLE)
    Path("latin.py").write_bytes(b"\xff")
    Path("empty.npy").touch()
    os.mkfifo("pipe.onnx")
    os.mkfifo("pipe.so")
    Path("bad.onnx").write_bytes(b"\x08")
    Path("junk.json").write_text("{}")
    Path("junk.bin").write_bytes(b"junk")
    Path("broken.py").write_text("@relay.function\ndef f(x\n")
    before = sorted(tmp_path.iterdir())
    if "t.py" in arguments:
        arguments = [*arguments, "--function", "double"]
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert message in printed.err
    assert "Traceback" not in printed.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "arguments", [[], ["compile"], ["compile", "a.py", "-o", "b.so", "--shape", "x"], ["walk"]]
)
def test_wrong_arguments_have_status_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (
            ["compile", "p.py", "-o", "a.so", "--arhc", "x86-64"],
            "--arhc x86-64; did you mean `--arch`?",
        ),
        (["run", "p.py", "--inptu=x.npy"], "--inptu=x.npy; did you mean `--input`?"),
        (["rum", "p.py"], "; did you mean `run`?"),
    ],
)
def test_misspelt_options_are_named(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(f"{hint}\n")


def test_misspelt_variables_are_named(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that uir reads are known to the command."""
    sources = [*ROOT.glob("cpp/src/uir/**/*.c*"), *ROOT.glob("python/uir/**/*.py")]
    read = {
        name
        for path in sources
        for name in re.findall(r"getenv\(\"(UIR_\w+)|environ.*?\"(UIR_\w+)", path.read_text())
        for name in name
        if name
    }
    assert read == set(VARIABLES)
    monkeypatch.setenv("UIR_CACHE_SIZE", "1")
    with pytest.raises(SystemExit) as caught:
        main(["run", str(program)])
    assert caught.value.code == 2
    assert (
        "`UIR_CACHE_SIZE` of the environment; did you mean `UIR_CACHE_" in capsys.readouterr().err
    )


def test_a_library_says_what_it_lacks(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = str(tmp_path / "p.so")
    assert main(["compile", str(program), "-o", library]) == 0
    capsys.readouterr()
    for arguments, message in [
        (
            ["--profile", "--function", "main_into"],
            "expected 4 arguments (`x`: float32 (n, 2), `k`: int32 (2), "
            "`output_0`: float32 (n, 2), `output_1`: int32 (2)), got 0",
        ),
        (["--function", "mian"], "no function `mian`; it has `main`, `main_into`; did you mean"),
        (["--function", "main_into", "--input", "x=x.npy"], "in order, without names"),
        (["--input", "y=x.npy"], "there is no input `y`; the inputs are `x`, `k`"),
        (["--dim", "m=3"], "no input has a dimension `m`; there are `n`"),
        (["--arch", "x86-64"], "--arch is for programs and models, and not for libraries"),
        (["--checks", "bounds"], "--checks is for programs and models, and not for libraries"),
        (["--division", "numpy"], "--division is for programs and models, and not for libraries"),
    ]:
        assert main(["run", library, *arguments]) == 1
        assert message in capsys.readouterr().err


def test_a_library_takes_inputs_by_name_and_fills_the_others(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = str(tmp_path / "p.so")
    assert main(["compile", str(program), "-o", library]) == 0
    np.save(tmp_path / "k.npy", np.array([5, 6], np.int32))
    given = ["--input", f"k={tmp_path / 'k.npy'}", "--dim", "n=3"]
    printed = []
    for runnable in (library, str(program)):
        capsys.readouterr()
        assert main(["run", runnable, *given]) == 0
        printed.append(capsys.readouterr().out.splitlines()[:2])
    assert printed[0] == printed[1]
    assert "output 1  int32 (2): 5, 6" in printed[0]


def test_a_function_without_results_shows_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.py").write_text(DOUBLE)
    np.save("a.npy", np.arange(3, dtype="float32"))
    assert main(["compile", "t.py", "-o", "t.so"]) == 0
    for runnable in ("t.py", "t.so"):
        capsys.readouterr()
        given = ["--function", "double", "--input", "A=a.npy", "--dim", "n=3", "--fill", "zeros"]
        assert main(["run", runnable, *given]) == 0
        printed = capsys.readouterr().out.splitlines()
        assert printed[:2] == ["output 0  float32 (3): 0, 1, 2", "output 1  float32 (3): 0, 2, 4"]


def test_times_of_one_line_have_one_unit() -> None:
    assert (
        times_text({"read": 0.002, "C compiler": 1.5}) == "1.50 s (read 0.00 s, C compiler 1.50 s)"
    )
    assert times_text({"read": 2e-6, "write": 0.5}) == "500.00 ms (read 0.00 ms, write 500.00 ms)"


def test_a_fault_of_uir_is_not_a_fault_of_the_user(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("uir.commands.compile.read_program", fail)
    assert main(["run", str(program)]) == 3
    printed = capsys.readouterr().err
    assert printed.startswith("Traceback") and "this is a fault of uir" in printed


def test_the_command_is_a_module(program: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "uir", "compile", str(program), "-o", str(tmp_path / "p.so")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  input    x: float32 (n, 2)" in done.stdout


def test_a_reader_may_have_enough(program: Path, tmp_path: Path) -> None:
    """`head` closes the pipe before all is written."""
    text = f"{sys.executable} -m uir run {program} --profile; echo status $? >&2"
    done = subprocess.run(f"({text}) | true", shell=True, capture_output=True, text=True)
    assert done.stderr == "status 0\n"
