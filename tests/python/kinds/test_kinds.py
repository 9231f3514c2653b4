"""Classes of every kind, in C++, Python and Rust, with C++ in files of tschema's and in place."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tschema.project.cxx_toolchain import cxx_args

from ..support.project import Project

pytestmark = pytest.mark.long

HERE = Path(__file__).parent


@pytest.mark.parametrize("mode", ["files", "in_place"])
def test_every_kind_of_class_is_used_from_python_and_cpp(
    kinds: Callable[[str], Project], mode: str
) -> None:
    project = kinds(mode)
    importing = replace(project, environment={"PYTHONPATH": str(project.python)})
    importing.run(sys.executable, HERE / "use_kinds.py")
    library = project.root / "build" / "libkinds.so"
    project.run(sys.executable, "-m", "tschema", "verify", "--library", library)


def test_every_kind_of_class_is_used_from_rust(in_files: Project) -> None:
    importing = replace(in_files, environment={"PYTHONPATH": str(in_files.python)})
    importing.run(sys.executable, HERE / "use_kinds.py", in_files.build_rust())


def test_fields_of_unknown_layouts_are_read_in_every_language(in_files: Project) -> None:
    importing = replace(in_files, environment={"PYTHONPATH": str(in_files.python)})
    command = (sys.executable, "-W", "error", HERE / "use_sensors.py", in_files.build_rust())
    importing.run(*command)


def test_a_type_that_the_other_library_has_not_registered_is_named(in_files: Project) -> None:
    environment = {"PYTHONPATH": str(in_files.python), "VENDOR_IS_SILENT": "1"}
    silent = replace(in_files, environment=environment)
    with pytest.raises(AssertionError) as raised:
        silent.run(sys.executable, "-c", "import kinds_nodes.ir")
    expected = "type `vendor.Expr` of another library is not registered: load that library first"
    assert expected in str(raised.value)


def test_virtual_functions_that_the_schema_does_not_know_stop_the_compiler(
    in_files: Project, tmp_path: Path
) -> None:
    header = in_files.root / "generated" / "cpp" / "include" / "kinds" / "ir" / "classes.h"
    text = header.read_text()
    head, marker, rest = text.partition("class BareNode : public ffi::Object {\n public:\n")
    changed = tmp_path / "kinds" / "ir" / "classes.h"
    changed.parent.mkdir(parents=True)
    changed.write_text(f"{head}{marker}  virtual void Act() {{}}\n{rest}")
    source = in_files.root / "generated" / "cpp" / "src" / "ir" / "classes.cc"
    folders = [tmp_path, in_files.root / "include", in_files.root]
    command = ["c++", "-fsyntax-only", *cxx_args(), *(f"-I{one}" for one in folders), str(source)]
    process = subprocess.run(command, text=True, capture_output=True)
    assert process.returncode != 0
    assert "write `polymorphic = True` in its declaration" in process.stderr


def test_the_reference_describes_each_kind(in_files: Project) -> None:
    page = (in_files.root / "generated" / "docs" / "kinds.ir.md").read_text()
    assert "[`vendor.Expr`](#vendor.Expr)" in page
    for fact in (
        "A class of another library: `vendor/vendor.h`, 72 bytes.",
        "C++ alone knows it: it is not registered.",
        "C++ makes it without arguments; its members have initializers.",
        "It has virtual functions in C++.",
        "References to it may be null.",
        "Its reference class in C++ is written by hand.",
        "It has no reference class in C++.",
        "`kDefaultLimit` in C++",
    ):
        assert fact in page
