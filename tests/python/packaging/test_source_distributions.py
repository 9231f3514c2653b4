"""The source distributions hold what a build reads, and no more; wheels come out of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from ..support.project import ROOT

PROJECTS = {"tschema": ROOT, "uir": ROOT / "python"}
REPOSITORY = {"tschema": ".", "uir": "repository"}
BUILD = "import sys, build_backend as b; getattr(b, sys.argv[1])(sys.argv[2])"
LIBRARIES = {"tschema": "tschema/lib/libtschema.so", "uir": "uir/lib/libuir.so"}


def build(what: str, project: Path, target: Path) -> None:
    """Build as pip does, in the project's folder, with the backend that the project names."""
    backend = project if (project / "build_backend.py").is_file() else project / "python"
    environment = {**os.environ, "PYTHONPATH": str(backend), "CCACHE_BASEDIR": str(project)}
    command = [sys.executable, "-c", BUILD, what, target]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module", params=PROJECTS)
def unpacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a source distribution, and unpack it far from the checkout."""
    folder = tmp_path_factory.mktemp(request.param)
    build("build_sdist", PROJECTS[request.param], folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        sdist.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def distribution(unpacked: Path) -> str:
    return unpacked.name.partition("-")[0]


def test_it_has_neither_tests_nor_what_was_built(unpacked: Path) -> None:
    files = [path.relative_to(unpacked) for path in unpacked.rglob("*")]
    assert {file.parts[0] for file in files} & {"tests", "recipes", ".venv"} == set()
    # `tschema explain` reads one page.
    docs = {file.as_posix() for file in files if file.parts[0] == "docs" and file.suffix}
    assert docs <= {"docs/reference/diagnostics.md"}
    assert [file for file in files if "__pycache__" in file.parts or file.suffix == ".so"] == []
    assert not (unpacked / "uir/schema").exists()  # A link of the checkout.
    assert (unpacked / "PKG-INFO").read_text().count("\nVersion: 0.1.0\n") == 1
    assert unpacked.with_suffix(unpacked.suffix + ".tar.gz").stat().st_size < 4_000_000


def test_cmake_finds_all_that_it_reads(unpacked: Path, tmp_path: Path) -> None:
    source = unpacked / REPOSITORY[distribution(unpacked)]
    # Where sources are joined, only their groups are in compile_commands.json.
    options = ["-G", "Ninja", "-DTSCHEMA_JOIN=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    cmake = Path(sys.executable).parent / "cmake"
    command = [cmake, "-S", source, "-B", tmp_path, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    commands = (tmp_path / "compile_commands.json").read_text()
    assert "src/tschema/" in commands and "src/uir/ir/" in commands


@pytest.mark.long
@pytest.mark.deep
def test_a_wheel_comes_out_of_it(unpacked: Path, tmp_path: Path) -> None:
    build("build_wheel", unpacked, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert wheel.name.startswith(f"{distribution(unpacked)}-0.1.0-py3-none-")
    assert LIBRARIES[distribution(unpacked)] in names
    crates = {"tschema/rust/Cargo.toml", "tschema/rust/tvm-ffi-rust/tvm-ffi/Cargo.toml"}
    assert crates <= names if distribution(unpacked) == "tschema" else not crates & names
