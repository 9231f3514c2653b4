"""A code base on tvm-ffi that adopts tschema: it is compiled before and after, and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import tvm_ffi.libinfo

from tschema.importer.registry.ask import ask_registry

from .precompiled import cxx_flags
from .project import ROOT

__all__ = ["CodeBase", "registered", "without_markers"]

FFI_LIBRARY = Path(tvm_ffi.libinfo.find_libtvm_ffi())
_HEADERS = (".h", ".hh", ".hpp", ".cuh", ".inl")
_MARKER = re.compile(rb"[ \t]*// tschema: [^\n]*\n")


class CodeBase:
    """A folder with `include` and `src`, on which tschema runs and which is compiled."""

    def __init__(self, root: Path, *warnings: str) -> None:
        """Take the options for warnings that its own build has."""
        self.root = root
        self._warnings = warnings

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run tschema in it."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        command = [sys.executable, "-m", "tschema", *arguments]
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )

    def files(self) -> dict[Path, bytes]:
        """Return the author's files."""
        paths = [*(self.root / "include").rglob("*.*"), *(self.root / "src").glob("*.cc")]
        return {path: path.read_bytes() for path in sorted(paths)}

    def build(self, name: str) -> Path:
        """Compile all of it as one source, with the sidecar, and return the library."""
        headers = [path for path in self.files() if path.suffix in _HEADERS]
        sources = sorted((self.root / "src").rglob("*.cc"))
        unit, library = self.root / f"{name}.cc", self.root / f"lib{name}.so"
        unit.write_text("".join(f'#include "{path}"\n' for path in [*headers, *sources]))
        folders = [*tvm_ffi.libinfo.include_paths(), str(ROOT / "cpp" / "include")]
        includes = [f"-isystem{folder}" for folder in folders]
        libraries = [FFI_LIBRARY.parent, ROOT / "build" / "lib"]
        links = [flag for one in libraries for flag in (f"-L{one}", f"-Wl,-rpath,{one}")]
        command = ["g++", "-std=c++17", "-fPIC", "-shared", *self._warnings]
        command += [*cxx_flags(), f"-I{self.root / 'include'}", *includes, unit.name]
        command += ["-o", library.name, *links, "-ltvm_ffi", "-ltschema"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return library


def without_markers(files: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """Return files without the lines that begin and end blocks and custom regions."""
    return {path: _MARKER.sub(b"", data) for path, data in files.items()}


def registered(library: Path) -> dict[str, object]:
    """Return what a library registers, by type, member and property."""
    registry = ask_registry([str(library)])
    own = [msgspec.to_builtins(one) for one in registry.types if one.own]
    assert own
    return dict(fact for one in own for fact in _facts(one))


def _facts(type_: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in type_.items():
        if isinstance(value, (list, tuple)):
            for at, member in enumerate(value):
                for word, fact in member.items():
                    known = sorted(fact) if word == "flags" else fact
                    yield f"{type_['key']}.{name}[{at}].{word}", known
        elif name != "index":
            yield f"{type_['key']}.{name}", value
