"""`cmake/TschemaJoin.cmake`: which sources a first build compiles as one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROJECT = f"""
cmake_minimum_required(VERSION 3.26)
project(joined LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")
include(TschemaJoin)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cc)
add_library(joined SHARED ${{sources}})
tschema_join(joined)
"""
SIZES = {"": 1, "big": 100, "big/small": 3, "medium": 9, "lonely/small": 2}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    for folder, size in SIZES.items():
        (tmp_path / "src" / folder).mkdir(parents=True, exist_ok=True)
        for index in range(size):
            (tmp_path / "src" / folder / f"file_{index:02}.cc").write_text("")
    return tmp_path


def cmake(*arguments: str | Path) -> None:
    command = [Path(sys.executable).parent / "cmake", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def configure(project: Path, *options: str) -> None:
    ninja = f"-DCMAKE_MAKE_PROGRAM={Path(sys.executable).parent / 'ninja'}"
    cmake("-S", project, "-B", project / "build", "-G", "Ninja", ninja, *options)


def groups(project: Path) -> dict[str, list[str]]:
    """Return the sources that each joined file includes."""
    units = (project / "build/CMakeFiles/joined.dir/Unity").glob("*.cxx")
    pattern = re.compile(r'#include "[^"]*/src/([^"]*\.cc)"')
    return {unit.name: pattern.findall(unit.read_text()) for unit in units}


def test_every_source_is_in_one_group(project: Path) -> None:
    configure(project)
    found = groups(project)
    sources = [str(path.relative_to(project / "src")) for path in project.rglob("*.cc")]
    assert sorted(source for unit in found.values() for source in unit) == sorted(sources)
    assert sorted(map(len, found.values())) == [1, 2, 9, 33, 35, 35]
    folders = [{Path(source).parts[0] for source in unit} for unit in found.values()]
    assert all(len(names) == 1 for names in folders)


def test_a_new_file_is_joined_and_changes_its_folder_alone(project: Path) -> None:
    configure(project)
    before = groups(project)
    (project / "src/medium/file_new.cc").write_text("")
    cmake("--build", project / "build")
    after = groups(project)
    changed = [name for name in after if after[name] != before.get(name)]
    assert [len(after[name]) for name in changed] == [10]


def test_files_are_compiled_alone_where_that_is_asked_for(project: Path) -> None:
    configure(project, "-DTSCHEMA_JOIN=OFF")
    assert groups(project) == {}


def test_folders_are_joined_with_others_where_that_is_asked_for(project: Path) -> None:
    configure(project, "-DTSCHEMA_JOIN_ACROSS=ON", "-DTSCHEMA_JOIN_MOST=50")
    assert sorted(map(len, groups(project).values())) == [37, 39, 39]
