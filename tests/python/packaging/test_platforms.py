"""Names and arguments of libraries on each system, in Python and in CMake, by name.

Nothing is linked here: only Linux is tried, by all the other tests.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tschema import platforms

from ..support.project import ROOT

SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}


@pytest.mark.parametrize(
    ("system", "name", "variable"),
    [
        ("linux", "libtoy.so", "LD_LIBRARY_PATH"),
        ("darwin", "libtoy.dylib", "DYLD_LIBRARY_PATH"),
        ("win32", "toy.dll", "PATH"),
    ],
)
def test_names(system: str, name: str, variable: str) -> None:
    assert platforms.library_name("toy", system) == name
    assert name.endswith("." + platforms.library_suffix(system))
    assert platforms.loader_variable(system) == variable


@pytest.mark.parametrize(
    ("system", "closed", "own_folder", "used"),
    [
        (
            "linux",
            ["-Wl,-soname,libtoy.so,--no-undefined"],
            ["-Wl,-rpath,$ORIGIN"],
            ["-Wl,--as-needed", "-luir", "-Wl,--no-as-needed"],
        ),
        (
            "darwin",
            ["-Wl,-install_name,@rpath/libtoy.dylib"],
            ["-Wl,-rpath,@loader_path"],
            ["-luir"],
        ),
        ("win32", [], [], ["-luir"]),
    ],
)
def test_arguments(system: str, closed: list[str], own_folder: list[str], used: list[str]) -> None:
    name = platforms.library_name("toy", system)
    assert platforms.closed_link_args(name, system) == closed
    assert platforms.own_folder_args(system) == own_folder
    assert platforms.link_used_args(["uir"], system) == used


def ask_cmake(system: str, function: str, *arguments: str, folder: Path) -> list[str]:
    """Call a function of the CMake module for a system; return the list that it sets."""
    script = folder / "ask.cmake"
    script.write_text(
        f"set(CMAKE_SYSTEM_NAME {SYSTEMS[system]})\n"
        f'include("{ROOT}/cmake/TschemaPlatform.cmake")\n'
        f'{function}(result {" ".join(arguments)})\nmessage("${{result}}")\n'
    )
    cmake = Path(sys.executable).parent / "cmake"
    done = subprocess.run([cmake, "-P", script], check=True, capture_output=True, text=True)
    return [one for one in done.stderr.strip().split(";") if one]


@pytest.mark.parametrize(
    ("system", "closed", "direct", "paths"),
    [
        ("linux", ["-Wl,--no-undefined"], ["-Wl,-Bsymbolic-functions"], ["$ORIGIN/../a"]),
        ("darwin", [], [], ["@loader_path/../a"]),
        ("win32", [], [], []),
    ],
)
def test_cmake(
    system: str, closed: list[str], direct: list[str], paths: list[str], tmp_path: Path
) -> None:
    assert ask_cmake(system, "tschema_closed_link_options", folder=tmp_path) == closed
    assert ask_cmake(system, "tschema_direct_call_options", folder=tmp_path) == direct
    assert ask_cmake(system, "tschema_loader_paths", "../a", folder=tmp_path) == paths
