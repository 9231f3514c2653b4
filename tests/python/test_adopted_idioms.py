"""A code base in many idioms is adopted, builds, and registers what it registered before."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest
import tvm_ffi.libinfo

from tschema.importer.registry.ask import ask_registry

from .support.precompiled import cxx_flags

ROOT = Path(__file__).resolve().parents[2]
IDIOMS = ROOT / "tests" / "adoption" / "idioms"
FFI_LIBRARY = Path(tvm_ffi.libinfo.find_libtvm_ffi())
_HEADERS = (".h", ".hh", ".hpp", ".cuh", ".inl")
READ_SPAN = """
import ctypes, sys
import tvm_ffi
from tschema.runtime import extern_class

ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)


@extern_class("toy.words.Span")
class Span(tvm_ffi.Object):
    from_: int
    class_: int


made = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")
span = made("toy.words.Span", "from", 3, "to", 5, "_y", 0, "class", 7)
print(type(span).__name__, span.from_, span.class_, getattr(span, "from"))
"""
MARKER = re.compile(rb"[ \t]*// tschema: [^\n]*\n")


class CodeBase:
    """A copy of the code base, on which tschema runs and which is compiled."""

    def __init__(self, root: Path) -> None:
        """Copy the files to a folder."""
        self.root = root
        shutil.copytree(IDIOMS, root)

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
        command = ["g++", "-std=c++17", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
        command += [*cxx_flags(), f"-I{self.root / 'include'}", *includes, unit.name]
        command += ["-o", library.name, *links, "-ltvm_ffi", "-ltschema"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return library


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


@pytest.fixture(scope="module")
def code_base(tmp_path_factory: pytest.TempPathFactory) -> CodeBase:
    return CodeBase(tmp_path_factory.mktemp("idioms") / "toy")


def test_it_registers_what_it_registered_before(code_base: CodeBase) -> None:
    before = registered(code_base.build("before"))
    hooks = before["toy.cfg.Options.hooks"]
    assert isinstance(hooks, dict)
    assert (hooks["__ffi_repr__"], hooks["toy.cfg.rank"]) == ("a value of type ffi.Function", "3")
    files = code_base.files()
    started = code_base.run("init", "--package", "toy")
    assert started.returncode == 0, started.stderr
    for suffix in ("cuh", "h", "hh", "hpp", "inl"):
        assert f'"include/**/*.{suffix}"' in started.stdout
    assert '"src/**/*.cc"' in started.stdout
    imported = code_base.run("import", "--headers", "include", "src", "--registry", "libbefore.so")
    assert imported.returncode == 0, imported.stderr
    assert "class InnerObj" in (code_base.root / "schema/hpp/nested.py").read_text()
    adopted = code_base.run("gen", "--adopt")
    assert adopted.returncode == 0, adopted.stderr

    # Nothing but markers is new, and a second run finds nothing to do.
    after = code_base.files()
    assert {path: MARKER.sub(b"", after[path]) for path in files} == files
    assert code_base.run("gen", "--adopt").returncode == 0
    assert code_base.run("gen", "--check").returncode == 0
    assert {path: data for path, data in code_base.files().items() if path in files} == {
        path: after[path] for path in files
    }

    # No class is left by hand.
    assert "TS154" not in adopted.stderr
    marked = set(re.findall(rb"// tschema: (\w+(?:Node|Obj))\n", b"".join(after.values())))
    assert {name.decode() for name in marked} >= {
        "ThingNode", "BoxNode", "LockObj", "PairObj", "ItemObj", "UserObj", "LeafNode", "PassNode",
        "AddPassNode", "CfgNode", "RowNode", "BaseNode", "HolderNode", "NoCopyObj", "OptionsObj",
        "FastOptionsObj", "KidNode", "HiddenObj", "OneNode", "NodeNode", "SpanNode",
    }  # fmt: skip
    assert registered(code_base.build("after")) == before
    library = code_base.root / "libafter.so"
    read = [sys.executable, "-c", READ_SPAN, str(library)]
    assert subprocess.check_output(read, cwd=ROOT, text=True) == "Span 3 7 3\n"
    compared = code_base.run("verify", "--library", library, "--against", "libbefore.so")
    assert (compared.returncode, compared.stdout) == (0, ""), compared.stderr
