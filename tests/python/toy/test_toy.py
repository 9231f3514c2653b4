"""A package that extends uir's expressions with one of its own, in all three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi

from uir.ir import FloatImm, IntImm, PrimExpr
from uir.tir import Add, Evaluate, Var

from ..support.process import run_python
from ..support.project import Project

pytestmark = pytest.mark.long

X = Var("x", "int32")
BY_ITSELF = """
from toy_nodes import Clamp, Rounding
from uir.ir import PrimExpr
from uir.tir import Var
clamp = Clamp(Var("x", "int16"), 8, Rounding.DOWN)
assert isinstance(clamp, PrimExpr)
print(clamp)
"""


@pytest.fixture(scope="module")
def toy(build_package: Callable[[str], Project]) -> Project:
    """Generate and build the package."""
    return build_package("toy")


@pytest.fixture(scope="module")
def nodes(toy: Project) -> Any:
    """Import the package's classes."""
    import toy_nodes

    return toy_nodes


@pytest.fixture(scope="module")
def rust(toy: Project, nodes: Any) -> tvm_ffi.Module:
    """Build and load the package's library in Rust."""
    library = tvm_ffi.load_module(str(toy.build_rust()))
    library.init()
    return library


def test_the_package_works_by_itself(toy: Project) -> None:
    assert run_python(BY_ITSELF, path=(toy.python,)) == "toy.Clamp(value=x, bits=8, rounding=0)\n"


def test_a_node_is_one_of_uirs_expressions(nodes: Any) -> None:
    clamp = nodes.Clamp(X, 8)
    assert isinstance(clamp, PrimExpr)
    assert nodes.Clamp.__mro__[1] is PrimExpr
    assert clamp.value.same_as(X)
    assert (clamp.bits, clamp.rounding, clamp.dtype) == (8, nodes.Rounding.NEAREST, "int32")
    assert clamp.rounding is nodes.Rounding.NEAREST


def test_uir_takes_the_node_as_an_operand(nodes: Any) -> None:
    clamp = nodes.Clamp(X, 8)
    total = clamp + 1
    assert isinstance(total, Add)
    assert total.a.same_as(clamp)
    assert type(total.a) is nodes.Clamp
    assert Evaluate(clamp).value.same_as(clamp)


def test_errors(nodes: Any) -> None:
    for bits in (0, 65, 255):
        with pytest.raises(
            ValueError, match=f"^Clamp: `bits` must be between 1 and 64, not {bits}$"
        ):
            nodes.Clamp(X, bits)
    for bits in (-1, 256):
        with pytest.raises(
            ValueError, match="^toy.Clamp: argument `bits` must be between 0 and 255"
        ):
            nodes.Clamp(X, bits)
    with pytest.raises(ValueError, match="argument `rounding` must be a member of"):
        nodes.Clamp(X, 8, 2)
    with pytest.raises(TypeError, match=r"argument `value` must be `uir.ir.PrimExpr`"):
        nodes.Clamp(Evaluate(X), 8)


def test_the_method_and_the_function(nodes: Any) -> None:
    from toy_nodes import clamp_all

    assert [nodes.Clamp(X, bits).upper_bound() for bits in (1, 8, 64)] == [0, 127, 2**63 - 1]
    clamped = clamp_all([X, FloatImm("float32", 0.5)])
    assert [(node.bits, node.dtype) for node in clamped] == [(8, "int32"), (8, "float32")]
    assert [node.bits for node in clamp_all([X], 4)] == [4]
    with pytest.raises(ValueError, match="argument `bits` must be"):
        clamp_all([X], 256)


def test_the_index_lies_outside_of_the_range_of_the_base(nodes: Any) -> None:
    from toy_nodes import _ffi_api

    assert _ffi_api.lies_in_range(Add(X, X))
    assert not _ffi_api.lies_in_range(Evaluate(X))
    assert not _ffi_api.lies_in_range(nodes.Clamp(X, 8))


def test_every_language_finds_the_base(nodes: Any, rust: tvm_ffi.Module) -> None:
    from toy_nodes import _ffi_api

    for value, answer in ((nodes.Clamp(X, 8), True), (Add(X, X), True), (Evaluate(X), False)):
        assert isinstance(value, PrimExpr) is answer
        assert _ffi_api.is_prim_expr(value) is answer
        assert rust.is_prim_expr(value) is answer


def test_rust_makes_and_reads_the_node(nodes: Any, rust: tvm_ffi.Module) -> None:
    made = rust.make(X, 16)
    assert type(made) is nodes.Clamp
    assert (made.bits, made.rounding, made.dtype) == (16, nodes.Rounding.NEAREST, "int32")
    assert rust.make_rounded(X, 4, nodes.Rounding.DOWN).rounding is nodes.Rounding.DOWN
    assert rust.read(nodes.Clamp(IntImm("int64", 1), 50)) == "50 NEAREST 64 false"
    assert rust.value(nodes.Clamp(X, 8)).same_as(X)
    assert rust.upper_bound(nodes.Clamp(X, 8)) == 127
    assert [node.bits for node in rust.clamp_twice(X)] == [4, 4]
    assert rust.double(made).b.same_as(made)


def test_rust_passes_on_what_the_owner_refuses(rust: tvm_ffi.Module) -> None:
    with pytest.raises(ValueError, match="^Clamp: `bits` must be between 1 and 64, not 65$"):
        rust.make(X, 65)
    with pytest.raises(TypeError, match=r"uir\.tir\.Var.*toy\.Clamp"):
        rust.value(X)
