"""One wheel with libraries for every group of releases of tvm-ffi, installed beside each."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.ffi_releases import FOLDER, NEWEST
from tests.ffi_range.libraries import SETTINGS
from tschema.ffi_groups import FFI_GROUPS

from ..support.project import ROOT
from .test_wheel import USER_PROJECT, make_environment, run

pytestmark = [pytest.mark.long, pytest.mark.deep]

PROGRAM = """
import sys
from pathlib import Path
import tvm_ffi
from tschema.runtime import load_json, save_json, structural_equal
from uir.ir import IntImm
from uir.tir import Add, Var
one = Add(Var("x", "int32"), IntImm("int32", 1))
assert structural_equal(load_json(save_json(one)), one, map_free_vars=True)
maps = Path("/proc/self/maps").read_text().split()
print(tvm_ffi.__version__, *sorted({one for one in maps if "libuir" in one or "libtschema" in one}))
"""


@pytest.fixture(scope="module")
def wheels() -> list[Path]:
    """Build the wheels, not optimized; what the trials of the range have compiled serves them."""
    folder = FOLDER / "wheels"
    for wheel in folder.glob("*.whl"):
        wheel.unlink()
    script = [sys.executable, ROOT / "scripts/wheels_of_groups.py", folder, ROOT / "build/groups"]
    run(*script, *SETTINGS)
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="module", params=FFI_GROUPS)
def group(request: pytest.FixtureRequest) -> str:
    """Name a group."""
    return str(request.param)


@pytest.fixture(scope="module")
def python(group: str, wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheels into a new environment, with the newest tvm-ffi of a group."""
    executable = make_environment(tmp_path_factory.mktemp(group), *wheels)
    site = run(executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    shutil.copytree(FOLDER / "site" / NEWEST[group], site, dirs_exist_ok=True)
    return executable


def test_it_requires_the_whole_range(wheels: list[Path]) -> None:
    assert [wheel.name.partition("-")[0] for wheel in wheels] == ["tschema", "uir"]
    for wheel in wheels:
        metadata = next(one for one in zipfile.ZipFile(wheel).namelist() if "METADATA" in one)
        text = zipfile.ZipFile(wheel).read(metadata).decode()
        assert "\nRequires-Dist: apache-tvm-ffi>=0.1.12,<0.1.16\n" in text


def test_it_is_repaired_as_it_is(wheels: list[Path], tmp_path: Path) -> None:
    exclude = [f"--exclude={name}" for name in ("libtvm_ffi.so", "libtschema.so")]
    run("auditwheel", "repair", *exclude, "--wheel-dir", tmp_path, *wheels)
    libraries = [
        name
        for wheel in tmp_path.glob("*manylinux*.whl")
        for name in zipfile.ZipFile(wheel).namelist()
        if ".so" in name
    ]
    assert sorted(libraries) == sorted(
        f"{name}/lib/{group}/lib{name}.so" for name in ("tschema", "uir") for group in FFI_GROUPS
    )


def test_the_libraries_of_the_installed_release_are_loaded(
    group: str, python: Path, tmp_path: Path
) -> None:
    version, *libraries = run(python, "-c", PROGRAM, cwd=tmp_path).split()
    assert version == NEWEST[group]
    assert [one.split("site-packages/")[1] for one in libraries] == [
        f"{name}/lib/{group}/lib{name}.so" for name in ("tschema", "uir")
    ]


def test_projects_link_with_the_libraries_of_the_installed_release(
    group: str, python: Path, tmp_path: Path
) -> None:
    """By the CMake packages and by `tschema link-args`."""
    project = shutil.copytree(USER_PROJECT, tmp_path / "toy")
    arguments = run(python.parent / "tschema", "cmake-args").split()
    run("cmake", "-S", project, "-B", project / "build", "-G", "Ninja", *arguments)
    run("cmake", "--build", project / "build")
    assert run(project / "build/main") == "uir.ir.IntImm 41\ntoy.Double 1\n"
    links = run(python.parent / "tschema", "link-args").split()
    folders = [one.split("site-packages/")[1] for one in links if one.startswith("-L")]
    assert folders == [f"tschema/lib/{group}", f"uir/lib/{group}", "tvm_ffi/lib"]


def test_a_release_without_libraries_is_refused(group: str, python: Path, tmp_path: Path) -> None:
    """Of a wheel whose folder for the group is missing, every way of use names the others."""
    program = "import tschema; print(tschema.__path__[0])"
    site = Path(run(python, "-c", program, cwd=tmp_path).strip()).parent
    for name in ("tschema", "uir"):
        (site / name / "lib" / group).rename(site / name / group)
    others = ", ".join(one.removeprefix("ffi-") for one in FFI_GROUPS if one != group)
    message = (
        f"lib has no {{}} for apache-tvm-ffi {NEWEST[group]}; "
        f"it has libraries for the releases from {others}"
    )
    said = fails(tmp_path, python, "-c", "import uir.ir")
    assert message.format("libuir.so") in said
    said = fails(tmp_path, python.parent / "tschema", "link-args")
    assert message.format("libraries") in said
    shutil.copytree(USER_PROJECT, tmp_path / "toy")
    paths = f"-DCMAKE_PREFIX_PATH={site / 'tschema'};{site / 'uir'}"
    where = ("-S", tmp_path / "toy", "-B", tmp_path / "build", "-G", "Ninja", paths)
    said = " ".join(fails(tmp_path, "cmake", *where, f"-DPython_EXECUTABLE={python}").split())
    message = (
        f"has no libraries for apache-tvm-ffi {NEWEST[group]}; it has libraries for the groups"
    )
    assert message in said


def fails(folder: Path, *command: str | Path) -> str:
    """Run a command that must fail; return what it prints."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    return done.stdout + done.stderr
