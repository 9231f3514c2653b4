"""`tschema build`: one command from declarations to a library that programs load."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ...support.precompiled import cxx_flags
from ...support.process import run_python
from ...support.project import ROOT

pytestmark = pytest.mark.long

POINT = '''"""Points."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x, y
        Where it is.
    """

    type_key = "toy.Point"
    x: ty.int64_t
    y: ty.int8_t = 0
'''

CODE = '''

from tschema import function, method


@declare
class LineNode(Object):
    """
    A line.

    Attributes
    ----------
    start, end
        Its ends.
    """

    type_key = "toy.Line"
    post_init = True
    start: PointNode
    end: PointNode

    @method
    def width(self) -> ty.int64_t:
        """Return how wide it is."""
        ...


@function
def origin() -> PointNode:
    """Make the origin."""
    ...
'''

BODIES = """
#include <toy/nodes.h>
#include <tvm/ffi/error.h>

namespace toy {

void LineNode::PostInit() {
  if (start->x > end->x) TVM_FFI_THROW(ValueError) << "a line goes to the right";
}

int64_t LineNode::Width() const { return end->x - start->x; }

Point origin() { return Point(0); }

}  // namespace toy
"""

USE_POINT = """
import sys
from tschema.runtime import load_types
toy = load_types(sys.argv[1])
print(toy.Point(3, 4))
try:
    toy.Point(1, 200)
except ValueError as error:
    print(str(error).splitlines()[-1])
from tvm_ffi import core
owner = core._lookup_type_attr(toy.Point.__tvm_ffi_type_info__.type_index, "__tschema_owner__")
print(owner)
"""

USE_LINE = """
import sys
from tschema.runtime import load_types
toy = load_types(sys.argv[1])
line = toy.Line(toy.Point(1), toy.Point(5))
print(line.width())
try:
    toy.Line(toy.Point(1), toy.Point(0))
except ValueError as error:
    print(str(error).splitlines()[-1])
import tvm_ffi
print(tvm_ffi.get_global_func("toy.origin")())
"""


def run(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tschema", "build", *arguments]
    fast = {"CXXFLAGS": shlex.join(cxx_flags())}
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or fast)},
        text=True,
        capture_output=True,
    )


def build(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    process = run(folder, *arguments, environment=environment)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def declare(folder: Path) -> Path:
    (folder / "schema").mkdir()
    (folder / "schema" / "nodes.py").write_text(POINT)
    return folder


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    """Write declarations that need no code, and nothing else."""
    return declare(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build a library as a user does; return its project, and what the command printed."""
    folder = declare(tmp_path_factory.mktemp("built"))
    return folder, build(folder, "schema", "-o", "out/libtoy.so", environment={"CXXFLAGS": ""})


@pytest.fixture
def coded(declared: Path) -> Path:
    """Write declarations that need code."""
    (declared / "schema" / "nodes.py").write_text(POINT + CODE)
    return declared


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_one_command_makes_a_library(built: tuple[Path, str]) -> None:
    folder, printed = built
    assert printed == "built out/libtoy.so\nload it with out/schema.json\n"
    assert files(folder) == [
        "out/libtoy.so",
        "out/schema.json",
        "out/tschema-build.json",
        "schema/nodes.py",
    ]
    lines = run_python(USE_POINT, folder / "out" / "schema.json").splitlines()
    assert lines == [
        "toy.Point(x=3, y=4)",
        "toy.Point: argument `y` must be between -128 and 127, not 200",
        str(folder / "out" / "libtoy.so"),
    ]


def test_a_program_does_not_change_when_its_types_are_compiled(
    built: tuple[Path, str], tmp_path: Path
) -> None:
    compiled = run_python(USE_POINT, built[0] / "out" / "schema.json").splitlines()
    schema = shutil.copy(built[0] / "out" / "schema.json", tmp_path)
    loaded = run_python(USE_POINT, schema).splitlines()
    assert compiled[:2] == loaded[:2]
    assert loaded[2] == str(schema)


def test_bodies_come_from_sources(coded: Path) -> None:
    (coded / "src").mkdir()
    (coded / "src" / "line.cc").write_text(BODIES)
    build(coded, "schema", "-o", "out/libtoy.so", "--source", "src", "--keep", "work")
    printed = run_python(USE_LINE, coded / "out" / "schema.json").splitlines()
    assert printed == ["4", "a line goes to the right", "toy.Point(x=0, y=0)"]
    assert {"work/include/toy/nodes.h", "work/src/nodes.cc"} <= set(files(coded))


def test_missing_bodies_are_located(coded: Path) -> None:
    process = run(coded, "schema", "-o", "out/libtoy.so")
    assert process.returncode == 2
    errors = [line for line in process.stderr.splitlines() if "error[" in line]
    assert errors == [
        "schema/nodes.py:26:7: error[TS072]: no source defines `PostInit` of `LineNode`",
        "schema/nodes.py:42:9: error[TS072]: no source defines method `width` of `LineNode`",
        "schema/nodes.py:48:5: error[TS072]: no source defines function `origin`",
    ]
    assert "write `toy::LineNode::PostInit` in a C++ file, and name that with `--source`" in (
        process.stderr
    )
    assert "nothing was written" in process.stderr
    assert not (coded / "out").exists()


def test_one_missing_body_is_named_alone(coded: Path) -> None:
    (coded / "line.cc").write_text(BODIES.replace("Point origin() { return Point(0); }", ""))
    process = run(coded, "schema", "-o", "out/libtoy.so", "--source", "line.cc")
    assert process.returncode == 2
    assert process.stderr.count("error[TS072]") == 1
    assert "no source defines function `origin`" in process.stderr


