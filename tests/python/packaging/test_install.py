"""What the build installs for each distribution: the files of its wheel that are not Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ..support.project import ROOT

EXPECTED = {
    "tschema": {
        "include/tschema/registry.h",
        "lib/libtschema.so",
        "lib/tschema-build.json",
        "rust/Cargo.toml",
        "rust/tschema/build.rs",
        "rust/tvm-ffi-rust/tvm-ffi/Cargo.toml",
        "share/cmake/tschema/TschemaGenerate.cmake",
        "share/cmake/tschema/TschemaPlatform.cmake",
        "share/cmake/tschema/TschemaStamp.cmake",
        "share/cmake/tschema/tschemaConfig.cmake",
        "share/cmake/tschema/tschema_link.py",
    },
    "uir": {
        "include/uir/ir/expr.h",
        "include/uir/ir/op.h",
        "lib/libuir.so",
        "lib/tschema-build.json",
        "schema/ir/expr.py",
        "schema/schema.json",
        "share/cmake/uir/uirConfig.cmake",
    },
}


def install(component: str, target: Path) -> dict[str, Path]:
    """Install a component of the build tree; return its files."""
    cmake = Path(sys.executable).parent / "cmake"
    command = [cmake, "--install", "build", "--prefix", target, "--component", component]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {str(file.relative_to(target)): file for file in target.rglob("*") if file.is_file()}


@pytest.mark.parametrize("component", EXPECTED)
def test_a_distribution_has_its_files_and_no_path_of_the_checkout(
    component: str, tmp_path: Path
) -> None:
    files = install(component, tmp_path)
    assert EXPECTED[component] - files.keys() == set()
    other = {"tschema": "uir", "uir": "tschema"}[component]
    assert [
        name for name in files if name.startswith((f"include/{other}/", f"lib/lib{other}"))
    ] == []
    assert [name for name, file in files.items() if str(ROOT).encode() in file.read_bytes()] == []
