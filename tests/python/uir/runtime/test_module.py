"""Modules are written to files, and loaded where there is no uir."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import tvm_ffi

from uir.driver import compile_c, find_compiler
from uir.runtime import Module, export_library, load_module, time_evaluator

from ...support.c_texts import PRELUDE, add_module

LOAD = """
import sys, tvm_ffi
module = tvm_ffi.load_module(sys.argv[1])
print(module.add(1, 2))
assert not [name for name in sys.modules if name.split(".")[0] in ("uir", "uir_nodes", "tschema")]
assert "libuir" not in open("/proc/self/maps").read()
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return compile_c(add_module(100))


def test_a_library_is_loaded_without_uir(module: Module, tmp_path: Path) -> None:
    library = tmp_path / "lib.so"
    export_library(module, library)
    mask = os.umask(0)
    os.umask(mask)
    assert library.stat().st_mode & 0o777 == 0o777 & ~mask
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    printed = subprocess.check_output(
        [sys.executable, "-c", LOAD, library], text=True, env=environment, cwd=tmp_path
    )
    assert printed == "103\n"
    assert load_module(library).add(1, 2) == 103
    assert [path.name for path in tmp_path.iterdir()] == ["lib.so"]


def test_an_object_and_an_archive(module: Module, tmp_path: Path) -> None:
    export_library(module, tmp_path / "lib.o")
    export_library(module, tmp_path / "lib.c")
    export_library(module, tmp_path / "lib.tar")
    assert (tmp_path / "lib.c").read_text() == add_module(100)
    with tarfile.open(tmp_path / "lib.tar") as archive:
        assert archive.getnames() == ["module.c", "module.o"]
        archive.extractall(tmp_path)
    assert (tmp_path / "module.o").read_bytes() == (tmp_path / "lib.o").read_bytes()
    assert (tmp_path / "module.c").read_text() == add_module(100)
    subprocess.run(
        [*find_compiler(), "-shared", "lib.o", "-o", "linked.so"], cwd=tmp_path, check=True
    )
    assert load_module(tmp_path / "linked.so").add(1, 1) == 102


def test_the_same_module_gives_the_same_bytes(module: Module, tmp_path: Path) -> None:
    for name in ("a.tar", "b.tar"):
        export_library(module, tmp_path / name)
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


def test_an_archive_has_the_constants(tmp_path: Path) -> None:
    export_library(compile_c(add_module(), constants=b"\1\2\3"), tmp_path / "lib.tar")
    with tarfile.open(tmp_path / "lib.tar") as archive:
        assert archive.getnames() == ["module.c", "module.o", "constants.bin"]
        content = archive.extractfile("constants.bin")
        assert content is not None and content.read() == b"\1\2\3"


def test_tvm_ffi_writes_the_file_too(module: Module, tmp_path: Path) -> None:
    assert list(module.get_write_formats()) == ["so", "o", "c", "tar"]
    module.write_to_file(str(tmp_path / "a"), "so")
    module.write_to_file(str(tmp_path / "b.so"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b.so").read_bytes()


def test_endings_that_are_not_written(module: Module, tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"end in `\.so`, `\.o`, `\.c`, `\.tar`, got `.*lib\.dll`$"
    ):
        export_library(module, tmp_path / "lib.dll")
    with pytest.raises(ValueError, match=r"is written as `so`, `o`, `c` or `tar`, got ``$"):
        module.write_to_file(str(tmp_path / "lib"))
    export_library(module, tmp_path / "lib.so")
    with pytest.raises(ValueError, match="of kind `library` is written to no file"):
        export_library(load_module(tmp_path / "lib.so"), tmp_path / "again.so")


def test_folders_that_are_missing(module: Module, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"cannot write `.*/none/lib\.so`: "):
        export_library(module, tmp_path / "none" / "lib.so")
    with pytest.raises(
        RuntimeError, match=r"^cannot load `.*none\.so`: No such file or directory$"
    ):
        load_module(tmp_path / "none.so")


def test_a_name_is_a_file_of_the_working_folder(
    module: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system looks for a library without a folder elsewhere."""
    monkeypatch.chdir(tmp_path)
    export_library(module, "lib.so")
    assert load_module("lib.so").add(1, 2) == 103
    with pytest.raises(RuntimeError, match="^cannot load `libc.so.6`: No such file or directory$"):
        load_module("libc.so.6")


COUNT = f"""{PRELUDE}
static int64_t calls;
int __tvm_ffi_main(void *self, const Any *args, int32_t count, Any *result) {{
  calls += args[0].v.i;
  return 0;
}}
int __tvm_ffi_calls(void *self, const Any *args, int32_t count, Any *result) {{
  result->type_index = 1;
  result->v.i = calls;
  return 0;
}}
"""


def test_a_function_is_measured() -> None:
    module = compile_c(COUNT)
    timing = time_evaluator(module, number=20, repeat=5)(1)
    assert module.calls() == 1 + 20 * 5
    assert len(timing.results) == 5
    assert 0 < timing.min <= timing.median <= timing.max < 0.1
    assert timing.min <= timing.mean <= timing.max
    assert timing.std <= timing.max - timing.min


def test_a_measurement_lasts_long_enough() -> None:
    module = compile_c(COUNT)
    before = module.calls()
    timing = time_evaluator(module, number=1, repeat=2, min_repeat_ms=20)(1)
    assert (module.calls() - before) * timing.max > 0.04 * 0.9


def test_measurements_that_make_no_sense(module: Module) -> None:
    with pytest.raises(ValueError, match="the module does not have a function `main`"):
        time_evaluator(module)
    for wrong in ({"number": 0}, {"repeat": 0}, {"min_repeat_ms": -1}):
        with pytest.raises(ValueError, match="must be positive"):
            time_evaluator(module, "add", **wrong)
    with pytest.raises(TypeError, match="expected 2 arguments"):
        time_evaluator(module, "add")(1)


def test_the_classes_are_those_of_tvm_ffi() -> None:
    assert Module is tvm_ffi.Module
