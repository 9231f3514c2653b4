"""Functors call the method for the type of a node, and find one for types that they do not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi

from tschema.runtime import Functor
from uir import tir
from uir.ir import ExternFunc, GlobalVar, IntImm, PrimExpr, PrimType, TypeFunctor
from uir.relay import RelayExprFunctor

from ....support.project import Project

X = tir.Var("x", "int32")
N = tir.SizeVar("n", "int32")


class Printer(tir.PrimExprFunctor[str]):
    """Prints some expressions."""

    def visit_add(self, node: tir.Add, /) -> str:
        return f"({self.visit(node.a)} + {self.visit(node.b)})"

    def visit_var(self, node: tir.Var, /) -> str:
        return node.name

    def visit_int_imm(self, node: IntImm, /) -> str:
        return str(node.value)


@pytest.fixture(scope="module")
def toy(build_package: Callable[[str], Project]) -> Any:
    """Return a package with an expression of its own, `toy.Clamp`."""
    build_package("toy")
    import toy_nodes

    return toy_nodes


def test_the_method_for_the_type_is_called() -> None:
    assert Printer().visit(tir.Add(X, tir.Add(X, IntImm("int32", 2)))) == "(x + (x + 2))"


def test_a_type_without_override_goes_to_the_default() -> None:
    class Default(Printer):
        def visit_default(self, node: tvm_ffi.Object, /) -> str:
            return type(node).__name__

    assert Default().visit(X * X + 1) == "(Mul + 1)"
    with pytest.raises(
        NotImplementedError,
        match="^`Printer` has no method for `uir.tir.Mul`, and does not override `visit_default`$",
    ):
        Printer().visit(X * X)


def test_a_derived_type_is_served_as_its_base_by_default() -> None:
    class Sizes(Printer):
        def visit_size_var(self, node: tir.SizeVar, /) -> str:
            return f"|{node.name}|"

    assert Printer().visit(X + N) == "(x + n)"
    assert Sizes().visit(X + N) == "(x + |n|)"


def test_a_subclass_overrides_what_its_base_has_used() -> None:
    assert Printer().visit(X) == "x"

    class Shouting(Printer):
        def visit_var(self, node: tir.Var, /) -> str:
            return super().visit_var(node).upper()

    assert Shouting().visit(X) == "X"
    assert Printer().visit(X) == "x"


def test_a_type_of_another_package_is_served_as_its_nearest_ancestor(toy: Any) -> None:
    class Ancestors(tir.PrimExprFunctor[str]):
        def visit_default(self, node: tvm_ffi.Object, /) -> str:
            return "default"

    @Ancestors.register(PrimExpr)
    def _(self: Ancestors, node: PrimExpr) -> str:
        return "prim"

    assert Ancestors().visit(toy.Clamp(X, 8)) == "prim"
    assert Ancestors().visit(X) == "default"


@pytest.mark.parametrize("by_key", [False, True])
def test_a_type_of_another_package_can_be_registered(toy: Any, by_key: bool) -> None:
    class Clamps(Printer):
        pass

    class Below(Clamps):
        pass

    clamp = toy.Clamp(X, 8)
    with pytest.raises(NotImplementedError):
        Below().visit(clamp)

    @Clamps.register("toy.Clamp" if by_key else toy.Clamp)
    def print_clamp(self: Clamps, node: Any) -> str:
        return f"clamp({self.visit(node.value)})"

    assert Below().visit(X + clamp) == "(x + clamp(x))"
    with pytest.raises(NotImplementedError):
        Printer().visit(clamp)
    assert print_clamp(Clamps(), clamp) == "clamp(x)"


def test_what_is_registered_for_a_base_serves_types_without_a_nearer_method() -> None:
    class Operators(Printer):
        pass

    @Operators.register(tir.BinaryOp)
    def _(self: Operators, node: tir.BinaryOp) -> str:
        return "binary"

    # `Sub` has a method, which calls the default: the nearest one is its own.
    with pytest.raises(NotImplementedError):
        Operators().visit(tir.Sub(X, X))

    class Bare(Functor[str]):
        """Has no methods at all."""

    @Bare.register(tir.BinaryOp)
    def _(self: Bare, node: tir.BinaryOp) -> str:
        return "binary"

    assert Bare().visit(tir.Sub(X, X)) == Bare().visit(tir.Mul(X, X)) == "binary"


def test_one_class_serves_two_families() -> None:
    class Both(tir.StmtFunctor[str], Printer):
        def visit_evaluate(self, node: tir.Evaluate, /) -> str:
            return f"{self.visit(node.value)};"

    assert Both().visit(tir.Evaluate(X + 1)) == "(x + 1);"


def test_families_of_types_and_high_level_expressions() -> None:
    class Widths(TypeFunctor[int]):
        def visit_prim_type(self, node: PrimType, /) -> int:
            return node.dtype.itemsize * 8

    class Names(RelayExprFunctor[str]):
        def visit_global_var(self, node: GlobalVar, /) -> str:
            return node.name_hint

        def visit_extern_func(self, node: ExternFunc, /) -> str:
            return node.global_symbol

        def visit_default(self, node: tvm_ffi.Object, /) -> str:
            return type(node).__name__

    assert Widths().visit(PrimType("int16")) == 16
    names = Names()
    assert [names.visit(GlobalVar("f")), names.visit(ExternFunc("g"))] == ["f", "g"]
    # `relay` does not know `tir`: a functor of its own takes its functions for foreign ones.
    assert names.visit(tir.PrimFunc([], tir.Evaluate(X))) == "PrimFunc"


def test_a_misspelt_method_is_refused_when_its_class_is_made() -> None:
    message = (
        r"^`Slip.visit_int_im` is never called: there is no type of that name; "
        r"did you mean `visit_int_imm`\?$"
    )
    with pytest.raises(TypeError, match=message):

        class Slip(Printer):
            def visit_int_im(self, node: IntImm, /) -> str:
                return "1"

    with pytest.raises(TypeError, match=r"did you mean `visit_add`\?$"):

        class Swapped(Printer):
            def visit_dad(self, node: tir.Add, /) -> str:
                return "+"

    class Helped(Printer):
        def visit_both_sides(self, node: tir.Add, /) -> str:
            return self.visit(node.a) + self.visit(node.b)


def test_what_is_no_node_is_refused() -> None:
    for value in (1, "x", None):
        with pytest.raises(TypeError, match="^`Printer.visit` takes a node, not a `"):
            Printer().visit(value)  # type: ignore[arg-type]
