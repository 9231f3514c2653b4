"""What the tests share: packages that are built once, and quickly found built the next time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .support.checked_builds import check_builds
from .support.precompiled import cmake_options
from .support.project import ROOT, Project, copy_project, one_at_a_time

BuildPackage = Callable[[str], Project]

# The tools of the environment, `tvm-ffi-config` for cargo among them, however pytest was started.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
# Objects that the tests compile are kept apart from the user's, from run to run.
os.environ["UIR_CACHE_DIR"] = str(ROOT / "build" / "tests" / "uir-cache")
os.environ.pop("UIR_CC", None)
# `scripts/sanitized_c.sh` names a compiler with the checks of a sanitizer.
if sanitizing_compiler := os.environ.get("TSCHEMA_SANITIZING_CC"):
    os.environ["UIR_CC"] = sanitizing_compiler
check_builds()
# All crates are compiled as the workspace is, so that they share what it compiled.
os.environ["CARGO_PROFILE_DEV_DEBUG"] = "line-tables-only"
# They are compiled once: what would make the next compilation shorter makes this one longer.
os.environ["CARGO_INCREMENTAL"] = "0"


@pytest.fixture(scope="session")
def build_package() -> BuildPackage:
    """Return a function that generates and builds a package of `tests/packages`, C++ only."""
    built: dict[str, Project] = {}

    def build(name: str) -> Project:
        if name not in built:
            with one_at_a_time(name):
                project = copy_project(ROOT / "tests" / "packages" / name, name)
                project.generate()
                project.build_cpp(*cmake_options())
            sys.path.insert(0, str(project.python))
            built[name] = project
        return built[name]

    return build


@pytest.fixture(scope="session")
def zoo(build_package: BuildPackage) -> Project:
    """Build the package whose types have a field of every type, and load its library."""
    project = build_package("zoo")
    __import__("zoo_nodes")
    return project


@pytest.fixture(scope="session")
def zoo_rust(zoo: Project) -> Path:
    """Build the Rust library of the package `zoo`."""
    with one_at_a_time("zoo"):
        return zoo.build_rust()
