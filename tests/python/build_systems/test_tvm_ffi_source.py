"""The recipe that builds all on a tvm-ffi from its source distribution."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ..support.project import ROOT
from .conftest import RECIPES, copy_recipe

PROGRAM = """
import sys
from pathlib import Path
sys.path[:0] = ["generated/python"]
import tvm_ffi
from toy_nodes.color import Color
from tschema.runtime import load_json, save_json, structural_equal
color = Color(200)
assert structural_equal(load_json(save_json(color)), color)
print(load_json(save_json(color)).red, tvm_ffi.__file__)
maps = Path("/proc/self/maps").read_text()
print(*sorted({line.split()[-1] for line in maps.splitlines() if "libtvm_ffi.so" in line}))
"""


@pytest.mark.long
@pytest.mark.deep
def test_a_project_runs_on_a_tvm_ffi_from_its_source(tmp_path: Path) -> None:
    project = copy_recipe("cmake", tmp_path / "project")
    script = RECIPES / "tvm-ffi-source/build.sh"
    project.run(script, ROOT, project.root, project.root)
    (wheel,) = (project.root / "wheels").glob("apache_tvm_ffi-*.whl")
    assert "-linux_" in wheel.name, "PyPI's wheels are called manylinux"
    python = project.root / "env/bin/python"
    value, place, library = project.run(python, "-c", PROGRAM).split()
    assert value == "200"
    for path in (place, library):
        assert Path(path).is_relative_to(project.root / "env"), path


def test_the_script_reads_the_pins_of_the_project(tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text()
    lines = (RECIPES / "tvm-ffi-source/build.sh").read_text().splitlines()
    pins = [line for line in lines if line.startswith(("tschema=", "pin=", "backend="))]
    program = "\n".join([*pins, 'echo "$pin"', 'echo "$backend"'])
    command = ["bash", "-c", program, "build.sh", ROOT, tmp_path]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert [f'"{pin}"' in text for pin in printed.split()] == [True, True]
