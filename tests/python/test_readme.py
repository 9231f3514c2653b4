"""What README shows is run: its commands, its Python, its C++. (Its Rust is a doctest of `uir`.)"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import tvm_ffi.libinfo

from tschema.regions.blocks import scan

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "README.md").read_text())


def blocks(language: str) -> list[str]:
    return [text for tag, text in BLOCKS if tag == language]


def commands() -> list[str]:
    lines = "".join(blocks("sh")).splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.strip()]


def test_there_is_something_to_run() -> None:
    assert "make" in commands()
    assert "make test" in commands()


@pytest.mark.parametrize("command", [text for text in commands() if text.startswith("make")])
def test_make_knows_its_targets(command: str) -> None:
    # CI runs them for real; this test is part of one of them.
    subprocess.run(["make", "--dry-run", *command.split()[1:]], cwd=ROOT, check=True)


@pytest.mark.parametrize("command", [text for text in commands() if "tschema" in text])
def test_the_command_runs(command: str) -> None:
    subprocess.run(command, shell=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def test_the_commands_of_models_run(tmp_path: Path) -> None:
    light = Path(onnx.__file__).parent / "backend/test/data/light/light_squeezenet.onnx"
    shutil.copy(light, tmp_path / "model.onnx")
    np.save(tmp_path / "x.npy", np.zeros((1, 3, 224, 224), np.float32))
    shown = [text for text in commands() if "bin/uir" in text]
    assert len(shown) == 2
    for text in shown:
        command = text.replace(".venv/bin", str(Path(sys.executable).parent))
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


def test_every_command_is_run() -> None:
    kinds = ("make", ".venv/bin/tschema", ".venv/bin/uir")
    assert all(text.startswith(kinds) or "tschema" in text for text in commands())


def test_the_python_runs(tmp_path: Path) -> None:
    programs = [text for text in blocks("python") if "import" in text]
    assert programs
    for text in programs:
        subprocess.run([sys.executable, "-c", text], check=True, cwd=tmp_path)


@pytest.mark.parametrize("opening", ["[[ 5.", "@uir.script.ir_module", "ir.TupleType"])
def test_python_prints_what_is_shown(opening: str, tmp_path: Path) -> None:
    place = next(
        i for i, (tag, text) in enumerate(BLOCKS) if tag == "text" and text.startswith(opening)
    )
    programs = [text for tag, text in BLOCKS[:place] if tag == "python"]
    program = programs[-1] if "import uir" in programs[-1] else "import uir\n" + programs[-1]
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=tmp_path)
    assert run.stdout.decode() == BLOCKS[place][1]


def test_the_cpp_compiles(tmp_path: Path) -> None:
    folders = [ROOT / "cpp/include", ROOT / "generated/cpp/include"]
    includes = [f"-I{folder}" for folder in [*folders, *tvm_ffi.libinfo.include_paths()]]
    for text in blocks("cpp"):
        source = tmp_path / "readme.cc"
        source.write_text(text)
        subprocess.run(["g++", "-std=c++17", "-fsyntax-only", *includes, source], check=True)


def test_the_block_has_a_custom_region() -> None:
    shown = next(text for text in blocks("text") if text.startswith("// tschema:"))
    file = scan("shape.h", shown.encode())
    assert file.custom(file.blocks["CircleNode"]).strip().startswith(b"double Diameter()")


def test_the_error_is_the_one_that_is_shown() -> None:
    shown = next(text for text in blocks("text") if text.startswith("TypeError"))
    program = (
        "from uir.ir import IntImm\nfrom uir.tir import Add, Var\n"
        "try:\n    Add(Var('x', 'int32'), IntImm('int64', 1))\n"
        "except TypeError as error:\n    print(f'TypeError: {error}')"
    )
    printed = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE)
    assert " ".join(shown.split()) == " ".join(printed.stdout.decode().split())


def test_the_diagnostic_is_the_one_that_is_shown(tmp_path: Path) -> None:
    shown = next(text for text in blocks("text") if "error[TS012]" in text)
    place = re.match(r"schema/tir/stmt\.py:(\d+):", shown)
    assert place
    head = [
        *('"""Statements."""', "from tschema import Object, declare, ty", "@declare"),
        *("class ForNode(Object):", '    type_key = "toy.tir.For"'),
    ]
    blank = [""] * (int(place[1]) - 1 - len(head))
    source = tmp_path / "schema" / "tir" / "stmt.py"
    source.parent.mkdir(parents=True)
    source.write_text("\n".join([*head, *blank, "    extent: ty.int46_t", ""]))
    (tmp_path / "tschema.toml").write_text('package = "toy"\nschema = ["schema"]\nir = "ir.json"\n')
    command = [sys.executable, "-m", "tschema", "gen", "--config", tmp_path / "tschema.toml"]
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2
    assert shown in run.stderr
