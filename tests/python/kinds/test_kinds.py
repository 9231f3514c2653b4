"""Classes of every kind, in C++, Python and Rust, with C++ in files of tschema's and in place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.project import Project

pytestmark = pytest.mark.long

HERE = Path(__file__).parent


@pytest.mark.parametrize("mode", ["files", "in_place"])
def test_every_kind_of_class_is_used_from_python_and_cpp(
    kinds: Callable[[str], Project], mode: str
) -> None:
    project = kinds(mode)
    importing = replace(project, environment={"PYTHONPATH": str(project.python)})
    importing.run(sys.executable, HERE / "use_kinds.py", project.root / "build")


def test_every_kind_of_class_is_used_from_rust(in_files: Project) -> None:
    importing = replace(in_files, environment={"PYTHONPATH": str(in_files.python)})
    libraries = (in_files.root / "build", in_files.build_rust())
    importing.run(sys.executable, HERE / "use_kinds.py", *libraries)
