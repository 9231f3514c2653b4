"""The build script of the crate `tschema` finds the library that Rust can link with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.project import ROOT

SCRIPT = ROOT / "rust/tschema/build.rs"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the script as that of a crate in a wheel; return the folder of the wheel."""
    folder = tmp_path_factory.mktemp("wheel") / "tschema"
    crate = folder / "rust/tschema"
    crate.mkdir(parents=True)
    environment = {**os.environ, "CARGO_MANIFEST_DIR": str(crate)}
    command = ["rustc", "--edition=2021", SCRIPT, "-o", crate / "script"]
    subprocess.run(command, env=environment, check=True)
    return folder


def link_search(wheel: Path) -> Path:
    """Run the script; return the folder that it has the linker search."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: text for name, text in os.environ.items() if name != "TSCHEMA_LIB_DIR"}
    done = subprocess.run(
        [wheel / "rust/tschema/script"],
        env={**environment, "PATH": tools},
        check=True,
        capture_output=True,
        text=True,
    )
    [found] = [line for line in done.stdout.splitlines() if "link-search" in line]
    return Path(found.removeprefix("cargo::rustc-link-search=native="))


def test_of_a_wheel_for_all_groups_it_takes_that_of_the_crates_release(wheel: Path) -> None:
    for group in ("ffi-0.1.12", "ffi-0.1.13", "ffi-0.1.15"):
        library = wheel / "lib" / group / "libtschema.so"
        library.parent.mkdir(parents=True)
        library.touch()
    assert link_search(wheel) == wheel / "lib/ffi-0.1.15"


def test_of_a_wheel_for_one_group_it_takes_the_only_one(wheel: Path) -> None:
    (wheel / "lib").mkdir(exist_ok=True)
    (wheel / "lib/libtschema.so").touch()
    assert link_search(wheel) == wheel / "lib"
