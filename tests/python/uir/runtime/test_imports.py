"""Modules that import others: calls between them, and one file that carries them."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import numpy as np
import pytest

from uir.driver import compile_c, find_compiler
from uir.runtime import Module, export_library, load_module, tensor_module

from ...support.c_texts import PRELUDE, add_module
from ...support.process import run_python

CALLER = f"""{PRELUDE}
extern int TVMFFIEnvModLookupFromImports(void *library, const char *name, void **function);
extern int TVMFFIFunctionCall(void *function, Any *args, int32_t count, Any *result);
__attribute__((weak)) void *__tvm_ffi__library_ctx = 0;
int __tvm_ffi_add_twice(void *self, const Any *args, int32_t count, Any *result) {{
  void *add = 0;
  if (TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "add", &add) != 0) return -1;
  Any values[2] = {{args[0], args[1]}};
  if (TVMFFIFunctionCall(add, values, 2, result) != 0) return -1;
  values[0] = *result;
  return TVMFFIFunctionCall(add, values, 2, result);
}}
"""
"""`add_twice(a, b)` calls `add` of a module that this one imports."""


def importing(*imports: Module) -> Module:
    module = compile_c(CALLER)
    for each in imports:
        module.import_module(each)
    return module


def adding(constant: int) -> Module:
    """A module whose `add` another one has to find, by another name than its own."""
    return compile_c(add_module(constant))


def test_functions_of_imports_are_called() -> None:
    module = importing(adding(400))
    assert module.add_twice(1, 2) == 1 + 2 * 2 + 2 * 400
    assert module.get_function("add", query_imports=True)(0, 0) == 400
    assert not module.implements_function("add")
    alone = compile_c(CALLER)
    with pytest.raises(RuntimeError, match="Cannot find function add in the imported modules"):
        alone.add_twice(1, 2)
    assert module.add_twice(1, 2) == 1 + 2 * 2 + 2 * 400  # The other one has not changed it.


TENSORS = {"mean": np.arange(3, dtype="float32"), "table": np.arange(6).reshape(2, 3)}

NESTED = """
import sys
import numpy as np
import tvm_ffi
if sys.argv[2] == "uir":
    import uir
if sys.argv[2] == "a loader of its own":
    @tvm_ffi.register_global_func("ffi.Module.load_from_bytes.uir.tensors")
    def load(content):
        assert b"mean" in content
        return tvm_ffi.load_module(sys.argv[3])
library = tvm_ffi.load_module(sys.argv[1])
assert ("uir" in sys.modules) == (sys.argv[2] == "uir")
print(library.imports[0].kind, library.kind, library.other(0, 1))
if sys.argv[2] == "uir":
    print(library.imports[0].mean(), *library.imports[0].tensor_names())
else:
    print(library.get_function("add", query_imports=True)(1, 2))
"""


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two modules in C, the second of which imports tensors."""
    folder = tmp_path_factory.mktemp("nested")
    second = compile_c(add_module(500).replace("__tvm_ffi_add", "__tvm_ffi_other"))
    second.import_module(tensor_module(TENSORS))
    module = importing(second)
    export_library(module, folder / "lib.so")
    export_library(module, folder / "lib.o")
    export_library(module, folder / "lib.tar")
    return folder


def test_one_file_carries_all(nested: Path) -> None:
    library = load_module(nested / "lib.so")
    assert (library.kind, library.other(1, 2)) == ("library", 503)
    tensors, linked = library.imports
    assert (linked.kind, linked.other(1, 2)) == ("library", 503)
    assert tensors.kind == "uir.tensors"
    assert list(tensors.tensor_names()) == ["mean", "table"]
    for name, tensor in TENSORS.items():
        np.testing.assert_array_equal(np.from_dlpack(tensors[name]()), tensor)
    with pytest.raises(AttributeError):
        tensors.get_function("none")


def test_the_file_is_read_without_uir(nested: Path, tmp_path: Path) -> None:
    """What loads a kind is a function that is registered, by uir or by anyone else."""
    export_library(adding(600), tmp_path / "stand-in.so")
    printed = run_python(NESTED, nested / "lib.so", "a loader of its own", tmp_path / "stand-in.so")
    assert printed == "library library 501\n603\n"
    printed = run_python(NESTED, nested / "lib.so", "uir", "")
    assert printed.startswith("uir.tensors library 501\n")
    assert printed.endswith("mean table\n")


