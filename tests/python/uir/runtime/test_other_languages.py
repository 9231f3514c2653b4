"""One exported file is called from C, C++, Rust and Python where there is no uir."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tvm_ffi
from tvm_ffi import libinfo

import uir
from uir import ir, script
from uir.runtime import Module, export_library, load_module
from uir.target import Target

from ...support.crate import cargo, run
from ...support.precompiled import cxx_flags
from ...support.project import ROOT

LOADERS = Path(__file__).with_name("loaders")
FFI = Path(libinfo.find_libtvm_ffi())
LINK = [f"-L{FFI.parent}", f"-l:{FFI.name}", f"-Wl,-rpath,{FFI.parent}"]
COUNT = (
    "TypeError: main_into: expected 2 arguments "
    "(`x`: float32 (n, 2), `output`: float32 (n, 2)), got {}"
)
OVERLAP = "ValueError: main_into: `output`, which is written, must not share memory with `x`"
INTEGER = "TypeError: main_into: `output` must be a tensor, got an integer"
NONE = "TypeError: main_into: `output` must be a tensor, got None"
WIDE = "TypeError: main_into: `x` must have data type float32, got float64"
ROWS = "ValueError: main_into: dimension 0 of `output` must be n = 2, got {}"
RANK = "ValueError: main_into: `x` must have 2 dimensions, got 1"
TWICE = ir.extern_func("twice", "float twice(float x) { return 2 * x; }")
PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 2), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.call_destination_passing(Module.double, [x], relay.Tensor((n, 2), "float32"))

    @tir.prim_func(private=True)
    def double(A: tir.Buffer((n, 2), "float32"), B: tir.Buffer((n, 2), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            for j in range(2):
                B[i, j] = tir.call_extern("float32", "twice", A[i, j])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loaders")


@pytest.fixture(scope="module")
def module() -> Module:
    program = ir.with_function(script.parse(PROGRAM), ir.GlobalVar("twice"), TWICE)
    return uir.build(program, Target("c", "x86-64"))


@pytest.fixture(scope="module")
def library(folder: Path, module: Module) -> Path:
    export_library(module, folder / "lib.so")
    return folder / "lib.so"


def compile_cxx(output: Path, *arguments: str | Path) -> None:
    includes = [f"-isystem{path}" for path in libinfo.include_paths()]
    run(
        "c++", "-std=c++17", *includes, "-fPIC", *cxx_flags(), *map(str, arguments),
        *LINK, "-o", str(output), folder=LOADERS,
    )  # fmt: skip


def test_in_cxx_with_a_kind_of_its_own(folder: Path, module: Module) -> None:
    """The kind is a class in C++, whose library registers the loader."""
    texts = folder / "libtexts.so"
    compile_cxx(texts, "-shared", "text_module.cc")
    module.import_module(tvm_ffi.load_module(str(texts)).make("carried text"))
    path = folder / "with_text.so"
    export_library(module, path)
    module.clear_imports()
    assert load_module(path).get_function("text", query_imports=True)() == "carried text"
    program = folder / "program"
    compile_cxx(program, "main.cc", "-Wl,--no-as-needed", texts, f"-Wl,-rpath,{folder}")
    lines = run(str(program), str(path), folder=folder).splitlines()
    assert lines == [
        "2 4 6 8 carried text",
        *(COUNT.format(1), OVERLAP, INTEGER, NONE, WIDE, ROWS.format(1)),
    ]
    alone = [sys.executable, "-c", f"import tvm_ffi; tvm_ffi.load_module({str(path)!r})"]
    done = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert "ffi.Module.load_from_bytes.demo.text" in done.stderr


def test_in_c(folder: Path, library: Path) -> None:
    program = folder / "c_program"
    run(
        "cc",
        str(LOADERS / "main.c"),
        "-ldl",
        "-Wl,--no-as-needed",
        *LINK,
        "-o",
        str(program),
        folder=folder,
    )
    lines = run(str(program), str(library), folder=folder).splitlines()
    assert lines == [
        "0 2 4 6 8",
        *(COUNT.format(0), WIDE),
        "ValueError: main_into: `x` has no data",
        "ValueError: main_into: `x` must be on the CPU, got a device of type 2",
        *(RANK, ROWS.format(1)),
        "ValueError: main_into: `output` must be compact: stride 0 must be 2, got -2",
        *(OVERLAP, "TypeError: main_into: `x` must be a tensor, got an integer", NONE),
    ]


MANIFEST = """
[package]
name = "uir-loader"
version = "0.1.0"
edition = "2021"

[dependencies]
tvm-ffi = {{ path = "{root}/build/tvm-ffi-rust/tvm-ffi" }}

[workspace]
"""
BUILD = """
fn main() {{
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
}}
"""


def test_in_rust(folder: Path, library: Path) -> None:
    crate = folder / "crate"
    shutil.copytree(LOADERS / "src", crate / "src")
    (crate / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
    (crate / "build.rs").write_text(BUILD.format(folder=FFI.parent))
    shutil.copyfile(ROOT / "Cargo.lock", crate / "Cargo.lock")
    shown = cargo("run", "--quiet", "--", str(library), folder=crate)
    assert shown.splitlines() == [
        "[2, 2] [2.0, 4.0, 6.0, 8.0]",
        *(COUNT.format(1), OVERLAP, ROWS.format(5), WIDE, RANK, INTEGER),
    ]


PYTHON = """
import sys
import numpy as np
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
print(np.from_dlpack(library.main(np.eye(2, dtype="float32"))).tolist())
try:
    import uir
except ImportError as error:
    print(error)
"""


def test_in_a_python_without_uir(folder: Path, library: Path) -> None:
    """Its packages are those of tvm-ffi alone, and NumPy."""
    packages = folder / "packages"
    packages.mkdir()
    installed = Path(np.__file__).parent.parent
    wanted = ("tvm_ffi", "apache_tvm_ffi-*", "typing_extensions*", "numpy", "numpy.libs")
    for name in wanted:
        for path in installed.glob(name):
            (packages / path.name).symlink_to(path)
    done = subprocess.run(
        [sys.executable, "-S", "-c", PYTHON, library],
        env={**os.environ, "PYTHONPATH": str(packages)},
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "[[2.0, 0.0], [0.0, 2.0]]\nNo module named 'uir'\n", done.stderr
