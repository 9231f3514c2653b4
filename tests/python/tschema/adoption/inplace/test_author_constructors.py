"""A field that a class gains after adoption leaves calls of its author's constructors alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import tvm_ffi.libinfo

from tschema.adoption.inplace.author_constructors import fit_to_constructors

from ....support.precompiled import cxx_flags
from .conftest import Project

ROOT = Path(__file__).resolve().parents[5]
CALLS = """\
#include <atlas/geometry.h>

namespace {
atlas::Point old_point() { return atlas::Point(1, 2.0); }
atlas::Point new_point() { return atlas::Point(1, 2.0, 3.0); }
atlas::Circle old_circle() { return atlas::Circle("round", old_point(), 3.0); }
atlas::Circle new_circle() { return atlas::Circle("round", new_point(), 3.0, 2); }
auto old_node() { return tvm::ffi::make_object<atlas::CircleNode>("round", old_point(), 3.0); }
int used = (old_circle(), new_circle(), old_node(), 1);
}  // namespace
"""


def lines(text: str) -> tuple[bytes, ...]:
    return tuple(text.encode().splitlines(keepends=True))


def test_calls_of_before_compile(atlas: Project) -> None:
    schema = atlas.root / "schema" / "geometry.py"
    schema.write_text(schema.read_text().replace('    register = "hand"\n', ""))
    assert atlas.run("gen", "--adopt").status == 0
    gained = {
        "    radius: ty.float64\n": "    radius: ty.float64\n    turns: ty.int64_t = 1\n",
        "    y: ty.float64\n": "    y: ty.float64\n    z: ty.float64 = 0.5\n",
    }
    text = schema.read_text()
    for before, after in gained.items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    schema.write_text(text)
    assert atlas.run("gen").status == 0
    header = (atlas.root / "include/atlas/geometry.h").read_text()
    # The author's constructors leave the new fields at these values.
    assert "  int64_t turns = 1;\n" in header
    assert "  double z = 0.5;\n" in header
    assert atlas.run("gen", "--check").status == 0
    source = atlas.root / "calls.cc"
    source.write_text(CALLS)
    folders = [*tvm_ffi.libinfo.include_paths(), ROOT / "cpp" / "include"]
    command = ["g++", "-std=c++17", "-fsyntax-only", *cxx_flags(), f"-I{atlas.root / 'include'}"]
    command += [*(f"-isystem{folder}" for folder in folders), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


GENERATED = """\
class SpotNode : public Object {
 public:
  int64_t x;
  int64_t y = 2;
  Point at;

  explicit SpotNode(int64_t x, int64_t y = 2,
                    Array<int64_t> all = Array<int64_t>({1, 2}), Point at = Point(1, 2))
      : x(x) {}
"""
FOUND = "class SpotNode : public Object {\n public:\n"
AUTHORS = "  SpotNode(int64_t x, int64_t y) : x(x), y(y) {}\n"


def test_constructors_and_initializers_are_fitted() -> None:
    fitted = b"".join(fit_to_constructors(lines(GENERATED), lines(FOUND), lines(AUTHORS))).decode()
    assert fitted == GENERATED.replace("int64_t x;", "int64_t x{};").replace(
        "y = 2,", "y,"
    ).replace("all = Array<int64_t>({1, 2})", "all")
    assert lines(fitted) == fit_to_constructors(lines(fitted), lines(fitted), lines(AUTHORS))


@pytest.mark.parametrize("region", ["", "  OtherNode(int64_t x, int64_t y);\n", "  int z;\n"])
def test_without_constructors_of_the_author_nothing_changes(region: str) -> None:
    generated = lines(GENERATED)
    assert fit_to_constructors(generated, lines(FOUND), lines(region)) == generated


def test_an_initializer_that_the_author_left_out_is_not_added() -> None:
    found = FOUND + "  int64_t y;\n"
    fitted = b"".join(fit_to_constructors(lines(GENERATED), lines(found), lines(AUTHORS)))
    assert b"  int64_t y;\n" in fitted
