"""The six commands that the guide shows adopt and check a clean library of two classes."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .support.precompiled import cmake_options

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "schema" / "adopting.md").read_text()


def run(root: Path, command: str) -> str:
    """Run a line of the shell, which must succeed, and return what it prints."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment |= {"PYTHONPATH": str(ROOT), "CMAKE_GENERATOR": "Ninja"}
    done = subprocess.run(
        command, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def shown_commands() -> list[str]:
    """Return the commands of the guide's section on a small library."""
    (section,) = re.findall(r"^## In six commands\n(.*?)^## ", GUIDE, re.MULTILINE | re.DOTALL)
    return re.findall(r"^\$ (.*)$", section, re.MULTILINE)


def build(root: Path, folder: str) -> None:
    """Build the library as it is."""
    for command in (f"cmake -S . -B {folder}", f"cmake --build {folder}"):
        run(root, with_options(command))


def with_options(command: str) -> str:
    """Add the options of the tests, which precompile headers, to a command that configures."""
    options = "".join(f" '{option}'" for option in cmake_options())
    return f"{command}{options}" if command.startswith("cmake -S") else command


def add_shown_lines(build_file: Path, shown: str) -> None:
    """Add the lines for CMake that `tschema init` printed."""
    lines = re.findall(r"^    ((?:find_package|target_link|tschema_gen).*)$", shown, re.MULTILINE)
    with build_file.open("a") as stream:
        stream.write("\n".join(["", *lines, ""]))


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_six_commands_adopt_and_check_two_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "songs"
    shutil.copytree(ROOT / "tests" / "adoption" / "songs", root)
    build(root, "build-before")
    header, source = root / "include" / "songs" / "playlist.h", root / "src" / "playlist.cc"
    written = header.read_text(), source.read_text()
    commands = shown_commands()
    assert [command.split()[:2] for command in commands] == [
        ["tschema", "init"],
        ["tschema", "import"],
        ["tschema", "gen"],
        ["cmake", "-S"],
        ["cmake", "--build"],
        ["tschema", "verify"],
    ]

    said, figures = [], []
    for command in commands:
        start, used = time.perf_counter(), processor_time()
        said.append(run(root, with_options(command)))
        figures.append((time.perf_counter() - start, processor_time() - used, command))
        if command == "tschema init":
            add_shown_lines(root / "CMakeLists.txt", said[-1])
    with capsys.disabled():
        for elapsed, used, command in figures:
            print(f"\n{elapsed:5.1f} s, {used:4.1f} s of processors: {command}", end="")
        print(f"\n{sum(figure[0] for figure in figures):5.1f} s, all of them")

    assert "2 classes: 2 declared, 0 described, 0 not; 2 layouts exact" in said[1]
    assert said[-1] == ""
    assert header.read_text().count("// tschema: end") == 4
    kept = "".join(
        line for line in header.read_text().splitlines(True) if "// tschema: " not in line
    )
    assert (kept, source.read_text()) == written
