"""A package of the tests, built: its code generated, its C++ library and its Rust library made.

In: a folder of sources with `tschema.toml`.  Out: the same folder, copied below `build/tests`, with
what was built in it.  A second build of the same sources takes well under a second.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tschema.output.lock import lock_for_writing
from tschema.project.cmake import cmake_args

from .commands import run_command

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "tests"
_OURS = frozenset({"build", "generated", "target", "Cargo.lock"})


@dataclass(frozen=True)
class Project:
    """A package in a folder of its own below `build/tests`."""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    """What the commands see besides the environment of the tests."""

    @property
    def python(self) -> Path:
        """The folder to import the generated classes from."""
        return self.root / "generated" / "python"

    def run(self, *command: str | Path) -> str:
        """Run a command in the project, which must succeed; return its output."""
        search = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            **self.environment,
            "PATH": os.pathsep.join([*search, os.environ["PATH"]]),
        }
        return run_command(command, self.root, environment)

    def generate(self) -> None:
        """Run `tschema gen`; output of an older run in the copy does not count as edited by
        hand."""
        self.run(sys.executable, "-m", "tschema", "gen", "--discard")

    def build_cpp(self, *options: str) -> None:
        """Build the C++ library into `build`; the options are CMake's."""
        self.configure(*options, *cmake_args())
        self.run("cmake", "--build", "build", "--parallel", "2")

    def configure(self, *options: str) -> None:
        """Configure `build` with options, unless that was done with the same."""
        done = self.root / "build" / "options.txt"
        text = "\n".join(options)
        if not done.is_file() or done.read_text() != text:
            self.run("cmake", "--fresh", "-S", ".", "-B", "build", "-G", "Ninja", *options)
            done.write_text(text)

    def build_rust(self) -> Path:
        """Build the Rust library; return its path."""
        shutil.copyfile(ROOT / "Cargo.lock", self.root / "Cargo.lock")
        target = ROOT / "build" / "cargo"
        self.run("cargo", "build", "--quiet", "--offline", "--lib", "--target-dir", target)
        return target / "debug" / f"lib{self.root.name}_rust.so"


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Keep the other processes of a parallel run from building the same project."""
    folder = BUILD / "locks" / name
    folder.mkdir(parents=True, exist_ok=True)
    with lock_for_writing(folder):
        yield


def copy_project(source: Path, name: str) -> Project:
    """Copy a package's sources to `build/tests/<name>`; files that are the same stay untouched."""
    target = BUILD / name
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for path in wanted:
        write_if_changed(target / path, (source / path).read_bytes())
    for path in [path for path in target.rglob("*") if path.is_file()]:
        relative = path.relative_to(target)
        if relative not in wanted and relative.parts[0] not in _OURS:
            path.unlink()
    return Project(target)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file, unless it holds the data already: builds go by the time of the last change."""
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
