"""A batch of random packages, generated and built once in all three languages.

The batch is the same in every run, so that what was built serves the next one;
`TSCHEMA_FUZZ=<packages>` makes a bigger batch, another one for each `TSCHEMA_FUZZ_SEED`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.python.support.project import BUILD, ROOT, Project, one_at_a_time, write_if_changed
from tschema.ir import codec
from tschema.ir.model import Schema

from .bodies import cpp_bodies, rust_rebuilders
from .declarations import Package, packages

DEFAULT_COUNT = 1
COUNT = int(os.environ.get("TSCHEMA_FUZZ", DEFAULT_COUNT))
SEED = int(os.environ.get("TSCHEMA_FUZZ_SEED", "1"))
KIND = "random" if COUNT == DEFAULT_COUNT else "fuzz"

CONFIG = """\
package = "{name}"
schema = ["schema"]
ir = "generated/schema.json"
[cpp]
include = "generated/cpp/include"
source = "generated/cpp/src"
[python]
dir = "generated/python"
[rust]
dir = "generated/rust"
"""

CMAKE = """\
cmake_minimum_required(VERSION 3.26)
project(random LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(tschema REQUIRED)
foreach(name IN ITEMS {names})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${{name}}/generated/cpp/src/*.cc ${{name}}/src/*.cc)
  add_library(${{name}} SHARED ${{sources}})
  set_target_properties(
    ${{name}} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${{CMAKE_SOURCE_DIR}}/${{name}}/build)
  target_include_directories(${{name}} PRIVATE ${{name}}/generated/cpp/include)
  target_compile_options(${{name}} PRIVATE -Wall -Wextra -Werror -g0 -O0)
  target_link_libraries(${{name}} PRIVATE tschema::tschema)
endforeach()
"""

CARGO = """\
[workspace]
[package]
name = "{kind}"
version = "0.1.0"
edition = "2021"
[lib]
name = "{kind}_rust"
path = "lib.rs"
crate-type = ["cdylib"]
[dependencies]
tschema = {{ path = "{root}/rust/tschema" }}
tvm-ffi = {{ path = "{root}/build/tvm-ffi-rust/tvm-ffi" }}
[lints.rust]
warnings = "deny"
[profile.dev]
debug = "line-tables-only"
"""


@dataclass(frozen=True)
class Batch:
    """Packages in folders of one project."""

    project: Project
    schemas: Sequence[Schema]


def draw_packages() -> list[Package]:
    """Draw packages; the first few, which hypothesis keeps simple, are left out."""
    drawn: list[Package] = []

    def collect(package: Package) -> None:
        drawn.append(package)

    skipped = 10
    names = [f"random{at}" for at in range(COUNT)]
    for at, name in enumerate(names):
        collected = settings(
            max_examples=skipped + 1,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(given(packages(name))(collect))
        seed(SEED * 1000 + at)(collected)()
        del drawn[at:-1]
    return drawn


@pytest.fixture(scope="session")
def generated() -> Batch:
    """Generate the code of a batch, with the bodies that it needs."""
    with one_at_a_time(KIND):
        return _generate(Project(BUILD / KIND))


def _generate(project: Project) -> Batch:
    drawn = draw_packages()
    for package in drawn:
        _write_package(package, project.root / package.name)
        Project(project.root / package.name).generate()
    schemas = [
        codec.load(project.root / package.name / "generated" / "schema.json") for package in drawn
    ]
    for schema in schemas:
        bodies = project.root / schema.package / "src" / "bodies.cc"
        write_if_changed(bodies, cpp_bodies(schema).encode())
    names = " ".join(package.name for package in drawn)
    write_if_changed(project.root / "CMakeLists.txt", CMAKE.format(names=names).encode())
    write_if_changed(project.root / "Cargo.toml", CARGO.format(kind=KIND, root=ROOT).encode())
    build_script = ROOT / "tests" / "packages" / "zoo" / "build.rs"
    write_if_changed(project.root / "build.rs", build_script.read_bytes())
    write_if_changed(project.root / "lib.rs", rust_rebuilders(schemas).encode())
    return Batch(project, schemas)


def _write_package(package: Package, folder: Path) -> None:
    shutil.rmtree(folder / "schema", ignore_errors=True)
    for path, text in package.files.items():
        write_if_changed(folder / "schema" / path, text.encode())
    write_if_changed(folder / "tschema.toml", CONFIG.format(name=package.name).encode())