def test_a_loader_that_is_missing(nested: Path, tmp_path: Path) -> None:
    load = "import sys, tvm_ffi\ntvm_ffi.load_module(sys.argv[1])"
    with pytest.raises(AssertionError, match=r"ffi\.Module\.load_from_bytes\.uir\.tensors"):
        run_python(load, nested / "lib.so")
    # uir says which package to import: here for kinds that a library claims to have.
    content = (nested / "lib.so").read_bytes()
    for name, help_text in ((b"toy.tensors", "the package `toy`"), (b"otherkinds!", "that regist")):
        other = tmp_path / f"{name.decode()}.so"
        other.write_bytes(content.replace(b"uir.tensors", name))
        with pytest.raises(RuntimeError, match=f"of kind `{name.decode()}`.*\n.*{help_text}"):
            load_module(other)


def test_objects_and_archives_carry_all_too(nested: Path, tmp_path: Path) -> None:
    with tarfile.open(nested / "lib.tar") as archive:
        assert archive.getnames() == ["module.c", "module.o"]
        archive.extractall(tmp_path)
    assert (tmp_path / "module.o").read_bytes() == (nested / "lib.o").read_bytes()
    command = [*find_compiler(), "-shared", "module.o", "-o", "linked.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    linked = load_module(tmp_path / "linked.so")
    assert linked.other(1, 1) == 502
    np.testing.assert_array_equal(np.from_dlpack(linked.imports[0].mean()), TENSORS["mean"])


def test_a_tree_of_modules_that_are_carried(tmp_path: Path) -> None:
    """A module that several import is one; each has its own imports."""
    shared = tensor_module({"shared": TENSORS["mean"]})
    first, second = tensor_module({"first": TENSORS["mean"]}), tensor_module({})
    first.import_module(shared)
    second.import_module(shared)
    module = importing(second, first, adding(700))
    export_library(module, tmp_path / "lib.so")
    library = load_module(tmp_path / "lib.so")
    assert [list(each.tensor_names()) for each in library.imports[:2]] == [[], ["first"]]
    carried = library.imports[:2]
    assert all(list(each.imports[0].tensor_names()) == ["shared"] for each in carried)
    assert library.imports[0].imports[0].same_as(library.imports[1].imports[0])
    assert library.get_function("shared", query_imports=True)().shape == (3,)


CALL = """
import sys, tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
print(library.add_twice(1, 2), library.add(1, 1), *[each.kind for each in library.imports])
"""


def test_linked_modules_call_each_other(tmp_path: Path) -> None:
    """The library is among its own imports, where the code of a module looks for others."""
    module = importing(adding(800))
    export_library(module, tmp_path / "lib.so")
    assert run_python(CALL, tmp_path / "lib.so") == f"{module.add_twice(1, 2)} 802 library\n"


def test_modules_that_one_file_cannot_carry(tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    twice = adding(900)
    twice.import_module(adding(901))
    with pytest.raises(ValueError, match="two of the modules have a function `add`, of which"):
        export_library(twice, path)
    with pytest.raises(ValueError, match="the C text alone lacks .* write `so`, `o` or `tar`"):
        export_library(importing(tensor_module({})), tmp_path / "lib.c")
    export_library(adding(902), path)
    with pytest.raises(ValueError, match="kind `library`, which is imported: it was loaded from"):
        export_library(importing(load_module(path)), tmp_path / "other.so")
    tensors = tensor_module({})
    tensors.import_module(adding(903))
    with pytest.raises(ValueError, match="kind `uir.tensors` that imports one of kind `c`"):
        export_library(importing(tensors), tmp_path / "other.so")
    with pytest.raises(ValueError, match="of kind `uir.tensors` is written to no file"):
        export_library(tensors, path)
    assert [each.name for each in tmp_path.iterdir()] == ["lib.so"]


def test_names_of_tensors() -> None:
    with pytest.raises(ValueError, match="a tensor cannot be called `tensor_names`"):
        tensor_module({"tensor_names": TENSORS["mean"]})


def test_imports_are_cleared() -> None:
    module = importing(adding(904))
    module.clear_imports()
    with pytest.raises(RuntimeError, match="Cannot find function add"):
        module.add_twice(1, 2)
