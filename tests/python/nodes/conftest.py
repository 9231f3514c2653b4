"""The libraries in C++ and in Rust that make and read nodes, written and built once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import tvm_ffi

from tschema.ir.codec import decode
from tschema.ir.model import Schema, Type

from ..support.precompiled import cmake_options
from ..support.project import ROOT, Project, copy_project, write_if_changed
from . import cpp, python, rust
from .samples import SAMPLES

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Language:
    """One language's side."""

    make: Callable[[], Mapping[str, Any]]
    """Makes all samples anew, by their names."""
    read: Callable[[Any], Mapping[str, Any]]
    """Reads all fields of an object."""


@pytest.fixture(scope="session")
def schema() -> Schema:
    """Return uir's schema."""
    return decode((ROOT / "generated" / "schema.json").read_bytes())


@pytest.fixture(scope="session")
def concrete(schema: Schema) -> list[Type]:
    """Return the types that can be constructed, without the attributes of operators.

    Those are all alike; the tests of operators make them.
    """
    types = [type_ for space in schema.namespaces for type_ in space.types]
    attributes = {one.attrs for space in schema.namespaces for one in space.operators}
    return [type_ for type_ in types if not type_.options.abstract and type_.key not in attributes]


@pytest.fixture(scope="session")
def project(schema: Schema, concrete: list[Type]) -> Project:
    """Write the sources of both libraries."""
    project = copy_project(HERE / "project", "nodes")
    texts = {
        "make.cc": cpp.emit_maker(schema, SAMPLES),
        "read.cc": cpp.emit_reader(schema, concrete),
        "nodes.rs": rust.emit(schema, SAMPLES, concrete),
    }
    for name, text in texts.items():
        write_if_changed(project.root / "generated" / name, text.encode())
    return project


@pytest.fixture(scope="session")
def languages(schema: Schema, project: Project) -> Mapping[str, Language]:
    """Build and load what there is to compile; return each language's side."""
    for name in {space.name for space in schema.namespaces}:
        import_module(name)  # Their classes, and libuir before the libraries on top of it.

    project.build_cpp(*cmake_options())
    cpp_library = tvm_ffi.load_module(str(project.root / "build" / "libnodes.so"))
    rust_library = tvm_ffi.load_module(str(project.build_rust()))
    rust_library.init()
    return {
        "cpp": Language(cpp_library.make, cpp_library.read),
        "rust": Language(rust_library.make, rust_library.read),
        "python": Language(
            lambda: python.make(schema, SAMPLES), lambda node: python.read(schema, node)
        ),
    }
