"""What the loader refuses, and how it says so: before anything is loaded, where it can."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tvm_ffi

from tschema.ffi_groups import ffi_group
from tschema.runtime import load_library
from tschema.runtime.build_info import BUILD_INFO_NAME, sources_digest
from tschema.runtime.loader import find_library

from ....support.process import run_new_python, run_python
from ....support.project import ROOT

ANCHOR = ROOT / "generated" / "python" / "uir_nodes" / "_lib.py"
OTHER_RELEASE = """
import tvm_ffi
tvm_ffi.__version__ = "0.1.99"
try:
    import uir.ir
except ImportError as error:
    print(error)
assert tvm_ffi.get_global_func("uir.ir.IntImm", allow_missing=True) is None
"""


def test_another_release_of_tvm_ffi(tmp_path: Path) -> None:
    assert run_python(OTHER_RELEASE).strip() == (
        f"the libraries in {ROOT / 'build' / 'lib'} were built with apache-tvm-ffi "
        f"{tvm_ffi.__version__}, but 0.1.99 is installed, whose inlined code differs: "
        f"run `pip install apache-tvm-ffi=={tvm_ffi.__version__}`, or build them again"
    )


def test_a_package_may_have_libraries_for_several_groups(tmp_path: Path) -> None:
    anchor = tmp_path / "nosuch" / "_lib.py"
    group = ffi_group(tvm_ffi.__version__)
    other = anchor.parent / "lib" / "ffi-0.1.99" / "libnosuch.so"
    other.parent.mkdir(parents=True)
    other.touch()
    message = (
        f"{anchor.parent / 'lib'} has no libnosuch.so for apache-tvm-ffi {tvm_ffi.__version__}; "
        "it has libraries for the releases from 0.1.99: install one of these, or build the package "
        "again"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        load_library("nosuch", digest="0123456789abcdef", anchor=str(anchor))
    own = other.parents[1] / group / other.name
    own.parent.mkdir()
    own.touch()
    assert find_library("nosuch", anchor) == own


def test_classes_of_another_schema() -> None:
    __import__("uir.ir")
    digest = tvm_ffi.get_global_func("tschema.package_digest")("uir")
    library = ROOT / "build" / "lib" / "libuir.so"
    message = (
        f"{library} declares other layouts of package `uir` than its Python classes (digest "
        f"{digest}, expected 0123456789abcdef): run `tschema gen` and build again"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        load_library("uir", digest="0123456789abcdef", anchor=str(ANCHOR))
    load_library("uir", digest=digest, anchor=str(ANCHOR))


def test_a_missing_library(tmp_path: Path) -> None:
    anchor = tmp_path / "python" / "nosuch_nodes" / "_lib.py"
    message = (
        f"no built libnosuch.so near {anchor}: run `make`, or build the package's CMake project"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        load_library("nosuch", digest="", anchor=str(anchor))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a checkout of a package, with a library that cannot be loaded and a build that fits."""
    source = tmp_path / "cpp" / "a.cc"
    source.parent.mkdir()
    source.write_text("int a;\n")
    libraries = tmp_path / "build" / "lib"
    libraries.mkdir(parents=True)
    (libraries / "libfake.so").write_text("This is not a library.\n")
    sources = {"root": "../..", "paths": ["cpp"], "digest": sources_digest(tmp_path, ["cpp"])}
    content = {"version": 1, "tvm_ffi": tvm_ffi.__version__, "sources": sources}
    (libraries / BUILD_INFO_NAME).write_text(json.dumps(content))
    return tmp_path


def load_fake(checkout: Path) -> None:
    load_library("fake", digest="", anchor=str(checkout / "python" / "fake_nodes" / "_lib.py"))


def test_a_stale_build_is_not_loaded(checkout: Path) -> None:
    with pytest.raises(ImportError, match=r"libfake.so: (file too short|invalid ELF header)"):
        load_fake(checkout)
    source = checkout / "cpp" / "a.cc"
    os.utime(source, ns=(0, source.stat().st_mtime_ns + 1))
    libraries = checkout / "build" / "lib"
    message = (
        f"the libraries in {libraries} are older than the C++ sources in {checkout}: "
        f"run `ninja -C {libraries.parent}`"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        load_fake(checkout)


def test_the_library_beside_the_package_comes_first(checkout: Path) -> None:
    wheel = checkout / "python" / "fake_nodes" / "lib"
    shutil.copytree(checkout / "build" / "lib", wheel)
    content = {"version": 1, "tvm_ffi": "0.1.99", "sources": None}
    (wheel / BUILD_INFO_NAME).write_text(json.dumps(content))
    with pytest.raises(ImportError, match=f"^the libraries in {re.escape(str(wheel))} were built"):
        load_fake(checkout)


def test_a_library_of_another_build_system(checkout: Path) -> None:
    (checkout / "build" / "lib" / BUILD_INFO_NAME).unlink()
    with pytest.raises(ImportError, match="libfake.so"):
        load_fake(checkout)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"version": 1, "sources": {}}', "\xff"])
def test_a_damaged_record_of_the_build(checkout: Path, content: str) -> None:
    record = checkout / "build" / "lib" / BUILD_INFO_NAME
    record.write_bytes(content.encode("latin-1"))
    message = rf"^{re.escape(str(record))} is not a record of a build \(.*\): build again"
    with pytest.raises(ImportError, match=message):
        load_fake(checkout)


def cut_off_message(library: Path) -> str:
    size = library.stat().st_size
    return rf"^{re.escape(str(library))} is cut off after {size} bytes, .*: build it again"


@pytest.mark.parametrize("size", [60, 1000, 100_000])
def test_a_library_that_is_cut_off(checkout: Path, size: int) -> None:
    """The system would map it, and end the process by SIGBUS."""
    library = checkout / "build" / "lib" / "libfake.so"
    library.write_bytes((ROOT / "build" / "lib" / "libtschema.so").read_bytes()[:size])
    with pytest.raises(ImportError, match=cut_off_message(library)):
        load_fake(checkout)
    program = [sys.executable, "-m", "tschema.runtime.probe", str(library)]
    probe = subprocess.run(program, input="[]", capture_output=True, text=True, check=False)
    assert (probe.returncode, "is cut off" in probe.stderr) == (1, True)


def test_an_object_runtime_that_is_cut_off(checkout: Path) -> None:
    libraries = checkout / "build" / "lib"
    for name in ("libfake.so", "libtschema.so"):
        shutil.copy(ROOT / "build" / "lib" / "libtschema.so", libraries / name)
    os.truncate(libraries / "libtschema.so", 100_000)
    code = f"""
from tschema.runtime import load_library
try:
    load_library("fake", digest="", anchor={str(checkout / "python" / "fake_nodes" / "_lib.py")!r})
except ImportError as error:
    print(error)
"""
    message = cut_off_message(libraries / "libtschema.so")
    assert re.match(message, run_python(code))


def test_a_body_that_is_missing(checkout: Path) -> None:
    library = checkout / "build" / "lib" / "libfake.so"
    source = "int missing_body(); int value = missing_body();"
    compiler = ["c++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)]
    subprocess.run(compiler, input=source, text=True, check=True)
    message = r"undefined symbol: _Z12missing_bodyv; a method or function may have no body: run "
    with pytest.raises(ImportError, match=rf"{message}`tschema verify`, which names it$"):
        load_fake(checkout)


def test_generated_modules_work_by_themselves() -> None:
    code = "from uir_nodes.tir.arith import Add; print(Add.__module__, Add.__name__)"
    assert run_new_python(code) == "uir.tir Add\n"
