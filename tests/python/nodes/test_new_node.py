"""A new node and a new operator work in every language after one `tschema gen` and a build.

The repository is copied, one declaration is appended to `schema/tir/expr.py` and one to
`schema/relay/activation.py`, and no other file is touched by hand.  The copy is built below
`build/tests`, where the next run finds it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from ..support.process import run_python
from ..support.project import BUILD, ROOT, Project, copy_project, write_if_changed

pytestmark = [pytest.mark.long, pytest.mark.deep]

HERE = Path(__file__).parent
ADDED = {"tir/expr.py": "declaration.txt", "relay/activation.py": "operator.txt"}
LEFT_OUT = shutil.ignore_patterns("dist", "tests", ".*", "__pycache__")


def left_out(folder: str, names: list[str]) -> set[str]:
    """Return what a copy goes without; sources too may stand in a `build` or a `target`."""
    is_top = Path(folder) == ROOT
    return {*LEFT_OUT(folder, names), *(["build", "target"] if is_top else [])}


def copy_repository(target: Path) -> Path:
    """Copy the sources of the repository; not what was built from them."""
    shutil.copytree(ROOT, target, ignore=left_out)
    shutil.copy2(ROOT / ".clang-format", target)
    return target


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Build a copy of the repository with one node and one operator more."""
    fresh = copy_repository(tmp_path_factory.mktemp("repository") / "uir")
    for schema, declaration in ADDED.items():
        with (fresh / "schema" / schema).open("a") as file:
            file.write("\n\n" + (HERE / "new_node" / declaration).read_text())
    Project(fresh).run(sys.executable, "-m", "tschema", "gen")
    kept = BUILD / "new_node"
    mirror(fresh, kept)
    return build(Project(kept, {"PYTHONPATH": str(kept)}))


def mirror(source: Path, target: Path) -> None:
    """Make a folder hold the same files as another; those that do stay untouched."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for path in wanted:
        write_if_changed(target / path, (source / path).read_bytes())
    for folder, folders, files in os.walk(target):
        folders[:] = [name for name in folders if Path(folder, name) != target / "build"]
        for path in (Path(folder, name) for name in files):
            if path.relative_to(target) not in wanted and "__pycache__" not in path.parts:
                path.unlink()


def build(repository: Project) -> Project:
    """Build the libraries, without optimization."""
    folder = repository.root / "build"
    folder.mkdir(exist_ok=True)
    crates = folder / "tvm-ffi-rust"
    if not crates.exists():
        crates.symlink_to(ROOT / "build" / "tvm-ffi-rust")
    repository.configure(
        "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
        "-DTSCHEMA_BUILD_TESTS=OFF",
        f"-DPython_EXECUTABLE={sys.executable}",
    )
    repository.run("cmake", "--build", "build", "--parallel", "2")
    return repository


@pytest.fixture(scope="module")
def libraries(repository: Project) -> tuple[Path, Path]:
    """Build the libraries in C++ and Rust that use the node and the operator."""
    user = copy_project(HERE / "new_node", "new_node_user")
    found = repository.root / "build" / "share" / "cmake"
    options = [f"-D{name}_DIR={found / name}" for name in ("tschema", "uir")]
    user.configure(*options, f"-DPython_EXECUTABLE={sys.executable}")
    user.run("cmake", "--build", "build")
    return user.root / "build" / "libnew_node_user.so", user.build_rust()


def test_a_new_node_and_a_new_operator_work_in_every_language(
    repository: Project, libraries: tuple[Path, Path]
) -> None:
    root = repository.root
    code = (HERE / "use_new_node.py").read_text()
    printed = run_python(
        code, *libraries, path=(root, root / "python", root / "generated" / "python")
    )
    message = "uir.tir.Repeat: argument `times` must be between 0 and 255, not"
    refused = "relay.softsign: operand `x` has data type `int8`, expected floating-point"
    assert printed.splitlines() == [f"{message} -1", f"{message} 256", refused]
