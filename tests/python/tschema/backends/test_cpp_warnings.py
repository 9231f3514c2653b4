"""Generated headers, and those of tschema, in a project that compiles with every warning an error.

One unit has all: fields that are called like what generated bodies use, and like macros of the C
headers that come first.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import tvm_ffi.libinfo
from clang import cindex

from tschema.cli.main import main
from tschema.ir.cpp_macros import CPP_MACROS

from ...support.project import ROOT

_NAMES = """
value hash other equal reducer v args result n data node op ref get type ptr rv map visit context
info tag head hash_reduce value_ reducer_ made std tvm ffi toy tschema crate operator final
register Some Ok Err EOF NULL errno EPERM PATH_MAX BIG_ENDIAN M_PI M_E FLT_MAX major
"""
FIELDS = _NAMES.split()
CONFIG = """\
package = "toy"
schema = ["schema"]

[cpp]
include = "include"
source = "src"
"""
HEAD = '"""Names."""\n\nfrom tschema import Object, declare, field, function, method, ty\n'
CLASS = '''

@declare
class {name}Node({base}):
    """A node."""

    type_key = "toy.{name}"
{body}'''
METHOD = """
    @method
    def depth(self, value: int, hash: int = 2, other: ty.String = "x") -> int:
        '''Return the depth.'''
        ...
"""
FUNCTION = '''

@function
def make(value: int, args: ty.Array[int], result: ty.String, v: int = 1) -> int:
    """Make a number."""
    ...
'''
USES = """
toy::Box copied(const toy::Box& box) { return toy::Box(box); }
toy::Box listed(const toy::Box& box) { return toy::Box{box}; }
toy::Box boxed(const toy::Box& box) { return toy::Box(tvm::ffi::Any(box)); }
toy::Outer outer(const toy::Outer& given) { return toy::Outer(given); }
toy::Outer wrapped(const toy::Inner& given) { return toy::Outer(given); }
"""
"""What reads like a copy is one; see `docs/start/extending.md`."""
COPIES = {"copied": True, "listed": True, "boxed": False, "outer": True, "wrapped": False}
KINDS = ("ty.int64_t", "ty.String", "ty.Array[int]", "ty.Any", "ty.Optional[ty.String]", "bool")


def field_lines(names: list[str]) -> str:
    kinds = (KINDS[number % len(KINDS)] for number in range(len(names)))
    pairs = zip(names, kinds, strict=True)
    return "".join(f'    {name}: {kind} = field(doc="It.")\n' for name, kind in pairs)


def many_classes(depth: int) -> str:
    """Return a chain of classes, each with a field, below the one with all names."""
    text, base = "", "ShadeNode"
    for level in range(depth):
        body = f'    own{level}: ty.int64_t = field(default=1, doc="It.")\n'
        text += CLASS.format(name=f"Level{level}", base=base, body=body)
        base = f"Level{level}Node"
    return text


def classes_of_the_library() -> str:
    """Return classes that are called as those of tvm-ffi, each with a field of those before it."""
    text, body = "", ""
    for name in ("String", "Array", "Map", "Object", "ObjectRef", "Function", "Any", "Optional"):
        key = f"ir.{name}"
        own = f'    text{len(text)}: ty.String = field(doc="It.")\n'
        text += CLASS.format(name=key, base="Object", body=body + own).replace(
            f"class {key}Node", f"class {name}Node"
        )
        body += f'    a{name.lower()}: ty.Optional[{name}Node] = field(doc="It.")\n'
        body += f'    some_{name.lower()}: ty.Array[{name}Node] = field(doc="It.")\n'
    return text


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate C++, and write a unit that includes all of it behind the C headers."""
    root = tmp_path_factory.mktemp("warnings")
    (root / "schema").mkdir()
    (root / "tschema.toml").write_text(CONFIG)
    expr = "    abstract = True\n    dispatch = True\n"
    add = '    args: ty.Array[ExprNode] = field(doc="It.")\n    v: ExprNode = field(doc="It.")\n'
    (root / "schema" / "names.py").write_text(
        HEAD
        + CLASS.format(name="Shade", base="Object", body=field_lines(FIELDS) + METHOD)
        + many_classes(20)
        + CLASS.format(name="Expr", base="Object", body=expr)
        + CLASS.format(name="Add", base="ExprNode", body=add)
        + CLASS.format(name="Box", base="Object", body='    value: ty.Any = field(doc="It.")\n')
        + CLASS.format(name="Inner", base="Object", body="")
        + CLASS.format(
            name="Outer", base="InnerNode", body='    inner: InnerNode = field(doc="It.")\n'
        )
        + FUNCTION
    )
    (root / "schema" / "ir").mkdir()
    (root / "schema" / "ir" / "library.py").write_text(HEAD + classes_of_the_library())
    assert main(["gen", "--config", str(root / "tschema.toml")]) == 0
    c_headers = ("endian.h", "errno.h", "float.h", "limits.h", "math.h", "stdio.h", "sys/types.h")
    ours = sorted((ROOT / "cpp/include").rglob("tschema/*.h"))
    lines = [*(f"#include <{name}>" for name in (*c_headers, "sys/sysmacros.h"))]
    lines += [f"#include <tschema/{path.name}>" for path in ours]
    lines += [f'#include "{path}"' for path in sorted((root / "include").rglob("*.h"))]
    lines += [f'#include "{path}"' for path in sorted((root / "src").rglob("*.cc"))]
    (root / "all.cc").write_text("\n".join([*lines, USES]))
    return root


