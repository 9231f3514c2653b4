"""A checkout is importable by static means alone, and its pins agree."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import sysconfig
from importlib.metadata import requires, version
from pathlib import Path

import pytest

import tschema
from tschema.ffi_groups import FFI_GROUPS, ffi_requirement

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("distribution", "folders"), [("tschema", [""]), ("uir", ["python", "generated/python"])]
)
def test_pth_has_static_lines(distribution: str, folders: list[str]) -> None:
    pth = Path(sysconfig.get_path("purelib"), f"{distribution}.pth")
    assert pth.read_text().splitlines() == [str(ROOT / folder) for folder in folders]


@pytest.mark.parametrize(
    ("package", "folder"),
    [("tschema", "tschema"), ("uir", "python/uir"), ("uir_nodes", "generated/python/uir_nodes")],
)
def test_package_is_the_checkouts(package: str, folder: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin == str(ROOT / folder / "__init__.py")
    assert (ROOT / folder / "py.typed").is_file()


def test_no_import_hook_of_ours() -> None:
    program = "import sys; print([type(finder).__module__ for finder in sys.meta_path])"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert b"tschema" not in output and b"skbuild" not in output


def test_console_script_is_installed() -> None:
    script = Path(sysconfig.get_path("scripts"), "tschema")
    output = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert tschema.__version__ in output.stdout


@pytest.mark.parametrize("command", [["uir"], ["python", "-m", "uir"]])
def test_the_command_of_the_compiler_is_installed(command: list[str]) -> None:
    program = Path(sysconfig.get_path("scripts"), command[0])
    output = subprocess.run(
        [program, *command[1:], "--help"], capture_output=True, text=True, check=True
    )
    assert output.stdout.startswith("usage: uir [-h] [--version] COMMAND ...")


def test_version_is_one() -> None:
    assert version("tschema") == version("uir") == tschema.__version__
    needed = [one for one in requires("uir") or [] if "extra ==" not in one]
    assert [re.split(r"\b(?=[=<>])", one)[0] for one in needed] == ["tschema", "apache-tvm-ffi"]
    assert needed[0] == f"tschema=={tschema.__version__}"
    cargo = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert cargo is not None and cargo[1] == tschema.__version__


def test_all_projects_take_the_same_releases_of_tvm_ffi() -> None:
    """CMake accepts what pip does, and the last release taken is one that has a group."""
    projects = [ROOT / "pyproject.toml", ROOT / "python/pyproject.toml"]
    text = "".join(project.read_text() for project in projects)
    ranges = re.findall(r'"apache-tvm-ffi>=([^,]+),<([^"]+)"', text)
    cmake = (ROOT / "cmake/TschemaTvmFfi.cmake").read_text()
    ends = re.findall(r"set\(tschema_tvm_ffi_(?:FIRST|END) (.*)\)", cmake)
    releases = [release for group in FFI_GROUPS.values() for release in group]
    assert ranges == [tuple(ends)] * 4
    assert ffi_requirement(*FFI_GROUPS) == "apache-tvm-ffi>={},<{}".format(*ends)
    assert ends == [releases[0], _next(releases[-1])]


def test_the_crates_are_those_of_the_installed_release() -> None:
    crates = (ROOT / "build/tvm-ffi-rust/.version").read_text()
    assert crates == version("apache-tvm-ffi")


def _next(release: str) -> str:
    *first, last = release.split(".")
    return ".".join([*first, str(int(last) + 1)])
