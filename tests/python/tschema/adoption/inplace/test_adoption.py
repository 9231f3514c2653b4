"""A hand-written project is adopted one class at a time, and compiles and runs all the while.

The folder `farm` is the project as its author has it: C++, Python and Rust with blocks for some
classes, and one class that tschema does not know yet.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tschema.project.cmake import cmake_args

from ....support.precompiled import cmake_options

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[5]
FARM = Path(__file__).parent / "farm"
MANIFEST = f"""
[package]
name = "farm"
version = "0.1.0"
edition = "2021"

[lib]
doctest = false

[dependencies]
tschema = {{ path = "{ROOT / "rust" / "tschema"}" }}
tvm-ffi = {{ path = "{ROOT / "build" / "tvm-ffi-rust" / "tvm-ffi"}" }}
"""
BUILD_SCRIPT = """
fn main() {
    let tschema = std::env::var("DEP_TSCHEMA_LINK_ARGS").unwrap();
    let farm = concat!(
        "-L", env!("CARGO_MANIFEST_DIR"), "/../build;-Wl,-rpath,", env!("CARGO_MANIFEST_DIR"),
        "/../build;-Wl,--no-as-needed;-lfarm"
    );
    for arg in tschema.split(';').chain(farm.split(';')) {
        println!("cargo::rustc-link-arg={arg}");
    }
}
"""
DOG = '''\
"""Dogs."""

from schema.animal import AnimalNode

from tschema import declare, ty


@declare
class DogNode(AnimalNode):
    """
    A dog.

    Attributes
    ----------
    age
        Years since it was born.
    """

    type_key = "farm.Dog"
    age: ty.int64_t
'''
DOG_HEADER = """\
#pragma once

#include <tschema/structural.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <utility>

#include "farm/animal.h"

namespace farm {
// tschema: DogNode
// tschema: end
// tschema: Dog
// tschema: end
}  // namespace farm
"""
DOG_MODULE = """\
from __future__ import annotations

from tschema.runtime import c_class

from ._tschema import _ffi_api
from .animal import Animal

# tschema: Dog
# tschema: end
"""
COW_SCRIPT = """
import tvm_ffi
from farm import Cow, Herd, Mood
cow = Cow("Berta", 20.0)
assert (cow.buckets(), cow.yearly(10), cow.mood) == (2.0, 200.0, Mood.CALM)
assert Herd([cow]).milk(cow) == 40.0
"""
DOG_BY_HAND = "dog = tvm_ffi.get_global_func('farm.make_dog')('Rex', 3); assert dog.age == 3"
DOG_ADOPTED = "from farm.dog import Dog; assert Dog('Rex', age=3).age == 3"


def run(*command: str | Path, folder: Path, **extra: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **extra}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def generate(folder: Path) -> str:
    """Generate, and check that a second run changes nothing."""
    said = run(sys.executable, "-m", "tschema", "gen", folder=folder)
    run(sys.executable, "-m", "tschema", "gen", "--check", folder=folder)
    return said


def build(folder: Path) -> None:
    if not (folder / "build").is_dir():
        options = ["-G", "Ninja", *cmake_options(), *cmake_args()]
        run("cmake", "-S", ".", "-B", "build", *options, folder=folder)
    run("cmake", "--build", "build", "--parallel", "2", folder=folder)


def run_python(folder: Path, script: str) -> None:
    search = os.pathsep.join([str(folder / "python"), str(ROOT)])
    run(sys.executable, "-c", script, folder=folder, PYTHONPATH=search)


def without_blocks(data: bytes) -> bytes:
    """Return what is outside of blocks, as a person reads it."""
    kept, inside = [], False
    for line in data.splitlines(keepends=True):
        words = line.decode().strip().lstrip("/# ").split()
        is_marker = words[:1] == ["tschema:"] and words[1:2] != ["Nothing"]
        inside = inside or is_marker
        kept += [] if inside else [line]
        if is_marker and words[1] == "end":
            inside = False
    return b"".join(kept)


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project, and let tschema fill the blocks in."""
    folder = tmp_path_factory.mktemp("adopted") / "farm"
    shutil.copytree(FARM, folder)
    assert "warning" not in generate(folder)
    return folder


def test_nothing_outside_the_blocks_has_changed(farm: Path) -> None:
    for path in [*FARM.rglob("*.h"), *FARM.rglob("*.py"), *FARM.rglob("*.rs"), *FARM.rglob("*.cc")]:
        now = farm / path.relative_to(FARM)
        assert without_blocks(now.read_bytes()) == without_blocks(path.read_bytes())


def test_adopted_classes_stand_beside_one_that_is_not(farm: Path) -> None:
    build(farm)
    run_python(farm, COW_SCRIPT + DOG_BY_HAND)


def test_what_is_written_by_hand_is_what_the_schema_requires(farm: Path) -> None:
    build(farm)
    said = run(sys.executable, "-m", "tschema", "verify", "-v", folder=farm)
    assert "libfarm.so` were checked" in said


def test_the_next_class_is_adopted(farm: Path) -> None:
    (farm / "schema" / "dog.py").write_text(DOG)
    for path, text in [
        ("include/farm/dog.h", DOG_HEADER),
        ("python/farm/dog.py", DOG_MODULE),
        ("rust/src/dog.rs", "use super::animal::{Animal, AnimalNode};\n"),
    ]:
        (farm / path).write_text(text)
    with (farm / "rust/src/dog.rs").open("a") as stream:
        stream.write("// tschema: DogNode\n// tschema: end\n// tschema: Dog\n// tschema: end")
    with (farm / "rust/src/lib.rs").open("a") as stream:
        stream.write("pub mod dog;\n")
    (farm / "src/dog.cc").unlink()
    assert "warning" not in generate(farm)
    assert (farm / "rust/src/dog.rs").read_text().splitlines()[-1].startswith("// tschema: end ")
    assert not (farm / "rust/src/dog.rs").read_text().endswith("\n")
    build(farm)
    run_python(farm, COW_SCRIPT + DOG_ADOPTED)


def test_the_adopted_crate_compiles_and_runs(farm: Path) -> None:
    (farm / "rust" / "Cargo.toml").write_text(MANIFEST)
    (farm / "rust" / "build.rs").write_text(BUILD_SCRIPT)
    shutil.copyfile(ROOT / "Cargo.lock", farm / "rust" / "Cargo.lock")
    target = str(ROOT / "build" / "cargo")
    printed = run(
        "cargo", "test", "--quiet", "--offline", "--test", "farm", folder=farm / "rust",
        CARGO_TARGET_DIR=target, RUST_TEST_THREADS="1",
    )  # fmt: skip
    assert "1 passed" in printed