def test_what_the_compiler_says_is_shown(coded: Path) -> None:
    (coded / "line.cc").write_text(BODIES.replace("start->x;", "start->z;"))
    process = run(coded, "schema", "-o", "out/libtoy.so", "--source", "line.cc")
    assert process.returncode == 2
    assert re.search(r"line\.cc:\d+:\d+: error: .*has no member named 'z'", process.stderr)
    assert process.stderr.endswith("tschema: the compiler refused `line.cc`\n")
    assert not (coded / "out").exists()


def test_wrong_declarations_are_located(declared: Path) -> None:
    nodes = declared / "schema" / "nodes.py"
    nodes.write_text(POINT.replace("ty.int64_t", "ty.int46_t"))
    process = run(declared, "schema", "-o", "out/libtoy.so")
    assert process.returncode == 2
    assert "schema/nodes.py:18:8: error[TS012]: unknown type `ty.int46_t`" in process.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["schema"], 2, "the package of the declarations is not known"),
        (["schema", "-o", "toy.so"], 2, "the package of the declarations is not known"),
        (["nothing", "-o", "libtoy.so"], 2, "no schema file of `toy` at `nothing`"),
        ([], 2, "no `tschema.toml` in"),
        (["schema", "-o", "libtoy.so", "--source", "x.cc"], 2, "there is no source `x.cc`"),
        (["schema", "-o", "libtoy.so", "-j", "0"], 2, "'0' is not a number above 0"),
    ],
)
def test_wrong_arguments(arguments: list[str], status: int, message: str, declared: Path) -> None:
    process = run(declared, *arguments)
    assert process.returncode == status
    assert message in process.stderr
    assert files(declared) == ["schema/nodes.py"]


def test_without_a_compiler(declared: Path) -> None:
    process = run(declared, "schema", "-o", "libtoy.so", environment={"CXX": "no-such-compiler"})
    assert process.returncode == 3
    assert "no C++ compiler `no-such-compiler`: install one, or name one in CXX" in process.stderr
    assert files(declared) == ["schema/nodes.py"]


def test_another_package_beside_is_kept(declared: Path) -> None:
    (declared / "schema.json").write_text('{"version": 1, "package": "other"}')
    process = run(declared, "schema", "-o", "libtoy.so")
    assert process.returncode == 2
    assert "error[TS066]: `schema.json` is that of package `other`" in process.stderr
    assert json.loads((declared / "schema.json").read_text())["package"] == "other"


def test_a_project_with_a_configuration(coded: Path) -> None:
    """Custom regions of the project's generated C++ are compiled, and its files left alone."""
    (coded / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\n\n'
        '[cpp]\nmode = "files"\ninclude = "cpp/include"\nsource = "cpp/src"\n'
    )
    generate = [sys.executable, "-m", "tschema", "gen"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(generate, cwd=coded, check=True, env=environment)
    header = coded / "cpp" / "include" / "toy" / "nodes.h"
    region = "// tschema: custom-begin\n"
    line = 'TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Line'
    before, found, after = header.read_text().partition(line)
    assert found
    custom = "  int64_t Doubled() const { return 2 * Width(); }\n"
    header.write_text(before + found + after.replace(region, region + custom, 1))
    bodies = BODIES.replace(
        "int64_t LineNode::Width() const { return end->x - start->x; }",
        "int64_t LineNode::Width() const { return end->x - start->x; }\n"
        "static_assert(sizeof(&LineNode::Doubled) > 0);",
    )
    (coded / "line.cc").write_text(bodies)
    kept = {name: (coded / name).read_bytes() for name in files(coded)}
    assert build(coded, "--source", "line.cc").startswith(f"built {coded}/build/libtoy.so\n")
    assert {name: (coded / name).read_bytes() for name in kept} == kept
    printed = run_python(USE_LINE, coded / "build" / "schema.json").splitlines()
    assert printed[0] == "4"


def test_hand_edits_stop_the_build(declared: Path) -> None:
    (declared / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\n\n'
        '[cpp]\nmode = "files"\ninclude = "cpp/include"\nsource = "cpp/src"\n'
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-m", "tschema", "gen"], cwd=declared, check=True, env=environment
    )
    header = declared / "cpp" / "include" / "toy" / "nodes.h"
    header.write_text(header.read_text().replace("int64_t x", "int32_t x", 1))
    process = run(declared, "schema")
    assert process.returncode == 1
    assert "TS065" in process.stderr
    assert "nothing was built" in process.stderr


def test_in_place_projects_have_their_own_build(declared: Path) -> None:
    (declared / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\n\n'
        '[cpp]\nmode = "in_place"\nfiles = ["src/*.h"]\nsidecar = "src/tschema"\n'
    )
    process = run(declared)
    assert process.returncode == 2
    assert "has the C++ written in place" in process.stderr


def test_extending_another_package(tmp_path: Path) -> None:
    """The packages that schema files import are found without a configuration."""
    (tmp_path / "nodes.py").write_text(
        '"""Expressions."""\n\nfrom tschema import declare, field\n'
        "from uir.schema.ir.expr import PrimExprNode\n\n\n@declare\n"
        'class WrapNode(PrimExprNode):\n    """Wraps."""\n\n    type_key = "toy.Wrap"\n'
        '    value: PrimExprNode = field(doc="What it wraps.")\n'
    )
    build(tmp_path, "nodes.py", "-o", "libtoy.so")
    program = (
        "import sys\nfrom tschema.runtime import load_types\ntoy = load_types(sys.argv[1])\n"
        "from uir.ir import IntImm\nprint(toy.Wrap('int32', IntImm('int32', 7)).value.value)"
    )
    assert run_python(program, tmp_path / "schema.json") == "7\n"
