"""One object from both sides: a library written in Rust, loaded into Python beside libuir."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path

import pytest
import tvm_ffi
from tvm_ffi import Module
from tvm_ffi.error import register_error

from uir.ir import IntImm, PrimExpr, structural_equal
from uir.tir import Add, Evaluate, For, ForKind, PrimExprMutator, Var

ROOT = Path(__file__).resolve().parents[4]
LIBRARY = ROOT / "build" / "cargo" / "debug" / "libuir_interop.so"


@pytest.fixture(scope="module")
def rust() -> Module:
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make rust`"
    library = tvm_ffi.load_module(str(LIBRARY))
    library["init"]()
    return library


def test_rust_returns_the_object_that_it_took(rust: Module) -> None:
    one = IntImm("int32", 1)
    assert rust["identity"](one).same_as(one)


def test_both_sides_see_one_address(rust: Module) -> None:
    one = IntImm("int32", 1)
    assert rust["address"](one) == one.__chandle__()


def test_rust_reads_own_and_inherited_fields(rust: Module) -> None:
    assert rust["int_imm_fields"](IntImm("int64", -(2**63))) == f"0 64 1 {-(2**63)} false"


def test_nodes_made_in_rust_are_pythons(rust: Module) -> None:
    total = rust["make_sum"]("x", tvm_ffi.dtype("int64"), 7)
    assert isinstance(total, Add)
    assert isinstance(total.a, Var)
    assert (total.a.name, total.b.value, total.dtype) == ("x", 7, "int64")


def test_operands_stay_the_objects_that_they_are(rust: Module) -> None:
    x, one = Var("x", "int32"), IntImm("int32", 1)
    a, b = rust["operands"](rust["add"](x, one))
    assert a.same_as(x)
    assert b.same_as(one)


def test_an_error_thrown_in_cpp_reaches_python_through_rust(rust: Module) -> None:
    with pytest.raises(TypeError, match=r"int32.*int64"):
        rust["add"](IntImm("int32", 1), IntImm("int64", 1))


def test_rust_refuses_another_type(rust: Module) -> None:
    with pytest.raises(TypeError, match=r"uir\.ir\.IntImm.*uir\.tir\.Add"):
        rust["operands"](IntImm("int32", 1))


def test_enums_have_one_value_in_both(rust: Module) -> None:
    zero = IntImm("int32", 0)
    loop = For(Var("i", "int32"), zero, IntImm("int32", 8), ForKind.VECTORIZED, Evaluate(zero))
    assert rust["loop_kind"](loop) == "VECTORIZED"
    assert rust["loop_kind_value"](loop) == ForKind.VECTORIZED


class HeavyError(ValueError):
    """An error that tvm-ffi was told of."""


register_error("HeavyError", HeavyError)


class Refusing(PrimExprMutator):
    """A Python class that refuses constants of another package's type."""

    def visit_int_imm(self, node: IntImm, /) -> PrimExpr:
        if node.value > 5:
            raise HeavyError(f"{node.value} is too much")
        return IntImm(node.dtype, node.value + 1)


def test_an_error_of_python_passes_through_a_caller_in_rust(rust: Module) -> None:
    """With its type, its message and its lines; what C++ and Rust hold of it goes away."""
    rewrite = tvm_ffi.convert(Refusing().visit)
    x = Var("x", "int64")
    rewritten = rust["rewrite_constants"](Add(x, IntImm("int64", 2)), rewrite)
    assert structural_equal(rewritten, Add(x, IntImm("int64", 3)))
    with pytest.raises(HeavyError, match="^7 is too much$") as raised:
        rust["rewrite_constants"](Add(x, IntImm("int64", 7)), rewrite)
    frames = traceback.extract_tb(raised.value.__traceback__)
    (found,) = [frame for frame in frames if frame.name == "visit_int_imm"]
    assert Path(found.filename).name == Path(__file__).name
    assert linecache.getline(__file__, found.lineno or 0).strip().startswith("raise HeavyError")
