"""`uir bisect` and `uir reduce` find a planted fault; the small commands print facts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from uir import ir, script, transform
from uir.commands import main
from uir.driver import cache_folder, cache_size
from uir.target import Target

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        for i in range(16):
            if i < 20:
                A[(i * 4 + 3) // 4] = A[i] + 1.0
        for i in range(4):
            A[i] = A[i] * 2.0
"""

PACKAGE = '''
from uir import tir, transform

@transform.register_pass("toy_faults.DropLast")
@transform.prim_func_pass(opt_level=0, name="toy_faults.DropLast")
def drop_last(func, module, context):
    """Drop the last statement of a sequence: the planted fault."""
    if isinstance(func.body, tir.SeqStmt):
        return func.with_body(tir.flatten_seq(list(func.body.seq)[:-1]))
    return func
'''
KEEPS_STORES = "sh -c '! grep -q 2.0 {input} || grep -q 2.0 {file}'"
"""A check that fails if the passes lose a statement."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    (folder / "toy_faults_package.py").write_text(PACKAGE)
    (folder / "program.py").write_text(PROGRAM)
    return folder


def command(folder: Path, name: str, passes: str, *more: str) -> list[str]:
    load = ["--load", str(folder / "toy_faults_package.py"), "--command", KEEPS_STORES]
    return [name, str(folder / "program.py"), "--passes", passes, *load, *more]


SEQUENCE = "Simplify, RemoveNoOp, toy_faults.DropLast, Simplify"


def test_two_commands_find_a_planted_fault(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, small = tmp_path / "before.py", tmp_path / "small.py"
    assert main(command(folder, "bisect", SEQUENCE, "-o", str(before))) == 0
    assert capsys.readouterr().out == (
        "pass      toy_faults.DropLast, number 3 of 4\nfunction  main\n"
    )
    expected = transform.parse_pass_pipeline("Simplify, RemoveNoOp")(script.parse(PROGRAM))
    assert ir.structural_equal(script.parse(before.read_text()), expected)
    assert main(command(folder, "reduce", "toy_faults.DropLast", "-o", str(small))) == 0
    assert "the command ran " in capsys.readouterr().err
    body = small.read_text().partition("):\n")[2].splitlines()
    assert [line.strip() for line in body] == ["tir.evaluate(0)", "A[0] = 2.0"]


def test_a_command_finds_the_fault_in_a_new_process(folder: Path) -> None:
    words = [sys.executable, "-m", "uir", *command(folder, "bisect", SEQUENCE, "--json")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "pass": "toy_faults.DropLast",
        "number": 3,
        "pass_count": 4,
        "function": "main",
        "output": None,
    }


@pytest.mark.parametrize(
    ("name", "check", "message"),
    [
        ("bisect", "true {file}", "does not show the fault after all passes"),
        ("bisect", "false {file}", "shows the fault before any pass"),
        ("reduce", "true {file}", "--command: it does not fail for `"),
        ("reduce", "false", "--command: `false` has no `{file}`"),
        ("reduce", "uir-no-such-command {file}", "uir-no-such-command"),
        ("reduce", "sh -c 'echo other; exit 1 # {file}'", "it does not fail for"),
        ("reduce", "sh -c 'sleep 9 # {file}'", "it does not fail for"),
    ],
)
def test_errors_are_one_message(
    folder: Path, name: str, check: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--passes", "Simplify", "--message", "a text", "--timeout", "0.5"]
    if name == "bisect":
        given = given[:2]
    assert main([name, str(folder / "program.py"), "--command", check, *given]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err and "Traceback" not in printed.err


def test_a_simplification_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "simplify", "x // 4 * 4 + x % 4"]) == 0
    assert capsys.readouterr().out.endswith("= x\n")
    assert main(["explain", "simplify", "x // n", "--assume", "x >= 0", "--assume", "x < n"]) == 0
    printed = capsys.readouterr().out
    assert "by `fdiv(x, y) -> 0 if x >= 0 and x < y`" in printed and "since" in printed
    assert main(["explain", "simplify", "x +"]) == 1
    error = "error: <expression>:1:4: error: invalid syntax\n   1 | x +\n     |    ^\n"
    assert capsys.readouterr().err == error


def test_a_pass_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "pass", "UnrollLoop"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("UnrollLoop\n\nReturn a pass that unrolls loops")
    option = "option UnrollLoop.auto_max_step: int, by default 0\n    The maximum number of stores"
    assert option in printed
    assert main(["explain", "pass", "UnrolLoop"]) == 1
    assert "did you mean `UnrollLoop`?" in capsys.readouterr().err


def test_the_help_has_examples_of_refusals(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["explain", "refusal", "--help"])
    names = re.findall(r"`([\w.]+)`\s+of\s", capsys.readouterr().out)
    assert len(names) == 2
    assert [main(["explain", "refusal", name]) for name in names] == [0, 0]


def test_a_refusal_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "refusal", "ai.onnx.ml.CastMap"]) == 0
    assert capsys.readouterr().out == (
        "ai.onnx.ml.CastMap of ONNX is refused: maps and text\n"
        "  help: make tensors of them before the model and give these as inputs\n"
    )
    assert main(["explain", "refusal", "as_strided"]) == 0
    assert "is refused in part: strides that are not" in capsys.readouterr().out
    assert main(["explain", "refusal", "aten.poison.default"]) == 1
    assert "`poison` by its name; did you mean `poisson`?" in capsys.readouterr().err


def test_a_diagnostic_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "diagnostic", "ts012"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("TS012: unknown type\n") and "Wrong:" in printed
    assert main(["explain", "diagnostic", "TS0012"]) == 1
    assert "no code `TS0012`; did you mean `TS012`?" in capsys.readouterr().err


def test_targets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets"]) == 0
    text = capsys.readouterr().out
    assert main(["targets", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    target = Target()
    for option in found["options"]:
        assert option["default"] == getattr(target, option["name"])
        default = f"`{option['default']}`" if option["default"] else "empty"
        assert f"\n{option['name']}: {default} by default\n" in text
    assert {"kind", "isa", "division"} <= {option["name"] for option in found["options"]}


def test_the_cache_has_a_place_and_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    assert cache_size() == 0
    (tmp_path / "p.py").write_text(PROGRAM)
    assert main(["compile", str(tmp_path / "p.py"), "-o", str(tmp_path / "p.tar")]) == 0
    capsys.readouterr()
    assert main(["cache", "path"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cache'}\n" == f"{cache_folder()}\n"
    sizes = [one.stat().st_size for one in (tmp_path / "cache").rglob("*") if one.is_file()]
    assert cache_size() == sum(sizes) > 0
    assert main(["cache", "size"]) == 0
    assert "KiB" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert not list((tmp_path / "cache").rglob("*.so"))


def offered(folder: Path, line: str) -> set[str]:
    """Return the words that a shell is offered, by a process: argcomplete closes descriptors."""
    answers = folder / "answers"
    environment = {
        **os.environ,
        **{"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(answers)},
        **{"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\v"},
    }
    subprocess.run([sys.executable, "-m", "uir"], env=environment, check=True)
    return {one.strip() for one in answers.read_text().split("\v") if one}


def test_a_shell_is_offered_commands_and_passes(tmp_path: Path) -> None:
    assert offered(tmp_path, "uir o") == {"opt"}
    assert offered(tmp_path, "uir opt --until Unr") == {"UnrollLoop"}
    assert offered(tmp_path, "uir opt --config UnrollLoop.auto_max_s") == {
        "UnrollLoop.auto_max_step="
    }
    assert offered(tmp_path, "uir opt --passes Unr") == {"UnrollLoop"}
    assert offered(tmp_path, "uir opt --passes 'Simplify, Unr") == {"Simplify, UnrollLoop"}
    assert offered(tmp_path, "uir opt --passes 'UnrollLoop{auto_max_step=4, explicit_u") == {
        "UnrollLoop{auto_max_step=4, explicit_unroll="
    }
    assert "x86-64-v3" in offered(tmp_path, "uir compile --arch ")
    assert offered(tmp_path, "uir explain diagnostic TS01") == {
        f"TS{one:03}" for one in range(10, 20)
    }
    assert offered(tmp_path, "uir explain refusal aten.pois") == set()
    assert offered(tmp_path, "uir explain refusal pois") == {"poisson"}


def test_a_shell_gets_its_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    assert "complete" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("definition", "parse"),
    [
        ("@uir.script.ir_module\nclass M:\n    pass", "parse"),
        ("@uir.tir.prim_func\ndef f():\n    pass", "parse_function"),
    ],
)
def test_a_definition_without_a_source_says_where_to_write_it(definition: str, parse: str) -> None:
    message = rf"`python -c`.*: write it to a file, or give its text to `uir\.script\.{parse}`"
    with pytest.raises(OSError, match=message):
        exec(f"import uir\n{definition}\n", {"__name__": "prompt"})
