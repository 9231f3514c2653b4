"""Build wheels that have libraries for every group of releases of tvm-ffi.

    python scripts/wheels_of_groups.py FOLDER BUILDS [NAME=VALUE...]

In: variables of CMake. Out: in FOLDER, a wheel of tschema and one of uir with `lib/<group>` for
each group; they require the whole range of releases. CMake builds a group in BUILDS/<group>.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from wheel_files import join_wheels, read_wheel, require, write_wheel

from scripts.ffi_releases import NEWEST, ROOT, install, run
from tschema.ffi_groups import FFI_GROUPS, ffi_requirement

PROJECTS = (ROOT, ROOT / "python")


def main(folder: Path, builds: Path, settings: Sequence[str]) -> None:
    """Build the wheels of each group, and join those of a distribution."""
    folder.mkdir(parents=True, exist_ok=True)
    by_name: dict[str, list[dict[str, bytes]]] = {}
    for group in FFI_GROUPS:
        for wheel in _build(group, builds / group, settings):
            members = require(read_wheel(wheel), ffi_requirement(*FFI_GROUPS))
            by_name.setdefault(wheel.name, []).append(members)
    for name, wheels in by_name.items():
        write_wheel(folder / name, join_wheels(wheels))


def _build(group: str, build: Path, settings: Sequence[str]) -> list[Path]:
    """Build the wheels of one group, whose libraries are in `lib/<group>`; return their paths."""
    install(NEWEST[group])
    folder = build / "wheel"
    for wheel in folder.glob("*.whl"):
        wheel.unlink()
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    options = ["--no-deps", "--no-build-isolation", f"--config-settings=build-dir={build}"]
    for setting in (f"CMAKE_INSTALL_LIBDIR=lib/{group}", *settings):
        options.append(f"--config-settings=cmake.define.{setting}")
    for project in PROJECTS:
        run(NEWEST[group], *pip, *options, "--wheel-dir", folder, project)
    return sorted(folder.glob("*.whl"))


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute(), sys.argv[3:])
