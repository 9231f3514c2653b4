"""A package with dialects of its own, compiled outside of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.process import run_python
from ..support.project import ROOT, Project, copy_project, one_at_a_time

pytestmark = pytest.mark.long

PRINTED = """
@uir.script.ir_module
class Module:
    @relay.function(private=True)
    def main(pot: relay.Tensor((2, n, n), "float32")) -> relay.Tensor((n * 2, n), "float32"):
        n = tir.SizeVar("n", "int64")
        soft = glaze.soften(pot, axis=0, twice=True)
        fused = glaze.fuse(soft, pot)
        folded = glaze.shape.fold(fused, axes=[0, 1], keep=[2])
        return folded
glaze.fuse: operand `b_` has data type `float16`, expected `float32`, that of operand `a`
glaze.fuse: operand `b_`: dimension 0, `k`, is 4, expected 5, where `k` is 5 in operand `a` (the \
shape of `b_` is (4, 3))
glaze.shape.fold: `axes` and `keep` must name each axis once
blend: operand `x` must be a floating-point number, got `int32` (x = Var(dtype=int32, name="i"))
""".lstrip()


@pytest.fixture(scope="module")
def kiln() -> tuple[Project, Path]:
    """Generate and build the package in C++ and Rust."""
    with one_at_a_time("kiln"):
        project = copy_project(ROOT / "tests" / "packages" / "kiln", "kiln")
        project.generate()
        project.build_cpp()
        return project, project.build_rust()


def test_operators_are_one_declaration_in_three_languages(kiln: tuple[Project, Path]) -> None:
    project, rust = kiln
    cpp = project.root / "build" / "libkiln.so"
    code = Path(__file__).with_name("use_kiln.py").read_text(encoding="utf-8")
    assert run_python(code, cpp, rust, path=(project.python,)) == PRINTED
