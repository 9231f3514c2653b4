"""A second library: the same one again does nothing, another one with the same keys is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ....support.precompiled import cmake_options
from ....support.process import run_new_python, run_python
from ....support.project import ROOT, Project, copy_project

LIBRARIES = ROOT / "build" / "lib"

LOAD_COPIES = """
import ctypes, sys
import tvm_ffi
from uir.ir import IntImm, Span
before = IntImm("int32", 1)
index = IntImm.__tvm_ffi_type_info__.type_index
for path in sys.argv[1:]:
    ctypes.CDLL(path)
assert list(tvm_ffi.get_global_func("tschema.registration_errors")()) == []
after = tvm_ffi.get_global_func("uir.ir.IntImm")("int32", 2)
assert type(after) is IntImm and (before.value, after.value) == (1, 2)
assert type(after).__tvm_ffi_type_info__.type_index == index
from uir.tir import Add
print(Add(before, after).dtype)
"""

LOAD_OTHER_FIRST = """
import ctypes, sys
for path in sys.argv[1:]:
    ctypes.CDLL(path)
from uir.ir import IntImm
print(IntImm("int32", 1).value)
"""

REFUSE_SECOND = """
import sys
from tschema.runtime import load_library
from uir.ir import IntImm, SourceName, Span
from uir.tir import Add
for _ in range(2):
    try:
        load_library("uir", digest=sys.argv[2], anchor=sys.argv[1])
    except ImportError as error:
        print(error)
import tvm_ffi
assert tvm_ffi.get_global_func("uir.ir.Mark", allow_missing=True) is None
span = Span(SourceName("a.py"), 3, 4)
assert (span.line, span.column) == (3, 4)
assert Add(IntImm("int32", 1), IntImm("int32", 2), span=span).span.same_as(span)
"""

REFUSE_FIRST = """
import sys
from uir_nodes.ir import Mark, Span
from tschema.runtime import load_library
span = Span(3, 4)
try:
    load_library("uir", digest="", anchor=sys.argv[1])
except ImportError as error:
    print(error)
assert (span.begin, Span(5, 6).end, Mark(7).at) == (3, 6, 7)
"""


LOAD_GLOBALLY = """
import ctypes, gc, sys
import tvm_ffi
[library, order] = sys.argv[1:]
if order == "first":
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
try:
    from uir.ir import IntImm
    from uir.tir import Add, Var
    made = [Add(Var("x", "int32"), IntImm("int32", value)) for value in range(100)]
except ImportError as error:
    print(error)
    sys.exit()
for _ in range(2):  # A reload.
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
print(*tvm_ffi.get_global_func("tschema.registration_errors")(), sep="\\n")
assert str(made.pop()) == "x + 99"
made.clear()
gc.collect()
assert IntImm("int32", 3).value == 3
"""

RELOAD = """
import _ctypes, ctypes, gc, sys
from pathlib import Path
import tvm_ffi
from tschema.runtime import structural_equal
from uir_nodes.ir import Mark, Span
[library] = sys.argv[1:]
made = [Span(begin, begin + 1) for begin in range(100)]
handle = ctypes.CDLL(library)._handle
for _ in range(2):  # The loader of the package has opened it too.
    _ctypes.dlclose(handle)
assert library in Path("/proc/self/maps").read_text()
assert structural_equal(made[7], Span(7, 8)) and made[99].end == 100
made.clear()
gc.collect()
ctypes.CDLL(library)
assert list(tvm_ffi.get_global_func("tschema.registration_errors")()) == []
assert Mark(7).at == 7
"""


def copy_libraries(folder: Path, *names: str) -> list[Path]:
    return [Path(shutil.copy2(LIBRARIES / name, folder)) for name in names]


def test_a_copy_of_the_library_does_nothing(tmp_path: Path) -> None:
    [library] = copy_libraries(tmp_path, "libuir.so")
    assert run_python(LOAD_COPIES, library, library) == "int32\n"


def test_a_copy_of_the_runtime_does_nothing(tmp_path: Path) -> None:
    runtime, library = copy_libraries(tmp_path, "libtschema.so", "libuir.so")
    assert run_python(LOAD_COPIES, runtime, library) == "int32\n"


def test_a_copy_that_came_first_serves(tmp_path: Path) -> None:
    copies = copy_libraries(tmp_path, "libtschema.so", "libuir.so")
    assert run_new_python(LOAD_OTHER_FIRST, *copies) == "1\n"


@pytest.fixture(scope="session")
def impostor() -> Project:
    """Build another library that calls its types `uir.ir.Span` and so on."""
    project = copy_project(Path(__file__).parent / "impostor", "impostor")
    project.generate()
    # As Clang compiles: GCC's unique symbols would keep the library in the process by themselves.
    project.build_cpp(*cmake_options(), "-DCMAKE_CXX_FLAGS=-fno-gnu-unique")
    return project


def test_another_library_with_the_same_keys_is_refused(impostor: Project) -> None:
    anchor = impostor.python / "uir_nodes" / "_lib.py"
    printed = run_python(REFUSE_SECOND, anchor, "0" * 16)
    first, second = (str(ROOT / "build/lib/libuir.so"), str(impostor.root / "build/libuir.so"))
    refusal, again = printed.splitlines()
    assert refusal == (
        f"type `uir.ir.Span` is registered by {first} with another layout; "
        f"{second} (package `uir`) is refused"
    )
    assert again.startswith(
        f"{first}, which came before {second}, declares other layouts of package `uir` than"
    )
    assert again.endswith(f": load {second} alone")


def test_whichever_comes_second_is_refused(impostor: Project) -> None:
    anchor = ROOT / "generated" / "python" / "uir_nodes" / "_lib.py"
    printed = run_python(REFUSE_FIRST, anchor, path=(impostor.python,))
    first, second = (str(impostor.root / "build/libuir.so"), str(ROOT / "build/lib/libuir.so"))
    assert (
        f"type `uir.ir.Span` is registered by {first} with another layout; "
        f"{second} (package `uir`) is refused" in printed.splitlines()
    )


def test_another_library_that_is_global_is_refused_by_name(impostor: Project) -> None:
    """Whichever comes first: the message names both, and the objects of the first one live on."""
    own, other = ROOT / "build/lib/libuir.so", impostor.root / "build/libuir.so"
    said = run_new_python(LOAD_GLOBALLY, other, "second")
    assert f"registered by {own} with another layout; {other} (package `uir`) is refused" in said
    said = run_new_python(LOAD_GLOBALLY, other, "first")
    assert str(own) in said and str(other) in said


def test_a_library_that_is_closed_stays(impostor: Project) -> None:
    """Its types point into it, and so do objects that live on."""
    run_new_python(RELOAD, impostor.root / "build/libuir.so", path=(impostor.python,))