def options(project: Path) -> list[str]:
    """Return the options of a user who takes tvm-ffi's headers alone as those of a system."""
    system = [f"-isystem{folder}" for folder in tvm_ffi.libinfo.include_paths()]
    own = [f"-I{ROOT / 'cpp/include'}", f"-I{project / 'include'}"]
    return ["-std=c++17", "-Wall", "-Wextra", "-Wshadow", "-Werror", *own, *system]


def test_gcc_has_no_warning(project: Path) -> None:
    command = ["g++", "-fsyntax-only", *options(project), str(project / "all.cc")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]


def test_clang_has_no_warning(project: Path) -> None:
    # libclang has none of the headers that come with a compiler.
    ask = ["g++", "-print-file-name=include"]
    builtin = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    arguments = [*options(project), f"-isystem{builtin}"]
    unit = cindex.Index.create().parse(str(project / "all.cc"), arguments)
    assert [str(one) for one in unit.diagnostics if one.severity >= 2][:5] == []
    found = {one.spelling: one for one in unit.cursor.get_children() if one.spelling in COPIES}
    assert {name: is_copy(one) for name, one in found.items()} == COPIES


def is_copy(function: cindex.Cursor) -> bool:
    """Return whether a function returns a copy, rather than a new node."""
    called = [one.referenced for one in function.walk_preorder() if one.referenced is not None]
    constructors = [one for one in called if one.kind == cindex.CursorKind.CONSTRUCTOR]
    own = function.result_type.get_declaration().spelling
    made = [one for one in constructors if one.spelling == own and not one.is_move_constructor()]
    return all(one.is_copy_constructor() for one in made)


def test_public_names_stay(project: Path) -> None:
    text = (project / "include/toy/names.h").read_text()
    assert "  int64_t value;\n" in text
    assert "ffi::Optional<ffi::String> reducer;" in text
    assert "class Shade : public ffi::ObjectRef" in text
    assert "  Shade(int64_t value, ffi::String hash," in text


def test_macros_of_the_c_headers_are_known(tmp_path: Path) -> None:
    headers = ("errno", "float", "limits", "locale", "math", "signal", "stdint", "stdio", "stdlib")
    text = "".join(f"#include <{name}.h>\n" for name in (*headers, "time", "wchar", "endian"))
    done = subprocess.run(
        ["gcc", "-dM", "-E", "-"], input=text, capture_output=True, text=True, check=True
    )
    found = {line.split()[1] for line in done.stdout.splitlines()}
    plain = {name for name in found if name.isupper() and name.isalpha()}
    assert plain - CPP_MACROS == set()
