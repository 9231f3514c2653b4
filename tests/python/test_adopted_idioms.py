"""A code base in many idioms is adopted, builds, and registers what it registered before."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from .support.code_base import CodeBase, registered, without_markers
from .support.project import ROOT

READ_SPAN = """
import ctypes, sys
import tvm_ffi
from tschema.runtime import extern_class

ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)


@extern_class("toy.words.Span")
class Span(tvm_ffi.Object):
    from_: int
    class_: int
    self_: int
    dict_: int


made = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")
names = ("from", "to", "_y", "class", "self", "lambda", "None", "__dict__")
values = [part for at, name in enumerate(names) for part in (name, at + 3)]
span = made("toy.words.Span", *values, "same_as", True, "unique", True, "str", 4)
print(type(span).__name__, span.from_, span.class_, getattr(span, "from"), span.self_, span.dict_)
"""


@pytest.fixture(scope="module")
def code_base(tmp_path_factory: pytest.TempPathFactory) -> CodeBase:
    root = tmp_path_factory.mktemp("idioms") / "toy"
    shutil.copytree(ROOT / "tests" / "adoption" / "idioms", root)
    return CodeBase(root, "-Wall", "-Wextra", "-Werror")


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
    # Classes that have members of templates are described, with their layouts.
    assert (
        "    value: ty.String\n    count: ty.int64_t\n"
        in (code_base.root / "schema/op/templates.py").read_text()
    )
    adopted = code_base.run("gen", "--adopt")
    assert adopted.returncode == 0, adopted.stderr

    # Nothing but markers is new, and a second run finds nothing to do.
    after = code_base.files()
    assert without_markers({path: after[path] for path in files}) == files
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
    assert subprocess.check_output(read, cwd=ROOT, text=True) == "Span 3 6 3 7 10\n"
    compared = code_base.run("verify", "--library", library, "--against", "libbefore.so")
    assert (compared.returncode, compared.stdout) == (0, ""), compared.stderr
